import {join} from 'node:path';
import {describe, expect, test} from 'vitest';
import type {Script} from '../../../fixtures/fake-agent/scenarios/script.ts';
import {subagentAsker} from '../../../src/session/subagents/names.ts';
import {noPermissions} from './conversation-defaults.ts';
import {idle, makeConversation, type OpenedConversation} from './open-conversation.ts';
import {permission, run, terminal} from './steps.ts';
import {edit, permissionOf, running, says, subagent, update} from './turns/subagent-steps.ts';

const initialize = {agentCapabilities: {loadSession: true}};
const pendingCall = {
  update: {
    sessionUpdate: 'tool_call',
    toolCallId: 'call-1',
    title: 'Delete it',
    kind: 'delete',
    status: 'pending',
  },
};

/** Opens a session of such an agent and starts to load it again, or another one. */
async function beginReload(
  script: Script,
  options: Parameters<typeof makeConversation>[1] = {},
  other?: string,
) {
  const opened = makeConversation(['script', JSON.stringify({initialize, ...script})], options);
  await opened.conversation.open();
  const sessionId = other ?? opened.state().sessionId!;
  return {...opened, loading: opened.conversation.openSession({kind: 'continue', sessionId})};
}

/** The same, with the session loaded. */
async function reload(...how: Parameters<typeof beginReload>): Promise<OpenedConversation> {
  const opened = await beginReload(...how);
  await opened.loading;
  return opened;
}

test('keeps a tool call open whose request is still waiting after the load', async () => {
  const opened = await reload({loading: [pendingCall, permission(1)]});
  const {pending, entries} = await opened.until(
    ({pending, connection}) => pending.length > 0 && connection.kind === 'ready',
    'the request',
  );
  expect(pending).toMatchObject([{toolCallId: 'call-1'}]);
  const calls = [...entries].filter(({type}) => type === 'tool_call');
  expect(calls).toMatchObject([{toolCallId: 'call-1', status: 'pending'}]);
});

test('keeps a command running that was requested during the load', async () => {
  const output = {ask: 'out', method: 'terminal/output', params: terminal};
  const opened = await reload({loading: run, turns: [[output, {answered: 'out'}]]}, {approval: 'all'});
  opened.prompt('go on');
  await opened.until(idle, 'the end');
  expect(opened.sent().find(({id}) => id === 'out')).not.toHaveProperty('error');
  expect([...opened.state().terminals]).toMatchObject([{exit: undefined}]);
});

test('runs a command requested during the load once it is allowed', async () => {
  const opened = await reload({loading: [run[0]!]});
  const {pending, entries} = await opened.until(({pending}) => pending.length > 0, 'the request');
  expect([...entries].filter(({type}) => type === 'tool_call')).toMatchObject([{status: 'pending'}]);
  void opened.conversation.answer(pending[0]!.id, {kind: 'option', index: 0});
  const {terminals} = await opened.until(({terminals}) => [...terminals].length > 0, 'the command');
  expect([...terminals]).toMatchObject([{exit: undefined}]);
});

test('goes on when the user would give it up, since the agent would send the rest as new', async () => {
  const opened = await beginReload({loading: [says('one'), permission(1), {answered: 1}, says('two')]});
  const {pending} = await opened.until(({pending}) => pending.length > 0, 'the request');
  opened.conversation.cancel();
  void opened.conversation.answer(pending[0]!.id, {kind: 'option', index: 0});
  expect(await opened.loading).toMatchObject({ok: true});
  expect(opened.state().connection.kind).toBe('ready');
  const notices = [...opened.state().entries].filter(({type}) => type === 'notice');
  expect(notices).toMatchObject([{text: expect.stringContaining('/restart')}]);
});

