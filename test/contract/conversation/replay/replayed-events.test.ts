import {readdirSync, readFileSync} from 'node:fs';
import {describe, expect, test} from 'vitest';
import {intendedUpdate} from '../../../../src/agents/quirks.ts';
import {createReplayedEvents} from '../../../../src/conversation/replay/wire-to-events.ts';
import {readRecording, type RecordingLine} from '../../../../src/recording/format.ts';
import {initialSession} from '../../../../src/session/initial.ts';
import {reduce} from '../../../../src/session/reduce.ts';
import type {SessionState} from '../../../../src/session/state.ts';
import {subagentName} from '../../../../src/session/subagents/names.ts';
import {subagentEntry} from '../../../../src/session/subagents/tree.ts';
import {eventsOf} from '../../../support/session/recorded.ts';

const folder = new URL('../../../../fixtures/wire/', import.meta.url);
/** Without recordings that load a session: it replaces the previous one, and `eventsOf` knows only new ones. */
const files = readdirSync(folder).filter(
  (name) => name.endsWith('.ndjson') && !/sessions|-load\./.test(name),
);
const initial = () => initialSession({cwd: '/', additionalDirectories: [], at: 0});

function replayed(lines: readonly RecordingLine[]): SessionState {
  const events = createReplayedEvents();
  return lines.reduce(
    (state, line) =>
      events(line, state)
        .map((event) => Object.assign({}, event, {at: line.t}))
        .reduce(reduce, state),
    initial(),
  );
}

/** Without the agent's quirks, as a client shows it. */
function asMeant(event: ReturnType<typeof eventsOf>[number], agentName: string | undefined): typeof event {
  return event.type === 'session_update'
    ? {...event, update: intendedUpdate(event.update, agentName)}
    : event;
}

/** The text of the agent and its tool calls. */
function said({entries}: SessionState): {text: string; calls: string[]} {
  const reported = {text: '', calls: [] as string[]};
  for (const entry of entries) {
    if (entry.type === 'tool_call') reported.calls.push(`${entry.toolCallId} ${entry.status}`);
    if (entry.type !== 'agent_message') continue;
    for (const block of entry.content) reported.text += block.type === 'text' ? block.text : '';
  }
  return reported;
}

test.each(files)('a replay of %s shows what the client showed', (file) => {
  const {lines} = readRecording(readFileSync(new URL(file, folder), 'utf8'));
  const lived = eventsOf(file).reduce(
    (state, event) => reduce(state, {at: 0, ...asMeant(event, state.agent?.name)}),
    initial(),
  );
  const state = replayed(lines);
  expect(said(state)).toEqual(said(lived));
  expect(state.turn.kind).toBe('idle');
  // In some of them no session was opened.
  expect(state.connection.kind).toBe(lived.sessionId === undefined ? 'starting' : 'ready');
});

test('a replay of calls with one ID tells them apart', () => {
  const reported = (update: object): RecordingLine => ({
    t: 1,
    d: '<',
    m: {method: 'session/update', params: {sessionId: 's', update: {toolCallId: 'call_0', ...update}}},
  });
  const prompt = (id: number): RecordingLine => ({
    t: 1,
    d: '>',
    m: {id, method: 'session/prompt', params: {sessionId: 's', prompt: [{type: 'text', text: 'go'}]}},
  });
  const toolCall = {toolCallId: 'call_0', title: 'rm -rf build'};
  const {entries, pending} = replayed([
    {t: 0, d: '>', m: {id: 0, method: 'session/new', params: {cwd: '/', mcpServers: []}}},
    {t: 0, d: '<', m: {id: 0, result: {sessionId: 's'}}},
    prompt(1),
    reported({sessionUpdate: 'tool_call', title: 'ls -la', rawInput: {command: 'ls -la'}}),
    {t: 1, d: '<', m: {id: 1, result: {stopReason: 'end_turn'}}},
    prompt(2),
    {
      t: 2,
      d: '<',
      m: {id: 5, method: 'session/request_permission', params: {sessionId: 's', toolCall, options: []}},
    },
  ]);
  expect(entries.filter(({type}) => type === 'tool_call')).toMatchObject([
    {toolCallId: 'call_0', title: 'ls -la', turn: 1},
    {toolCallId: 'call_0 #2', title: 'rm -rf build', rawInput: undefined, turn: 2},
  ]);
  expect(pending).toMatchObject([{toolCallId: 'call_0 #2'}]);
});

