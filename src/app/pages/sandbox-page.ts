import type {DecisionRecord} from '../../session/requests/permission-rules.ts';
import type {SandboxState} from '../../session/settings/sandbox.ts';
import type {SessionState} from '../../session/state.ts';
import {escapeHiddenLine} from '../../text/hidden.ts';
import {page, type Page} from './pages.ts';

/** Returns the page of what the sandbox of a session's agent allows, or how to start one. */
export function sandboxPage({sandbox}: SessionState, refused: readonly DecisionRecord[]): Page {
  const lines = sandbox ? [...whatIsAllowed(sandbox), '', ...whatWasRefused(refused)] : HOW_TO_START;
  return page('Sandbox', lines.join('\n'));
}

const HOW_TO_START = [
  'The agent runs without a sandbox: it can read, write and reach whatever you can.',
  '',
  'Start acp-tui with --sandbox, or make it the default for new sessions: /settings sandbox.',
  'acp-tui doctor says whether this computer supports it; acp-tui help sandbox has the details.',
];

const NETWORK: Readonly<Record<SandboxState['network'], string>> = {
  open: 'every public host',
  ask: 'the hosts below; another one is a question',
  none: 'only the hosts below',
};

function whatIsAllowed({
  writable,
  hidden = [],
  hosts,
  network,
  sandboxSockets,
}: SandboxState): readonly string[] {
  return [
    'The agent, its commands and the MCP servers that run for it are in a sandbox. Your own ! commands are not.',
    '',
    'Written: a temporary folder of its own, and',
    ...listed(writable),
    'Read: everything but keys, credentials, browser profiles, and the files of acp-tui and of other agents.',
    ...(hidden.length > 0 ? ['Not read in the workspace:', ...listed(hidden)] : []),
    'Never written, if it is there: what runs by itself, such as git hooks, .envrc and shell start files.',
    '',
    `Network (${network}): ${NETWORK[network]}`,
    ...listed(hosts),
    sandboxSockets === 'all'
      ? 'Unix sockets: all'
      : 'Unix sockets: none, so neither Docker nor the SSH agent.',
    '',
    'To allow a host, at once and from now on: /sandbox registry.example',
    'To allow a folder in this session, after /restart: /sandbox ~/folder',
    'One port of a private host: /sandbox localhost:8080',
    'Folders for all sessions: sandbox.folders in /settings.',
  ];
}

function whatWasRefused(refused: readonly DecisionRecord[]): readonly string[] {
  const lines = refused.map(({title, by}) => escapeHiddenLine(`${title} (${by === 'user' ? 'by you' : by})`));
  return lines.length === 0
    ? ['Refused connections: none']
    : ['Refused connections, the last ones:', ...listed(lines)];
}

function listed(values: readonly string[]): readonly string[] {
  return values.length === 0 ? ['  none'] : values.map((value) => `  ${value}`);
}
