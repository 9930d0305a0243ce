import {afterEach, beforeEach, expect, test, vi} from 'vitest';
import {createPlayer, type PlayerOptions} from '../../../../src/window/replay-player.ts';
import type {ReplayView} from '../../../../src/app/pages/replay.ts';
import type {RecordingLine} from '../../../../src/recording/format.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const line = (t: number, method: string): RecordingLine => ({t, d: '>', m: {method}});
const lines = [
  line(0, 'initialize'),
  line(100, 'session/prompt'),
  line(1000, 'a'),
  line(60_000, 'nothing'),
  line(60_000, 'session/prompt'),
  line(61_000, 'b'),
];

function play(options: Partial<PlayerOptions> = {}) {
  const shown: unknown[] = [];
  let view: ReplayView | undefined;
  const player = createPlayer({
    lines,
    speed: 1,
    isPaused: false,
    show(line) {
      const method = 'm' in line && !Array.isArray(line.m) ? line.m['method'] : '';
      if (method !== 'nothing') shown.push(method);
      return method !== 'nothing';
    },
    changed: (changed) => (view = changed),
    ...options,
  });
  player.start();
  return {player, shown, view: () => view};
}

test('lines come at their time, and long pauses are shortened', () => {
  const {shown} = play();
  vi.advanceTimersByTime(0);
  expect(shown).toEqual(['initialize']);
  vi.advanceTimersByTime(999);
  expect(shown).toEqual(['initialize', 'session/prompt']);
  vi.advanceTimersByTime(1);
  expect(shown).toHaveLength(3);
  vi.advanceTimersByTime(10_000);
  expect(shown).toHaveLength(4);
});

test('a higher speed is faster, and no limit plays everything at once', () => {
  const {shown, view} = play({speed: 10});
  vi.advanceTimersByTime(100);
  expect(shown).toHaveLength(3);
  const all = play({speed: Infinity});
  vi.advanceTimersByTime(0);
  expect(all.shown).toHaveLength(5);
  expect(all.view()).toMatchObject({position: 6, total: 6});
  expect(view()).toMatchObject({position: 3, speed: 10});
});

test('a step shows the next line that changes something, and pauses', () => {
  const {player, shown, view} = play();
  for (let step = 0; step < 4; step++) player.do('step');
  expect(shown).toEqual(['initialize', 'session/prompt', 'a', 'session/prompt']);
  expect(view()).toMatchObject({isPaused: true, position: 5});
  vi.advanceTimersByTime(100_000);
  expect(shown).toHaveLength(4);
  player.do('pause');
  vi.advanceTimersByTime(1000);
  expect(shown).toHaveLength(5);
});

test('the next turn starts with its prompt', () => {
  const {player, shown} = play({isPaused: true});
  player.do('next_turn');
  expect(shown).toEqual(['initialize']);
  player.do('next_turn');
  expect(shown).toEqual(['initialize', 'session/prompt', 'a']);
  player.do('next_turn');
  expect(shown).toHaveLength(5);
});
