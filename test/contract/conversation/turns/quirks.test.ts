import {fileURLToPath} from 'node:url';
import {describe, expect, test} from 'vitest';
import {PROGRAM} from '../../../support/driver/lend-process.ts';
import {messageText} from '../../../../src/session/selectors.ts';
import {unattendedBy} from '../../../../src/session/settings/unattended.ts';
import type {SessionState} from '../../../../src/session/state.ts';
import {idle, openConversation, openScripted, type OpenedConversation} from '../open-conversation.ts';

/** A client of the agent of a recorded wire. */
function openRecorded(wire: string): Promise<OpenedConversation> {
  const file = fileURLToPath(new URL(`../../../../fixtures/wire/${wire}.ndjson`, import.meta.url));
  const args = [PROGRAM, 'replay', file, '--serve'];
  return openConversation([], {agent: {label: 'recorded', command: process.execPath, args, env: {}}});
}

/** The messages with their senders, in order. */
function conversation({state}: OpenedConversation): string[] {
  return Array.from(state().entries).flatMap((entry) => {
    if (entry.type === 'user_message') return [`you: ${messageText(entry).trim()}`];
    return entry.type === 'agent_message' ? [`agent: ${messageText(entry).trim()}`] : [];
  });
}

test('a message by which Gemini CLI reports its mode changes the mode and is not shown', async () => {
  const opened = await openRecorded('gemini-modes');
  const actions = opened.conversation;
  for (const mode of ['default', 'autoEdit', 'yolo'])
    expect(await actions.setMode(mode)).toMatchObject({ok: true});
  expect(opened.state().modes?.currentModeId).toBe('yolo');
  expect(conversation(opened)).toEqual([]);
});

test('Nanocoder, which describes no mode, starts in one in which it asks less, and the user is told', async () => {
  const {state} = await openRecorded('nanocoder-failed-subagent');
  expect(state().modes?.currentModeId).toBe('auto-accept');
  expect(unattendedBy(state())).toEqual(['auto-accept']);
  expect(state().entries).toContainEqual(
    expect.objectContaining({
      level: 'warning',
      text: 'The agent starts in the mode auto-accept and asks less than in normal; /mode or --mode changes that.',
    }),
  );
});

test('the same message of another agent is shown', async () => {
  const text = '[MODE_UPDATE] yolo';
  const opened = await openScripted({
    turns: [[{update: {sessionUpdate: 'agent_message_chunk', content: {type: 'text', text}}}]],
  });
  opened.prompt('go');
  await opened.until(idle, 'the end');
  expect(opened.said()).toBe(text);
});

test('a fork that OpenCode replays in full is shown once', async () => {
  const opened = await openRecorded('opencode-fork');
  const prompt = 'Please say hello in one short sentence. Do not use any tools.';
  opened.prompt(prompt);
  await opened.until(idle, 'the end');
  const before = conversation(opened);
  expect(before).toEqual([
    `you: ${prompt}`,
    'agent: Hello from the **mock** model. This is `short` markdown.',
  ]);
  const {sessionId = ''} = opened.state();
  expect(await opened.conversation.openSession({kind: 'continue', sessionId, fork: true})).toMatchObject({
    ok: true,
  });
  expect(opened.state().sessionId).not.toBe(sessionId);
  expect(conversation(opened)).toEqual(before);
});

describe('Copilot', () => {
  const prompts = ['write file', 'run command', 'edit file /home/user/project/notes.md'];

  test('sends notices as messages, which join no answer', async () => {
    const opened = await openRecorded('copilot-write-run-edit');
    await ask(opened, prompts.slice(0, 1));
    expect(conversation(opened)).toEqual([
      'you: write file',
      'agent: I will write the file.',
      'agent: The file is written.',
    ]);
    expect(Array.from(opened.state().entries)).toContainEqual(
      expect.objectContaining({type: 'notice', level: 'info', text: '/home/user/project/lab-notes.md'}),
    );
  });

  test('counts tokens across turns, and each turn shows its own', async () => {
    const opened = await openRecorded('copilot-write-run-edit');
    expect(await ask(opened, prompts)).toEqual([2463, 2502, 3837]);
  });

  /** The tokens of each turn. */
  async function ask(opened: OpenedConversation, prompts: readonly string[]): Promise<unknown[]> {
    const used: unknown[] = [];
    for (const [index, prompt] of prompts.entries()) {
      opened.prompt(prompt);
      const isOver = ({lastTurn, turn}: SessionState) => turn.kind === 'idle' && lastTurn?.turn === index + 1;
      const {pending} = await opened.until((state) => isOver(state) || state.pending.length > 0, 'a request');
      void opened.conversation.answer(pending[0]?.id ?? '', {kind: 'option', index: 0});
      const {lastTurn} = await opened.until(isOver, `the end of turn ${index + 1}`);
      used.push(lastTurn?.usage?.totalTokens);
    }
    return used;
  }
});

test('the greeting that pi sends after session/new answers no prompt', async () => {
  const text = 'pi v1\n\n/model chooses a model\n';
  const update = {sessionUpdate: 'agent_message_chunk', content: {type: 'text', text}};
  const opened = await openScripted({
    session: {_meta: {piAcp: {startupInfo: text}}},
    turns: [
      [{update}, {update: {sessionUpdate: 'agent_message_chunk', content: {type: 'text', text: 'Hi.'}}}],
    ],
  });
  opened.prompt('go');
  await opened.until(idle, 'the end');
  expect(conversation(opened)).toEqual(['you: go', 'agent: Hi.']);
  expect(Array.from(opened.state().entries)).toContainEqual(
    expect.objectContaining({type: 'notice', source: 'agent', text: text.trim()}),
  );
});

test('the account an adapter sends with _auth/status_update is shown', async () => {
  const params = {authStatus: {kind: 'gateway', label: 'Custom model gateway', detail: 'mock'}};
  const opened = await openScripted({
    opened: [{send: {jsonrpc: '2.0', method: '_auth/status_update', params}}],
  });
  await opened.until(({agent}) => agent?.authStatus !== undefined, 'the account');
  expect(opened.state().agent?.authStatus).toMatchObject({
    accounts: [{label: 'Custom model gateway', name: 'mock'}],
  });
});

test('a title that the agent stored differently is shown as stored', async () => {
  const opened = await openScripted({
    initialize: {agentCapabilities: {sessionCapabilities: {title: {}}}},
    results: {'session/set_title': {title: 'Fix the bug'}},
  });
  expect(await opened.conversation.renameSession('  fix the bug ')).toMatchObject({ok: true});
  expect(opened.state().title).toBe('Fix the bug');
});
