import type * as acp from '@agentclientprotocol/sdk/unstable';
import {describe, expect, it} from 'vitest';
import type {Update} from '../../../../src/session/events.ts';
import {toolCall} from '../../../../src/session/selectors.ts';
import type {SessionState} from '../../../../src/session/state.ts';
import {identifyQuestion, identifyRequest, unnestUpdate} from '../../../../src/session/subagents/nested.ts';
import {withAppended, withSentStatus} from '../../../../src/session/transcript/patches.ts';
import {
  callUpdate,
  calls,
  ended,
  entriesOf,
  reduceEvents,
  only,
  opened,
  prompted,
  subagent,
  text,
  update,
  updateOf,
} from '../../../support/session/build.ts';
import {cpuTimeOf} from '../../../support/cpu-time.ts';
import {sessionOpenedEvent, userSays} from '../lifecycle/replayed.ts';

/** Folds updates as they come from an agent. */
function receive(state: SessionState, ...updates: readonly Update[]): SessionState {
  return updates.reduce((before, each) => {
    const events = unnestUpdate(before, {sessionId: 's1', update: each}).map((routed) =>
      routed.sessionId === 's1' ? update(routed.update) : updateOf(routed.sessionId, routed.update),
    );
    return reduceEvents(before, ...events);
  }, state);
}

const told = (state: SessionState) =>
  entriesOf(state, 'tool_call').map(({toolCallId, title, status}) => `${toolCallId} ${title} ${status}`);

const lists = calls('call_0', {title: 'ls -la', rawInput: {command: 'ls -la'}, kind: 'execute'});
const removes = calls('call_0', {title: 'rm -rf build', rawInput: {command: 'rm -rf build'}});
const isDone = callUpdate('call_0', {status: 'completed'});
const isCancelled = callUpdate('call_0', withSentStatus({status: 'failed' as const}, 'cancelled'));
const running = reduceEvents(opened, prompted('go'));
const listed = receive(running, lists, isDone);
const nextTurn = reduceEvents(listed, ended('end_turn'), prompted('next', 2));

const replaying = receive(reduceEvents(opened, {type: 'replay_started'}), userSays('go'), lists);

const removal = (toolCallId = 'call_0', sessionId = 's1') => ({
  sessionId,
  toolCall: {toolCallId, title: 'rm -rf build'},
  options: [],
});

function request(state: SessionState, toolCallId?: string, sessionId?: string) {
  return identifyRequest(state, removal(toolCallId, sessionId)).toolCall.toolCallId;
}

/** The own ID of the call of another request. */
function asks(state: SessionState, call: Partial<acp.ToolCallUpdate>, sessionId = 's1') {
  const request = {sessionId, toolCall: {toolCallId: 'call_0', ...call}, options: []};
  return identifyRequest(state, request).toolCall.toolCallId;
}

/** The same, waiting for an answer. */
function asked(state: SessionState): SessionState {
  const request = identifyRequest(state, removal());
  return reduceEvents(state, {type: 'permission_requested', id: 'p', request});
}

function decided(state: SessionState, outcome: 'allowed' | 'rejected'): SessionState {
  const decision = {outcome, option: 'x', by: 'user'} as const;
  return reduceEvents(state, {type: 'permission_resolved', id: 'p', toolCallId: 'call_0', decision});
}

