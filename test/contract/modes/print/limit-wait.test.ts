import {expect, onTestFinished, test, vi} from 'vitest';
import type {Turn} from './fake-conversation.ts';
import {startFake} from './run-fake.ts';

const MINUTE = 60_000;

/** An agent that fails at a limit of ten minutes, until the given turn. */
function limitedUntil(last: number): Turn {
  let turns = 0;
  return async (agent) => {
    turns++;
    if (turns < last)
      return {
        kind: 'agent_error',
        method: 'session/prompt',
        code: -32603,
        message: 'Usage limit reached, try again in 10 minutes.',
      };
    agent.say('Done.');
    return 'end_turn';
  };
}

function start(argv: readonly string[], turn: Turn) {
  vi.useFakeTimers({toFake: ['setTimeout', 'clearTimeout', 'Date'], now: 0});
  onTestFinished(() => void vi.useRealTimers());
  return startFake(argv, turn);
}

test('a prompt that fails at a limit fails the run at once', async () => {
  const {conversation, exitCode} = start(['hello'], limitedUntil(2));
  expect(await exitCode).toBe(1);
  expect(conversation.prompts).toHaveLength(1);
});

test('with --wait-for-limits it is sent again when the limit ends', async () => {
  const {conversation, io, exitCode} = start(['hello', '--wait-for-limits'], limitedUntil(2));
  await vi.advanceTimersByTimeAsync(9 * MINUTE);
  expect(conversation.prompts).toHaveLength(1);
  expect(io.err()).toMatch(/Usage limit reached.* Waiting until .* to send the prompt again\.\n$/);
  await vi.advanceTimersByTimeAsync(2 * MINUTE);
  expect(await exitCode).toBe(0);
  const [first, second] = conversation.prompts;
  expect(second).toEqual(first);
  expect(io.out()).toBe('Done.\n');
});

test('what was said and refused before the limit is not of the run that succeeded', async () => {
  const limited = limitedUntil(2);
  let isFirst = true;
  const turn: Turn = async (agent) => {
    if (isFirst) {
      agent.say('Usage limit reached.');
      agent.deny({method: 'session/request_permission', title: 'npm test', allowedBy: 'all'});
    }
    isFirst = false;
    return limited(agent);
  };
  const {io, exitCode} = start(['hello', '--wait-for-limits', '--output-format', 'json'], turn);
  await vi.advanceTimersByTimeAsync(11 * MINUTE);
  expect(await exitCode).toBe(0);
  expect(JSON.parse(io.out())).toMatchObject({text: 'Done.', denied: [], exitCode: 0});
});

test('it is sent again after each limit that its work reaches', async () => {
  const limited = limitedUntil(4);
  const turn: Turn = (agent) => {
    agent.takes(MINUTE);
    return limited(agent);
  };
  const {conversation, exitCode} = start(['hello', '--wait-for-limits'], turn);
  await vi.advanceTimersByTimeAsync(40 * MINUTE);
  expect(await exitCode).toBe(0);
  expect(conversation.prompts).toHaveLength(4);
});

test('it is sent again once if it fails at once then', async () => {
  const {conversation, exitCode} = start(['hello', '--wait-for-limits'], limitedUntil(3));
  await vi.advanceTimersByTimeAsync(11 * MINUTE);
  expect(await exitCode).toBe(1);
  expect(conversation.prompts).toHaveLength(2);
});

test('a signal and the time limit end the wait', async () => {
  const signaled = start(['hello', '--wait-for-limits'], limitedUntil(2));
  await vi.advanceTimersByTimeAsync(MINUTE);
  signaled.io.signal('SIGINT');
  expect(await signaled.exitCode).toBe(130);
  const late = startFake(['hello', '--wait-for-limits', '--timeout', '60'], limitedUntil(2));
  await vi.advanceTimersByTimeAsync(MINUTE);
  expect(await late.exitCode).toBe(3);
  expect([signaled, late].map(({conversation}) => conversation.prompts.length)).toEqual([1, 1]);
});
