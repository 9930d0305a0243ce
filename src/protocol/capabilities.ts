import type * as acp from '@agentclientprotocol/sdk/unstable';
import type {ClientOffer} from './connection.ts';

/** What we can do, as `initialize` says it ("Initialization", client capabilities). */
export function clientCapabilities(offer: ClientOffer): acp.ClientCapabilities {
  return {
    fs: {readTextFile: offer.fs, writeTextFile: offer.fs},
    terminal: offer.terminal,
    session: {configOptions: {boolean: {}}, notices: {}, compaction: {}},
    plan: {},
    ...(offer.elicitation && {elicitation: {form: {}, url: {}}}),
    // The older name of the same, which many agents still look for.
    ...(offer.terminalSignIn && {auth: {terminal: true}, _meta: {'terminal-auth': true}}),
  };
}

/** True when the agent takes additional roots with `session/new`. */
export function takesAdditionalDirectories(capabilities: acp.AgentCapabilities | undefined): boolean {
  return isOffered(capabilities?.sessionCapabilities?.additionalDirectories);
}

/** Which content a prompt may hold besides text and resource links, which every agent takes ("Content"). */
export function takesInPrompt(
  capabilities: acp.AgentCapabilities | undefined,
  type: acp.ContentBlock['type'],
): boolean {
  const {image = false, audio = false, embeddedContext = false} = capabilities?.promptCapabilities ?? {};
  return {text: true, resource_link: true, image, audio, resource: embeddedContext}[type];
}

/** A capability without options of its own is an empty object when it is there. */
function isOffered(capability: object | null | undefined): boolean {
  return capability !== undefined && capability !== null;
}
