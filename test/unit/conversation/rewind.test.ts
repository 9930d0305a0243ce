import type {ConversationContext} from '../../../src/conversation/context.ts';
import {planRewind, rewindPoints} from '../../../src/conversation/rewind.ts';
import type {SessionState} from '../../../src/session/state.ts';
import {expect, test} from 'vitest';
import {calls, ended, opened, prompted, reduceEvents, says, update} from '../../support/session/build.ts';

const agent = {
  name: '@agentclientprotocol/codex-acp',
  version: '2.6.0',
  capabilities: {sessionCapabilities: {fork: {}}},
} as SessionState['agent'];

const turn = (number: number, id: string) => [
  prompted(`prompt ${number}`, number),
  update(says('done', id)),
  ended('end_turn', number),
];
const before = {...opened, agent};
const twoTurns = reduceEvents(before, ...turn(1, 'm1'), ...turn(2, 'm2'));

function context(state: SessionState): ConversationContext {
  return {sink: {state: () => state}} as ConversationContext;
}

async function forkBefore(state: SessionState, number: number) {
  const point = {
    kind: 'prompt',
    turn: number,
    at: 0,
    text: '',
    snapshot: undefined,
    changed: undefined,
  } as const;
  return (await planRewind(context(state), point)).fork?.at;
}

function rewound(state: SessionState, rewoundTo: number): SessionState {
  const session = {sessionId: 's2', cwd: '/project', additionalDirectories: []};
  return reduceEvents(state, {type: 'session_opened', how: 'fork', session, rewoundTo});
}

test('a copy of the session ends with the last message before the prompt', async () => {
  expect(await forkBefore(twoTurns, 2)).toEqual({messageId: 'm1'});
});

test('turns that a copy of the session left out are no place to go back to', async () => {
  const state = reduceEvents(
    rewound(reduceEvents(twoTurns, ...turn(3, 'm3')), 3),
    ...turn(4, 'm4'),
    prompted('now', 5),
  );
  expect(await forkBefore(state, 4)).toEqual({messageId: 'm2'});
  expect(await forkBefore(state, 3)).toBeUndefined();
  const points = await rewindPoints(context(state));
  const turns = points.map((point) => (point.kind === 'prompt' ? point.turn : 0));
  expect(new Set(turns)).toEqual(new Set([1, 2, 4, 5]));
});

test('no copy is made up to a message if more follows before the prompt', async () => {
  const state = reduceEvents(
    reduceEvents(before, ...turn(1, 'm1')),
    prompted('run', 2),
    update(calls('c')),
    ended('cancelled', 2),
    ...turn(3, 'm3'),
  );
  expect(await forkBefore(state, 3)).toBeUndefined();
});

test('the snapshot before a prompt is that of the prompt, not one of another session during its turn', async () => {
  const state = reduceEvents(
    before,
    {...prompted('one'), at: 10},
    {...ended('end_turn'), at: 50},
    {...prompted('two', 2), at: 60},
    {...ended('end_turn', 2), at: 90},
  );
  const taken = (turn: number, promptAt: number, when: 'before' | 'after' = 'before') => ({
    snapshot: {session: 's', turn, when, at: promptAt + 5, promptAt, id: `${turn} at ${promptAt}`},
    changed: undefined,
  });
  const covered = [taken(2, 70), taken(1, 20), taken(1, 10, 'after'), taken(1, 10)];
  const snapshots = {points: async () => covered};
  const points = await rewindPoints({...context(state), snapshots} as unknown as ConversationContext);
  expect(points.map(({snapshot}) => snapshot)).toEqual([undefined, '1 at 10']);
});

test('a snapshot of an earlier version, which does not name its prompt, was taken soon after it', async () => {
  const state = reduceEvents(before, {...prompted('one'), at: 10_000}, {...ended('end_turn'), at: 50_000});
  const taken = (at: number) => ({
    snapshot: {session: 's', turn: 1, when: 'before', at, id: `at ${at}`},
    changed: undefined,
  });
  const snapshots = {points: async () => [taken(40_000), taken(10_100)]};
  const points = await rewindPoints({...context(state), snapshots} as unknown as ConversationContext);
  expect(points.map(({snapshot}) => snapshot)).toEqual(['at 10100']);
});
