import type {Result} from '../../shared/failure.ts';
import {displayUrl, isLoopback, withoutSecrets} from '../../download/url.ts';
import {invalidAgent, CORRECT_SETTINGS} from '../command-line.ts';

/** Connection settings of a remote agent. References such as `${NAME}` are not expanded yet. */
export interface RemoteSettings {
  readonly url: string;
  readonly token?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly allowUnencrypted?: boolean;
}

/** Where a remote agent runs. */
export interface RemoteAddress {
  /** A function, so that no URL with a query, token or header is logged or stored with the agent. */
  readonly settings: () => RemoteSettings;
  /** Absolute working folder on the remote side, if it differs from the session's. */
  readonly cwd?: string;
}

/** Variable with the token for an agent that is passed as a URL and has no settings. */
const TOKEN_VARIABLE = 'ACP_TUI_AGENT_TOKEN';

const EXAMPLE = 'A URL looks like wss://agents.example.com/acp.';

/** True if the text is the URL of an agent, not a command. */
export function isRemoteUrl(text: string): boolean {
  return /^(wss?|https?):\/\//i.test(text);
}

/** Returns the agent at a URL passed to `--agent`. A secret in it is a failure, since every user of the computer can read arguments. */
export function parseRemoteAgent(
  text: string,
  environment: NodeJS.ProcessEnv,
): Result<RemoteCommand & {readonly label: string}> {
  const url = URL.parse(text);
  if (url && url.search !== '')
    return invalidAgent(
      withoutSecrets(text),
      'a query may be secret: put the URL into the settings (agents.NAME.url)',
      '',
    );
  const token = environment[TOKEN_VARIABLE] ? {token: `\${${TOKEN_VARIABLE}}`} : {};
  const agent = remoteAgent(text, {url: text, ...token});
  return agent.ok ? {ok: true, value: {label: url?.host ?? text, ...agent.value}} : agent;
}

interface RemoteCommand {
  /** The URL in a form that may be shown. */
  readonly command: string;
  readonly args: readonly string[];
  readonly remote: RemoteAddress;
}

/** Returns the agent with these settings. `name` identifies it in failures. A URL with variables is checked when it is used. */
export function remoteAgent(name: string, settings: RemoteSettings, cwd?: string): Result<RemoteCommand> {
  const remote = {settings: () => settings, ...(cwd !== undefined && {cwd})};
  if (hasVariables(settings.url))
    return {ok: true, value: {command: withoutSecrets(settings.url), args: [], remote}};
  const url = remoteUrl(name, settings.url, settings);
  return url.ok ? {ok: true, value: {command: displayUrl(url.value), args: [], remote}} : url;
}

/** Returns a URL, with its variables filled in, if it can be connected to. `name` identifies the agent in failures. */
export function remoteUrl(name: string, text: string, settings: RemoteSettings): Result<URL> {
  const url = URL.parse(text);
  if (!url || !isRemoteUrl(url.href)) {
    const problem = url ? 'its URL must start with wss:// or https://' : 'its URL is not valid';
    return invalidAgent(withoutSecrets(name), problem, isRemoteUrl(name) ? EXAMPLE : CORRECT_SETTINGS);
  }
  const problem = problemWith(url, settings);
  if (problem !== undefined) return invalidAgent(withoutSecrets(name), problem, '');
  // Never sent, and a WebSocket may not have one.
  url.hash = '';
  return {ok: true, value: url};
}

/** Returns a form of the agent's URL for messages: values of variables may be secret. */
export function displayableUrl(url: URL, {url: text}: RemoteSettings): string {
  return hasVariables(text) ? url.origin : displayUrl(url);
}

function hasVariables(text: string): boolean {
  return text.includes('${');
}

function problemWith(url: URL, {allowUnencrypted = false}: RemoteSettings): string | undefined {
  if (url.username !== '' || url.password !== '')
    return 'a URL may not contain credentials: use token or headers in the settings (agents.NAME.token)';
  const isEncrypted = url.protocol === 'wss:' || url.protocol === 'https:';
  if (isEncrypted || isLoopback(url) || allowUnencrypted) return undefined;
  return `${url.protocol}// is not encrypted and only used on this computer: use ${url.protocol === 'ws:' ? 'wss' : 'https'}://, or set allowUnencrypted for the agent`;
}
