import type {AgentCapabilities} from '@agentclientprotocol/sdk/unstable';
import type {InitializeResponse} from '../../session/events.ts';
import {duration} from '../../text/format.ts';
import {attempt} from '../attempt.ts';
import {notTried, type Check} from '../check.ts';
import type {Probe} from '../examination.ts';
import {OFFER, type Life} from '../life.ts';

/** "Initialization": the protocol's version, who the agent is and what it can do. */
export const initialize: Probe = async (examination) => {
  const {life} = examination.found;
  if (!life) return [];
  const {check, value} = await attempt(examination, {
    id: 'initialize',
    name: 'initialize',
    advertised: 'always',
    method: 'initialize',
    work: () => life.connection.initialize(OFFER),
    judge: (response) => ({note: noteOn(response, life)}),
  });
  if (!value) return [check];
  examination.found.initialized = value;
  return [check, ...untried(value.agentCapabilities)];
};

function noteOn({protocolVersion, agentInfo}: InitializeResponse, life: Life): string {
  const firstByte = life.firstByteMs();
  return [
    `version ${protocolVersion} of the protocol`,
    agentInfo ? `${agentInfo.title ?? agentInfo.name} ${agentInfo.version}` : 'it does not tell its name',
    firstByte === undefined ? undefined : `first byte ${duration(firstByte)} after the start`,
  ]
    .filter((part) => part !== undefined)
    .join(', ');
}

/** What takes content or servers to be tried, which nobody has at hand. */
function untried({promptCapabilities, mcpCapabilities}: AgentCapabilities = {}): readonly Check[] {
  const {image, audio, embeddedContext} = promptCapabilities ?? {};
  const {http, sse} = mcpCapabilities ?? {};
  return [
    listed({id: 'prompt-content', name: 'more than text in prompts'}, {image, audio, embeddedContext}),
    listed({id: 'mcp', name: 'MCP servers over the network'}, {http, sse}),
  ];
}

function listed(
  subject: Pick<Check, 'id' | 'name'>,
  capabilities: Readonly<Record<string, boolean | undefined>>,
): Check {
  const names = Object.keys(capabilities).filter((name) => capabilities[name]);
  return notTried({...subject, advertised: names.length > 0 ? 'yes' : 'no'}, names.join(', '));
}
