import {expect, onTestFinished, test, vi} from 'vitest';
import {dayOf} from '../../../../src/session/settings/usage.ts';
import type {ScriptStep} from '../../../../fixtures/fake-agent/scenarios/script.ts';
import {costs, isAsked, noticesOf, openLimited, untilCancelled} from './limited-session.ts';

test('a prompt beyond the turns of the session is asked about, and does not count until the agent gets it', async () => {
  const session = await openLimited({sessionTurns: 5}, [[]]);
  for (const turn of [1, 2, 3, 4, 5]) {
    session.submit(`turn ${turn}`);
    await session.until(({lastTurn}) => lastTurn?.turn === turn, `turn ${turn}`);
  }
  // The last of them ends as any other.
  expect(session.state()).toMatchObject({pending: [], limitReached: undefined, queue: {isPaused: false}});
  expect(noticesOf(session.state())).toEqual(['This session has had 4 of 5 turns (limits.sessionTurns).']);
  await session.ask('six');
  expect(session.state().limitReached).toBe('This session has had 5 of 5 turns (limits.sessionTurns).');
  expect(session.state().queue).toMatchObject({isPaused: true, prompts: [{text: 'six'}]});
  expect(session.prompts()).toBe(5);
  await session.answer(0);
  await session.until(({lastTurn}) => lastTurn?.turn === 7, 'the turn of the prompt');
  expect(session.prompts()).toBe(6);
  expect(await session.conversation.limitUses()).toMatchObject([{amounts: '6 of 10'}]);
});

test('a prompt that the agent takes only after a sign-in is one turn', async () => {
  const fails: ScriptStep = {fail: {code: -32_000, message: 'Authentication required'}};
  const session = await openLimited({sessionTurns: 5}, [[fails]]);
  session.submit('one');
  await session.until(({lastTurn}) => lastTurn !== undefined, 'the refusal');
  expect(await session.conversation.limitUses()).toMatchObject([{amounts: '0 of 5'}]);
});

test('the minutes of all turns count, also while nothing happens', async () => {
  vi.useFakeTimers({toFake: ['Date', 'setInterval', 'clearInterval']});
  onTestFinished(() => void vi.useRealTimers());
  const session = await openLimited({sessionMinutes: 60}, [
    [costs(1), ...untilCancelled],
    [costs(2), ...untilCancelled],
  ]);
  const pass = (minutes: number) => vi.advanceTimersByTime(minutes * 60_000);
  const begin = async (amount: number) => {
    session.submit('go');
    await session.until(({usage}) => usage?.cost?.amount === amount, 'the turn');
  };
  await begin(1);
  pass(47);
  expect(noticesOf(session.state())).toEqual([]);
  pass(1);
  pass(12);
  await session.until(isAsked, 'the question');
  await session.answer(0);
  // Between turns no time counts.
  pass(100);
  await begin(2);
  pass(59);
  pass(1);
  await session.until(isAsked, 'the next question');
  expect(noticesOf(session.state())).toEqual([
    'The turns of this session have taken 48 min of 1 h (limits.sessionMinutes).',
    'The turns of this session have taken 1 h of 1 h (limits.sessionMinutes).',
    'The turns of this session have taken 1 h 36 min of 2 h (limits.sessionMinutes).',
    'The turns of this session have taken 2 h of 2 h (limits.sessionMinutes).',
  ]);
});

test('the turns of all sessions of the day count', async () => {
  const row = {agent: '', model: '', folder: '', tokens: 10, uncounted: 0, currency: '', cost: 0};
  const usageToday = () => ({ok: true, value: [{...row, day: dayOf(Date.now()), turns: 9}]}) as const;
  const session = await openLimited({dayTurns: 9}, [[]], {usageToday});
  await session.ask('one');
  expect(session.state().limitReached).toBe('All sessions of today have had 9 of 9 turns (limits.dayTurns).');
  expect(session.prompts()).toBe(0);
});
