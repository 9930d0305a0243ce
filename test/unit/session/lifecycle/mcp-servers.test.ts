import {expect, test} from 'vitest';
import type {SessionEvent, Update} from '../../../../src/session/events.ts';
import {initialSession} from '../../../../src/session/initial.ts';
import {reduce} from '../../../../src/session/reduce.ts';
import {serverStart} from '../../../../src/session/lifecycle/mcp-servers.ts';

const opened = {
  type: 'session_opened',
  session: {
    sessionId: 's',
    cwd: '/',
    additionalDirectories: [],
    mcpServers: ['my files', 'my files 2', 'bad'],
  },
  how: 'new',
} as const;
const reported = (update: Update) => ({type: 'session_update', update}) as const;
const call = (title: string, fields: object = {}) =>
  reported({
    sessionUpdate: 'tool_call',
    toolCallId: title,
    title,
    kind: 'other',
    status: 'completed',
    ...fields,
  });

type Unstamped = SessionEvent extends infer Event
  ? Event extends unknown
    ? Omit<Event, 'at'>
    : never
  : never;

function startAfter(server: string, ...events: readonly Unstamped[]) {
  const session = [opened, ...events].reduce(
    (state, event) => reduce(state, {...event, at: 0}),
    initialSession({cwd: '/', additionalDirectories: [], at: 0}),
  );
  return serverStart(session, server);
}

test('a server passed to the agent is not confirmed without a sign of it', () => {
  expect(startAfter('my files', call('Read a.txt', {kind: 'read'}))).toBe('unconfirmed');
});

test.each([
  ['Claude', call('Reading', {name: 'mcp__my_files__read'})],
  ['Codex', call('mcp.my files.read', {kind: 'execute'})],
  ['Gemini CLI', call('read (my files MCP Server)')],
  ['OpenCode', call('my_files_read')],
  [
    'Claude of prompts',
    reported({
      sessionUpdate: 'available_commands_update',
      availableCommands: [{name: 'mcp:my files:summary', description: ''}],
    }),
  ],
])('a tool that returned, as %s names it, confirms it', (_agent, event) => {
  expect(startAfter('my files', event)).toBe('started');
  expect(startAfter('bad', event)).toBe('unconfirmed');
});

test.each([
  ['is pending', call('mcp__my_files__read', {status: 'pending'})],
  ['failed', call('mcp__my_files__read', {status: 'failed'})],
  ['belongs to a server with a longer name', call('mcp__my_files_2__read')],
  ['belongs to it for OpenCode', call('my_files_2_read')],
  ["is the agent's own, of another kind", call('my_files_read', {kind: 'execute'})],
])('a tool that %s confirms nothing', (_what, event) => {
  expect(startAfter('my files', event)).toBe('unconfirmed');
});

const FAILED = [
  [
    'Claude',
    reported({sessionUpdate: 'notice', severity: 'warning', title: 'MCP server "bad" failed to start'}),
  ],
  ['Codex', call('mcp__bad__startup', {toolCallId: 'mcp_startup.bad.1', status: 'failed'})],
] as const;

test.each(FAILED)('what %s reports of a failed start affects that server alone', (_agent, event) => {
  expect(startAfter('bad', event)).toBe('unavailable');
  expect(startAfter('my files', event)).toBe('unconfirmed');
});

test('the state of a server that acp-tui runs is known, until an agent is started again', () => {
  const started = {type: 'mcp_server_state', name: 'bad', state: 'started'} as const;
  const initialized = {type: 'agent_initialized', response: {protocolVersion: 1}, fallbackName: 'a'} as const;
  expect(startAfter('bad', started)).toBe('started');
  expect(startAfter('my files', started)).toBe('unconfirmed');
  expect(startAfter('bad', started, {...started, state: 'failed'})).toBe('failed');
  expect(startAfter('bad', started, initialized, {...opened, how: 'resume'})).toBe('unconfirmed');
  expect(startAfter('toString', started)).toBe('unconfirmed');
});

test('the latest report counts, and none of an earlier session', () => {
  const [[, failed]] = FAILED;
  expect(startAfter('bad', failed, call('mcp__bad__read'))).toBe('started');
  expect(startAfter('bad', call('mcp__bad__read'), {...opened, how: 'resume'})).toBe('unconfirmed');
});