describe('an ID that is used again', () => {
  it.each([
    ['in the same turn', listed],
    ['after the agent has reported it as cancelled', receive(running, lists, isCancelled)],
    ['in the next turn', nextTurn],
    [
      'in the next turn, after a call without an end',
      reduceEvents(receive(running, lists), ended('end_turn'), prompted('next', 2)),
    ],
    ['after a rejection', decided(receive(running, lists), 'rejected')],
    ['after its turn', reduceEvents(receive(running, lists), ended('end_turn'))],
    [
      'after its turn was cancelled',
      reduceEvents(receive(running, lists), {type: 'cancel_requested'}, ended('cancelled')),
    ],
    ['in a session that was loaded', reduceEvents(replaying, sessionOpenedEvent('load'))],
  ])('is that of a new call %s', (_when, before) => {
    const [first] = entriesOf(before, 'tool_call');
    const after = receive(before, removes, callUpdate('call_0', {status: 'failed'}));
    expect(entriesOf(after, 'tool_call')).toEqual([
      first,
      expect.objectContaining({
        toolCallId: 'call_0 #2',
        title: 'rm -rf build',
        kind: 'other',
        status: 'failed',
        turn: after.turn.kind === 'running' ? after.turn.turn : undefined,
      }),
    ]);
    expect(request(before)).toBe('call_0 #2');
  });

  describe('in a request while its session loads', () => {
    const stored = reduceEvents(receive(running, lists), ended('end_turn'));
    const again = receive(reduceEvents(stored, {type: 'replay_started'}), userSays('go'), lists);

    it.each([
      ['that is not stored', replaying, 'call_0'],
      ['that is stored', again, 'call_0 #2'],
    ])('is that of a new call in a session %s', (_which, loading, id) => {
      const requested = asked(loading);
      expect(requested.pending).toMatchObject([
        {toolCallId: id, call: {title: 'rm -rf build', rawInput: undefined, kind: 'other'}, changes: 0},
      ]);
      const changed = receive(requested, callUpdate('call_0', {title: 'rm -rf /'}));
      expect(changed.pending).toMatchObject([{toolCallId: id, call: {title: 'rm -rf /'}, changes: 1}]);
      const loaded = receive(reduceEvents(changed, sessionOpenedEvent('load')), isDone);
      expect(entriesOf(loaded, 'tool_call').at(-1)).toMatchObject({
        toolCallId: id,
        title: 'rm -rf /',
        rawInput: undefined,
        status: 'completed',
      });
      expect(entriesOf(loaded, 'tool_call').slice(0, -1)).toEqual(entriesOf(loading, 'tool_call'));
    });

    it('is that of a new call, whatever the replay goes on with', () => {
      const loaded = reduceEvents(receive(asked(replaying), isDone, lists), sessionOpenedEvent('load'));
      expect(told(loaded)).toEqual(['call_0 rm -rf build completed', 'call_0 #2 ls -la pending']);
    });
  });

  describe('in the session of a subagent', () => {
    const child = subagent('child', {state: {state: 'running'}});
    const begun = reduceEvents(running, update(child), updateOf('child', lists));
    const rests = subagent('child', {state: {state: 'idle', stopReason: 'end_turn'}});

    it.each([
      ['in the next turn', reduceEvents(begun, ended('end_turn'), prompted('next', 2))],
      ['between turns', reduceEvents(begun, ended('end_turn'))],
      ['after its work', reduceEvents(begun, update(rests), update(child))],
      [
        'while its session loads',
        reduceEvents(opened, {type: 'replay_started'}, update(child), updateOf('child', lists)),
      ],
      [
        'in a session that was loaded',
        reduceEvents(
          opened,
          {type: 'replay_started'},
          update(child),
          updateOf('child', lists),
          sessionOpenedEvent('load'),
        ),
      ],
    ])('is that of a new call in a request %s', (_when, session) => {
      expect(request(session, 'call_0', 'child')).toBe('call_0 #2');
    });

    it('is that of a call that runs', () => {
      expect(asks(begun, {title: 'ls -la'}, 'child')).toBe('call_0');
    });
  });

  it('is counted on', () => {
    expect(told(receive(listed, removes, isDone, lists, isDone))).toEqual([
      'call_0 ls -la completed',
      'call_0 #2 rm -rf build completed',
      'call_0 #3 ls -la completed',
    ]);
  });

  it('is that of a new call for an agent that starts it with an update', () => {
    const starts = callUpdate('call_0', {title: 'rm -rf build', status: 'in_progress'});
    expect(told(receive(nextTurn, starts, isDone))).toEqual([
      'call_0 ls -la completed',
      'call_0 #2 rm -rf build completed',
    ]);
  });

  it('is that of a new call in a replay', () => {
    const loading = reduceEvents(opened, {type: 'replay_started'});
    const replayed = receive(
      loading,
      userSays('go'),
      lists,
      isDone,
      removes,
      isDone,
      userSays('next'),
      lists,
    );
    expect(told(reduceEvents(replayed, sessionOpenedEvent('load')))).toEqual([
      'call_0 ls -la completed',
      'call_0 #2 rm -rf build completed',
      'call_0 #3 ls -la cancelled',
    ]);
  });

  it('names another terminal, if the agent names it like the call', () => {
    const run = (data: string) =>
      callUpdate('call_0', {
        content: [{type: 'terminal', terminalId: 'call_0'}],
        _meta: {terminal_output: {terminal_id: 'call_0', data}},
      });
    const session = receive(running, lists, run('one'), isDone, removes, run('two'), isDone);
    expect(entriesOf(session, 'tool_call').map(({content}) => content)).toMatchObject([
      [{terminalId: 'call_0'}],
      [{terminalId: 'call_0 #2'}],
    ]);
    expect(session.terminals.get('call_0')?.output).toBe('one');
    expect(session.terminals.get('call_0 #2')?.output).toBe('two');
  });

  it('starts another subagent', () => {
    const says = (text: string): Update => ({
      sessionUpdate: 'agent_message_chunk',
      content: {type: 'text', text},
      _meta: {claudeCode: {parentToolUseId: 'call_0'}},
    });
    const session = receive(running, lists, says('one'), isDone, removes, says('two'), isDone);
    expect(entriesOf(session, 'subagent').map(({sessionId, title}) => [sessionId, title])).toEqual([
      ['tool-call:call_0', 'ls -la'],
      ['tool-call:call_0 #2', 'rm -rf build'],
    ]);
  });

  it('means the newest call in a question', () => {
    const question = {mode: 'url', message: 'See', url: 'https://a.b', toolCallId: 'call_0'} as never;
    expect(identifyQuestion(receive(listed, removes), question)).toHaveProperty('toolCallId', 'call_0 #2');
  });
});