describe('a replay of a session with a subagent', () => {
  const replayOf = (file: string) =>
    replayed(readRecording(readFileSync(new URL(file, folder), 'utf8')).lines);

  test("shows what Claude's subagent did and asked", () => {
    const state = replayOf('claude-subagent.ndjson');
    const [[id, child] = []] = Object.entries(state.subagents);
    expect(subagentName(state, id!)).toBe('Lab subagent');
    expect(subagentEntry(state, id!)).toMatchObject({state: 'idle', stopReason: 'end_turn'});
    expect(said(child!.session)).toEqual({
      text: 'I will write the file. The file is written.\n',
      calls: [expect.stringMatching(/^toolu_\S+ completed$/)],
    });
    expect(said(state).calls).toEqual([]);
    const notes = (session: SessionState) =>
      session.entries.filter(
        (entry) => entry.type === 'session_message' && JSON.stringify(entry.content).includes('Async agent'),
      );
    expect(notes(state)).toEqual([]);
    expect(notes(child!.session)).toHaveLength(1);
  });

  test('shows what it did and asked inside its parent’s session, and ends it with the turn', () => {
    const _meta = {claudeCode: {parentToolUseId: 'task'}};
    const reported = (update: object): RecordingLine => ({
      t: 1,
      d: '<',
      m: {method: 'session/update', params: {sessionId: 's', update}},
    });
    const call = {toolCallId: 'nested', title: 'Edit it', kind: 'edit', _meta};
    const options = [{optionId: 'yes', name: 'Yes', kind: 'allow_once'}];
    const lines: readonly RecordingLine[] = [
      {t: 0, d: '>', m: {id: 0, method: 'session/new', params: {cwd: '/', mcpServers: []}}},
      {t: 0, d: '<', m: {id: 0, result: {sessionId: 's'}}},
      {
        t: 0,
        d: '>',
        m: {id: 1, method: 'session/prompt', params: {sessionId: 's', prompt: [{type: 'text', text: 'go'}]}},
      },
      reported({sessionUpdate: 'tool_call', toolCallId: 'task', title: 'Review it', status: 'in_progress'}),
      reported({sessionUpdate: 'tool_call', ...call}),
      {
        t: 2,
        d: '<',
        m: {id: 5, method: 'session/request_permission', params: {sessionId: 's', toolCall: call, options}},
      },
    ];
    const asking = replayed(lines);
    const [[id, child] = []] = Object.entries(asking.subagents);
    expect(subagentName(asking, id!)).toBe('Review it');
    expect(said(child!.session).calls).toEqual(['nested pending']);
    expect(said(asking).calls).toEqual(['task in_progress']);
    expect(asking.pending).toMatchObject([{subagent: id}]);
    const over = replayed([...lines, {t: 3, d: '<', m: {id: 1, result: {stopReason: 'end_turn'}}}]);
    expect(subagentEntry(over, id!)).toMatchObject({state: 'idle'});
  });

  test("shows what Codex's subagent wrote", () => {
    const state = replayOf('codex-subagent.ndjson');
    const [[id, child] = []] = Object.entries(state.subagents);
    expect(subagentName(state, id!)).toBe('Lab');
    expect(subagentEntry(state, id!)).toMatchObject({state: 'idle'});
    expect(said(child!.session).text).toBe('The subagent is done.\n');
    expect(said(state).text).toBe('The subagent is done.\n');
  });
});