test('marks a request whose tool call changes during the load', async () => {
  const changed = {
    sessionUpdate: 'tool_call_update',
    toolCallId: 'call-1',
    title: 'Delete all of it',
  } as const;
  const {until} = await beginReload({loading: [pendingCall, permission(1), update(changed), {answered: 1}]});
  const {pending} = await until(
    ({pending: [first]}) => first?.kind === 'permission' && first.changes > 0,
    'it',
  );
  expect(pending).toMatchObject([{call: {title: 'Delete all of it'}}]);
});

describe('a request of a subagent while its session loads', () => {
  const child = subagent('child', {title: 'Reviewer', cwd: '$cwd/sub', ...running});
  const asking = [says('I begin.'), child, permissionOf('child', edit('a.txt'))];
  const claude = {...initialize, agentInfo: {name: 'claude', title: 'Claude', version: '1'}};

  test('is shown in its name, with its tool call in its own transcript', async () => {
    const script = {initialize: claude, loading: [...asking, {answered: 'may'}]};
    const {conversation, cwd, until, answerTo, loading, state} = await beginReload(script);
    const before = await until(({pending}) => pending.length > 0, 'the request');
    expect(before.pending).toMatchObject([
      {subagent: 'child', call: {content: [{path: join(cwd, 'sub/a.txt')}]}},
    ]);
    expect(subagentAsker(before, 'child')).toBe('Reviewer, a subagent of Claude');
    void conversation.answer(before.pending[0]!.id, {kind: 'option', index: 0});
    expect(await answerTo('may')).toMatchObject({result: {outcome: {optionId: 'yes'}}});
    await loading;
    const {entries, subagents} = state();
    expect(subagents['child']?.session.entries.slice()).toMatchObject([
      {toolCallId: 'call-1', permission: {outcome: 'allowed'}},
    ]);
    expect(entries.some(({type}) => type === 'tool_call')).toBe(false);
  });

  test('may be answered after the load', async () => {
    const {conversation, until, answerTo, state} = await reload({loading: asking});
    const {pending} = await until(({pending}) => pending.length > 0, 'the request');
    expect(pending).toMatchObject([{subagent: 'child'}]);
    void conversation.answer(pending[0]!.id, {kind: 'option', index: 0});
    await answerTo('may');
    expect(state().subagents['child']?.session.entries.slice()).toMatchObject([
      {toolCallId: 'call-1', permission: {outcome: 'allowed'}},
    ]);
  });

  test('is logged under its name, with its parent', async () => {
    const command = {ask: 'run', method: 'terminal/create', params: {sessionId: 'child', command: 'true'}};
    const decisions: unknown[] = [];
    const permissions = {...noPermissions, decided: (decision: unknown) => void decisions.push(decision)};
    const loading = [
      subagent('child', {title: 'Reviewer', ...running}),
      command,
      {answered: 'run'},
      permissionOf('child', edit('a.txt')),
      {answered: 'may'},
    ];
    const {state} = await reload({loading}, {approval: 'all', permissions});
    expect([...state().terminals]).toMatchObject([{command: 'true'}]);
    const {sessionId} = state();
    expect(decisions).toMatchObject([
      {sessionId, subagent: 'Reviewer', method: 'terminal/create'},
      {sessionId, subagent: 'Reviewer', method: 'session/request_permission'},
    ]);
  });

  test('is cancelled when the load fails, and is not part of the session that stays open', async () => {
    const script = {loading: [...asking, {answered: 'may'}]};
    const {conversation, loading, state, until, answerTo} = await beginReload(script, {}, 'other');
    await until(({pending}) => pending.length > 0, 'the request');
    conversation.cancel();
    expect(await loading).toMatchObject({ok: false, failure: {kind: 'no_answer'}});
    expect(await answerTo('may')).toMatchObject({result: {outcome: {outcome: 'cancelled'}}});
    expect(state()).toMatchObject({pending: [], subagents: {}, connection: {kind: 'ready'}});
    expect(state().entries.some(({type}) => type === 'tool_call')).toBe(false);
  });
});