describe('an ID of a call that runs', () => {
  const both = receive(running, lists, removes);

  it('is that of a new call if another starts with it', () => {
    expect(told(both)).toEqual(['call_0 ls -la pending', 'call_0 #2 rm -rf build pending']);
    expect(told(receive(both, isDone))).toEqual([
      'call_0 ls -la pending',
      'call_0 #2 rm -rf build completed',
    ]);
    expect(toolCall(both, 'call_0')).toEqual(toolCall(receive(running, lists), 'call_0'));
  });

  it.each([
    ['another title', {title: 'rm -rf build'}],
    ['another kind', {title: 'ls -la', kind: 'edit'}],
    ['another input under the same title', {title: 'ls -la', rawInput: {command: 'rm -rf build'}}],
    ['another input, as its end', {title: 'ls -la', rawInput: {command: 'ls'}, status: 'completed'}],
  ] as const)('is that of a new call with %s', (_what, call) => {
    expect(entriesOf(receive(running, lists, calls('call_0', call)), 'tool_call')).toHaveLength(2);
  });

  it('is that of a new call in a request if several calls have it', () => {
    expect(request(both)).toBe('call_0 #3');
    expect(request(receive(both, isDone))).toBe('call_0 #3');
    const next = receive(reduceEvents(both, ended('end_turn'), prompted('next', 2)), lists);
    expect(asks(next, {})).toBe('call_0 #3');
  });
});

describe('an ID with a number of the agent', () => {
  const call = (id: string) => calls(id, {title: id});

  it('is another than the numbered ID of a call', () => {
    const session = receive(running, call('a'), call('a #2'), call('a'), calls('a', {title: 'other'}));
    expect(told(session)).toEqual(['a a pending', 'a #2 #1 a #2 pending', 'a #2 other pending']);
    const ends = receive(session, callUpdate('a #2', {status: 'failed'}));
    expect(told(ends)).toEqual(['a a pending', 'a #2 #1 a #2 failed', 'a #2 other pending']);
    expect(asks(session, {toolCallId: 'a #2'})).toBe('a #2 #1');
    expect(request(session, 'a')).toBe('a #3');
  });

  it('costs nothing more if it is high', () => {
    for (const number of ['1000000', '999999999999999', '9007199254740992', '9'.repeat(400)]) {
      const id = `a #${number}`;
      const other = calls('a', {title: 'other'});
      let session = running;
      const time = cpuTimeOf(() => {
        session = receive(running, call('a'), call(id), callUpdate('a', {status: 'completed'}), other);
        session = receive(session, calls(id, {title: 'other'}));
        request(session, id);
        request(session, 'a');
      });
      expect(told(session)).toHaveLength(4);
      expect(time).toBeLessThan(200);
    }
  });
});