describe('a replay', () => {
  const to = (m: Record<string, unknown>): RecordingLine => ({t: 0, d: '>', m});
  const from = (m: Record<string, unknown>): RecordingLine => ({t: 0, d: '<', m});

  test.each([
    ['text instead of blocks', 'hello'],
    ['nothing', undefined],
    ['invalid blocks', [null, 5, {type: 'text'}]],
  ])('continues after a damaged prompt: %s', (_name, prompt) => {
    const state = replayed([
      to({id: 1, method: 'session/prompt', params: {sessionId: 's', prompt}}),
      from({id: 1, result: {stopReason: 'end_turn'}}),
    ]);
    expect(state.entries.map(({type}) => type)).toEqual(['user_message', 'turn_end']);
    expect(JSON.stringify(state.entries.get(0))).toContain('unreadable prompt');
  });

  test.each([null, 5, {}, {stopReason: 5}])(
    'continues after a damaged response to a prompt: %j',
    (result) => {
      const state = replayed([
        to({id: 1, method: 'session/prompt', params: {sessionId: 's', prompt: [{type: 'text', text: 'x'}]}}),
        from({id: 1, result}),
      ]);
      expect(state.lastTurn?.outcome).toMatchObject({kind: 'failed'});
      expect(state.turn.kind).toBe('idle');
    },
  );

  test('skips other damaged lines', () => {
    const state = replayed([
      to({id: 0, method: 'initialize', params: {}}),
      from({id: 0, result: {agentCapabilities: 5}}),
      to({id: 1, method: 'session/new', params: 5}),
      from({id: 1, result: null}),
      to({id: 2, method: 'session/set_config_option', params: []}),
      from({id: 2, result: {configOptions: [null]}}),
      from({id: 3, method: 'session/request_permission', params: {options: [null]}}),
    ]);
    expect(state.entries.length).toBe(0);
  });

  test('shows a request until it was answered, and the answer', () => {
    const ask = from({
      id: 1,
      method: 'session/request_permission',
      params: {
        sessionId: 's',
        toolCall: {toolCallId: 'c', title: 'Delete'},
        options: [{optionId: 'y', name: 'Yes', kind: 'allow_once'}],
      },
    });
    expect(replayed([ask]).pending).toMatchObject([{toolCallId: 'c'}]);
    const state = replayed([ask, to({id: 1, result: {outcome: {outcome: 'selected', optionId: 'y'}}})]);
    expect(state.pending).toEqual([]);
    expect([...state.entries]).toMatchObject([{permission: {outcome: 'allowed', option: 'Yes'}}]);
  });

  test('shows the command of a request that the agent sent as the text of its call', () => {
    const content = [{type: 'content', content: {type: 'text', text: '{"command":"ls"}'}}];
    const toolCall = {toolCallId: 'c', title: 'Run', kind: 'execute', content};
    const options = [{optionId: 'y', name: 'Yes', kind: 'allow_once'}];
    const state = replayed([
      from({id: 1, method: 'session/request_permission', params: {sessionId: 's', toolCall, options}}),
    ]);
    expect([...state.entries]).toMatchObject([{rawInput: {command: 'ls'}, content: []}]);
  });

  test('shows what the agent asked the user, and the answer', () => {
    const file = new URL('codex-ask-collabplan.ndjson', folder);
    const {lines} = readRecording(readFileSync(file, 'utf8'));
    const state = replayed(lines);
    expect([...state.entries].filter(({type}) => type === 'elicitation')).toMatchObject([
      {
        message: 'Codex needs your input to continue.',
        answers: [{label: 'Which color do you like?'}, {label: 'Additional answer or note'}],
        outcome: 'accepted',
      },
    ]);
    const asked = lines.findIndex((line) => JSON.stringify(line).includes('elicitation/create'));
    expect(replayed(lines.slice(0, asked + 1)).pending).toMatchObject([{kind: 'form'}]);
  });

  test('shows a terminal once, with what the agent asked for', () => {
    const output = (id: number, text: string, exitStatus?: object) => [
      from({id, method: 'terminal/output', params: {terminalId: 't'}}),
      to({id, result: {output: text, truncated: false, exitStatus}}),
    ];
    const state = replayed([
      from({id: 0, method: 'terminal/create', params: {command: 'echo', args: ['hi']}}),
      to({id: 0, result: {terminalId: 't'}}),
      ...output(1, 'one\n'),
      ...output(2, 'one\ntwo\n', {exitCode: 3}),
    ]);
    expect(state.terminals.get('t')).toMatchObject({
      command: 'echo hi',
      output: 'one\ntwo\n',
      exit: {code: 3, signal: null},
    });
  });

  test('shows how the agent ended', () => {
    const end = (asked: boolean): RecordingLine => ({t: 0, d: '#', e: 'exit', code: 7, signal: null, asked});
    expect(replayed([end(false)]).connection).toMatchObject({kind: 'lost', failure: {exit: {code: 7}}});
    expect(replayed([end(true)]).connection.kind).toBe('closed');
  });

  test('skips what matches no schema', () => {
    expect(replayed([from({id: 1, method: 'session/request_permission', params: 7})]).pending).toEqual([]);
  });
});