describe('a call that is sent again', () => {
  it.each([
    ['without and then with its input', {title: 'Terminal', rawInput: {}}],
    ['with more of its input', {title: 'Run', rawInput: {command: 'ls -'}}],
    ['with another property of its input', {title: 'Run', rawInput: {cwd: '/w'}}],
    ['with a title alone, and then its input', {title: 'Terminal'}],
  ])('is the same %s', (_what, begins) => {
    const whole = calls('call_0', {title: '`ls -la`', rawInput: {cwd: '/w', command: 'ls -la'}});
    expect(told(receive(running, calls('call_0', begins), whole))).toEqual(['call_0 ls -la pending']);
  });

  it('is the same while it runs', () => {
    const again = calls('call_0', {title: 'ls', status: 'pending'});
    expect(told(receive(running, lists, again))).toEqual(['call_0 ls pending']);
    expect(asks(receive(running, lists), {})).toBe('call_0');
  });

  it('is the same if that is its end after a rejection or a cancellation', () => {
    const ends = calls('call_0', {title: 'ls -la', status: 'failed'});
    expect(told(receive(decided(receive(running, lists), 'rejected'), ends))).toEqual([
      'call_0 ls -la failed',
    ]);
    const cancelled = reduceEvents(receive(running, lists), {type: 'cancel_requested'});
    expect(told(receive(cancelled, ends))).toEqual(['call_0 ls -la failed']);
  });
});

describe('an update of a call that has ended', () => {
  it('adds what it appends, and its changes only once', () => {
    const diff = {type: 'diff', path: '/w/a', oldText: 'a', newText: 'b'} as const;
    const edited = receive(running, calls('call_0', {content: [diff]}), isDone);
    const part = {type: 'content' as const, content: text('a warning')};
    const piece = callUpdate('call_0', withAppended({content: [part]}));
    expect(only(receive(edited, piece, piece, piece), 'tool_call').content).toEqual([diff, part, part, part]);
  });

  it('neither restarts it nor says that it was something else', () => {
    const diff = {type: 'diff' as const, path: '/a', oldText: 'a', newText: 'b'};
    const words = {type: 'content' as const, content: {type: 'text' as const, text: 'Done'}};
    const change = callUpdate('call_0', {content: [diff], locations: [{path: '/a'}]});
    const wrote = receive(running, lists, change, isDone);
    const late = callUpdate('call_0', {
      title: 'Read notes.md',
      kind: 'read',
      name: 'read',
      rawInput: {path: 'notes.md'},
      rawOutput: 'more',
      locations: [{path: '/b'}],
      content: [words],
    });
    const before = toolCall(wrote, 'call_0')!;
    expect(only(receive(wrote, late), 'tool_call')).toEqual({
      ...before,
      name: 'read',
      rawOutput: 'more',
      content: [diff, words],
    });
    const progress = callUpdate('call_0', {status: 'in_progress', rawOutput: 'more'});
    expect(only(receive(wrote, progress), 'tool_call')).toEqual({...before, rawOutput: 'more'});
  });

  it('does not begin again if it is paused late', () => {
    const paused = callUpdate('call_0', withSentStatus({status: 'in_progress' as const}, 'paused'));
    expect(told(receive(listed, paused))).toEqual(told(listed));
  });

  it('may report another end', () => {
    expect(told(receive(nextTurn, callUpdate('call_0', {status: 'failed'})))).toEqual([
      'call_0 ls -la failed',
    ]);
  });
});
