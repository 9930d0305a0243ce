import {expect, onTestFinished, test, vi} from 'vitest';
import {dayOf} from '../../../../src/session/settings/usage.ts';
import type {SessionState} from '../../../../src/session/state.ts';
import {fail, type Result} from '../../../../src/shared/failure.ts';
import type {ScriptStep} from '../../../../fixtures/fake-agent/scenarios/script.ts';
import {openScripted} from '../open-conversation.ts';
import {costs, isAsked, noticesOf, openLimited, untilCancelled} from './limited-session.ts';

test('a limit is said when most of it is used, ends the turn that reaches it, and is asked about', async () => {
  const session = await openLimited({sessionCost: 1}, [
    [costs(0.85), costs(0.9), costs(1.02), ...untilCancelled],
    [costs(1.5)],
    [costs(2.1), ...untilCancelled],
  ]);
  expect(await session.ask('one')).toMatchObject({asker: 'acp-tui'});
  expect(noticesOf(session.state())).toEqual([
    'This session has cost $0.85 of $1.00 (limits.sessionCost).',
    'This session has cost $1.02 of $1.00 (limits.sessionCost).',
  ]);
  expect(session.state().lastTurn?.outcome).toEqual({kind: 'stopped', stopReason: 'cancelled'});
  await session.answer(0);
  // It goes on for as much again.
  session.submit('two');
  await session.until((state) => state.lastTurn?.turn === 2, 'the second turn');
  expect(session.state().pending).toEqual([]);
  await session.ask('three');
  expect(noticesOf(session.state()).at(-1)).toBe(
    'This session has cost $2.10 of $2.02 (limits.sessionCost).',
  );
});

test('after a no the agent gets no prompt, and each one is asked about', async () => {
  const session = await openLimited({sessionCost: 1}, [[costs(1), ...untilCancelled]]);
  await session.ask('one');
  await session.answer(1);
  await session.ask('two');
  expect(session.prompts()).toBe(1);
});

test('a prompt that is typed instead of an answer is asked about, too, and takes the place of the question', async () => {
  const session = await openLimited({sessionCost: 1}, [
    [costs(1), ...untilCancelled],
    [costs(1.5)],
    [costs(1.6)],
  ]);
  const first = await session.ask('one');
  session.submit('two');
  const isAnother = (state: SessionState) => isAsked(state) && state.pending[0]?.id !== first?.id;
  await session.until(isAnother, 'the next question');
  expect(session.prompts()).toBe(1);
  expect(session.state().queue).toMatchObject({isPaused: true, prompts: [{content: [{text: 'two'}]}]});
  await session.answer(0);
  await session.until((state) => state.lastTurn?.turn === 3, 'the third turn');
  expect(session.prompts()).toBe(2);
});

test('a yes goes on, however much was used, with what was queued and what the agent did not get', async () => {
  const session = await openLimited({sessionCost: 1}, [
    [costs(7), ...untilCancelled],
    [costs(7.5)],
    [costs(7.6)],
  ]);
  session.submit('one');
  session.submit('two');
  session.submit('three');
  await session.until(isAsked, 'the question');
  await session.answer(0);
  await session.until((state) => state.lastTurn?.turn === 3, 'the third turn');
  expect(session.prompts()).toBe(3);
});

test('after a yes to a limit of the day no prompt is lost', async () => {
  const row = {day: '', agent: '', model: '', folder: '', turns: 1, tokens: 10, uncounted: 0};
  const usageToday = () => ({ok: true, value: [{...row, currency: 'USD', cost: 32}]}) as const;
  const session = await openLimited({dayCost: 5}, [[costs(0.1)], [costs(0.2)]], {usageToday});
  await session.ask('one');
  await session.answer(0);
  await session.until((state) => state.lastTurn?.turn === 2, 'the turn of the prompt');
  expect(session.prompts()).toBe(1);
  expect(session.state().queue.prompts).toEqual([]);
});

test('a yes sends the prompt that it is about, although the queue was paused, and no other', async () => {
  const row = {day: '', agent: '', model: '', folder: '', turns: 1, tokens: 10, uncounted: 0};
  const usageToday = () => ({ok: true, value: [{...row, currency: 'USD', cost: 32}]}) as const;
  const session = await openLimited({dayCost: 5}, [[costs(0.1)], [costs(0.2)]], {usageToday});
  await session.ask('one');
  await session.answer(1);
  await session.ask('two');
  await session.answer(0);
  await session.until((state) => state.lastTurn?.turn === 3, 'the turn of the prompt');
  expect(session.prompts()).toBe(1);
  expect(session.state().queue).toMatchObject({
    isPaused: true,
    prompts: [{text: 'one'}],
    lastPrompt: {text: 'two'},
  });
});

test('a prompt of which an editor has been told that it was cancelled is not sent later', async () => {
  const session = await openLimited({sessionCost: 1}, [[costs(1), ...untilCancelled], [costs(1.5)]]);
  await session.ask('one');
  await session.answer(1);
  await session.ask('two', {isSentOnce: true});
  expect(session.state().queue.prompts).toEqual([]);
  await session.answer(0);
  session.submit('three');
  await session.until((state) => state.lastTurn?.turn === 3, 'the third turn');
  expect(session.state().queue).toMatchObject({prompts: [], lastPrompt: {text: 'three'}});
  expect(session.prompts()).toBe(2);
});

test('the cost and the minutes of each turn count from its start', async () => {
  const session = await openLimited({turnCost: 1, turnMinutes: 1000}, [
    [costs(0.7)],
    [costs(1.4)],
    [costs(2.5), ...untilCancelled],
  ]);
  for (const turn of [1, 2]) {
    session.submit(`turn ${turn}`);
    await session.until((state) => state.lastTurn?.turn === turn, `turn ${turn}`);
  }
  expect(noticesOf(session.state())).toEqual([]);
  await session.ask('three');
  expect(noticesOf(session.state())).toEqual(['This turn has cost $1.10 of $1.00 (limits.turnCost).']);
});

test('a turn without any event is ended by its minutes', async () => {
  const session = await openLimited({turnMinutes: 0.001}, [untilCancelled]);
  await session.ask('one');
  expect(noticesOf(session.state())).toEqual([
    expect.stringMatching(/^This turn has taken .* of 60 ms \(limits\.turnMinutes\)\.$/),
  ]);
});

test('the tokens of all turns count', async () => {
  const usage = {inputTokens: 500, outputTokens: 100, totalTokens: 600};
  const session = await openLimited({sessionTokens: 1000}, [[{stop: {stopReason: 'end_turn', usage}}]]);
  session.submit('one');
  await session.until((state) => state.lastTurn?.turn === 1, 'the first turn');
  await session.ask('two');
  expect(noticesOf(session.state())).toEqual([
    'This session has used 1.2k of 1k tokens (limits.sessionTokens).',
  ]);
});

test('without a user the turn ends, and says which limit it was', async () => {
  const session = await openLimited({sessionCost: 1}, [[costs(1.02), ...untilCancelled]], {hasUser: false});
  expect(session.state().limitReached).toBe(undefined);
  session.submit('one');
  await session.until((state) => state.lastTurn !== undefined, 'the end of the turn');
  expect(session.state().limitReached).toBe('This session has cost $1.02 of $1.00 (limits.sessionCost).');
});

/** A call as many agents report it: without its input at first. */
const calls = (id: string, rawInput: object | undefined, title = 'Read a.txt'): readonly ScriptStep[] => [
  {
    update: {
      sessionUpdate: 'tool_call',
      toolCallId: id,
      title,
      kind: 'read',
      status: 'pending',
      rawInput: {},
    },
  },
  {
    update: {
      sessionUpdate: 'tool_call_update',
      toolCallId: id,
      status: 'completed',
      ...(rawInput && {rawInput}),
    },
  },
];

test('a call that is made again and again with the same input ends the turn, and is counted anew in the next one', async () => {
  const same = (id: string) => calls(id, {path: 'a.txt'});
  const session = await openLimited({sameCall: 3}, [
    [...same('1'), ...same('2'), ...calls('3', {path: 'b.txt'}), ...same('4'), ...same('5')],
    [...same('6'), ...same('7'), ...same('8'), ...untilCancelled],
    [...same('9'), ...same('10')],
  ]);
  session.submit('one');
  await session.until((state) => state.lastTurn?.turn === 1, 'the first turn');
  await session.ask('two');
  const sentence = 'The same call was made 3 of 3 times in a row: Read a.txt (limits.sameCall).';
  expect(noticesOf(session.state())).toEqual([sentence]);
  expect(session.state()).toMatchObject({limitReached: sentence});
  await session.answer(0);
  session.submit('three');
  await session.until((state) => state.lastTurn?.turn === 3, 'the third turn');
  expect(session.state()).toMatchObject({limitReached: undefined, pending: []});
});

test('calls without an input are not the same, and 0 is no limit', async () => {
  const many = (rawInput: object | undefined) => [1, 2, 3, 4].flatMap((id) => calls(`${id}`, rawInput));
  const [unknown, unlimited] = await Promise.all([
    openLimited({sameCall: 2}, [many(undefined)]),
    openLimited({sameCall: 0}, [many({path: 'a.txt'})]),
  ]);
  for (const session of [unknown, unlimited]) {
    session.submit('one');
    await session.until((state) => state.lastTurn?.turn === 1, 'the turn');
    expect(noticesOf(session.state())).toEqual([]);
  }
});

test('what all sessions of the day have used counts, and is read again as it changes', async () => {
  let [cost, reads] = [0.5, 0];
  const row = {day: '', agent: '', model: '', folder: '', turns: 1, tokens: 10, uncounted: 0};
  const usageToday = () => {
    reads++;
    const value = [
      {...row, currency: 'USD', cost},
      {...row, currency: 'EUR', cost: 100},
    ];
    return {ok: true, value} as const;
  };
  const session = await openLimited({dayCost: 1, dayTokens: 1000}, [[costs(0.1)], untilCancelled], {
    usageToday,
  });
  session.submit('one');
  await session.until((state) => state.lastTurn?.turn === 1, 'the first turn');
  expect(await session.conversation.limitUses()).toMatchObject([
    {name: 'dayCost', amounts: '$0.50 of $1.00'},
    {name: 'dayTokens', amounts: '20 of 1k'},
  ]);
  cost = 1;
  const before = reads;
  await session.ask('two');
  expect(reads).toBeGreaterThan(before);
  expect(noticesOf(session.state())).toEqual([
    'All sessions of today have cost $1.00 of $1.00 (limits.dayCost).',
  ]);
});

test('what was agreed to for a turn or a day holds for no other one', async () => {
  vi.useFakeTimers({toFake: ['Date'], now: new Date(2026, 4, 9, 12)});
  onTestFinished(() => void vi.useRealTimers());
  const row = {agent: '', model: '', folder: '', turns: 1, tokens: 10, uncounted: 0, currency: 'USD'};
  let cost = 4.5;
  const usageToday = () => ({ok: true, value: [{...row, day: dayOf(Date.now()), cost}]}) as const;
  const turns = [[costs(1.2), ...untilCancelled], []];
  const session = await openLimited({turnCost: 1, dayCost: 5}, turns, {usageToday});
  await session.ask('one');
  await session.answer(0);
  cost = 6;
  await session.ask('two');
  await session.answer(0);
  await session.until(({lastTurn}) => lastTurn?.turn === 3, 'the turn of the prompt');
  const uses = () => session.conversation.limitUses();
  expect(await uses()).toMatchObject([{amounts: '$1.00, used: unknown'}, {amounts: '$6.00 of $11.00'}]);
  vi.setSystemTime(new Date(2026, 4, 10, 12));
  cost = 4.5;
  session.submit('three');
  await session.until(({lastTurn}) => lastTurn?.turn === 4, 'a turn on the next day');
  expect(await uses()).toMatchObject([{name: 'turnCost'}, {amounts: '$4.50 of $5.00'}]);
  const nearly = 'All sessions of today have cost $4.50 of $5.00 (limits.dayCost).';
  expect(noticesOf(session.state()).filter((text) => text === nearly)).toHaveLength(2);
});

test('what the agent uses between turns counts, and is asked about at once', async () => {
  const modes = {currentModeId: 'a', availableModes: ['a', 'b'].map((id) => ({id, name: id}))};
  const opened = [{received: 'session/set_mode'}, costs(0.5), costs(1.2), costs(1.3)];
  const limits = {sessionCost: 1};
  const {conversation, state, until} = await openScripted({session: {modes}, opened, turns: [[]]}, {limits});
  conversation.prompt([{type: 'text', text: 'go'}]);
  await until(({lastTurn}) => lastTurn !== undefined, 'the turn');
  void conversation.setMode('b');
  await until(({usage}) => usage?.cost?.amount === 1.3, 'all costs');
  expect(state().pending).toMatchObject([{asker: 'acp-tui'}]);
  expect(noticesOf(state()).filter((text) => text.includes('limits'))).toEqual([
    'This session has cost $1.20 of $1.00 (limits.sessionCost).',
  ]);
});

test('a limit of the session that is reached between turns takes the place of one of the turn', async () => {
  const modes = {currentModeId: 'a', availableModes: ['a', 'b'].map((id) => ({id, name: id}))};
  const opened = [{received: 'session/set_mode'}, costs(5.2), costs(5.3)];
  const turns = [[costs(1.1), ...untilCancelled]];
  const limits = {turnCost: 1, sessionCost: 5};
  const {conversation, state, until} = await openScripted({session: {modes}, opened, turns}, {limits});
  conversation.prompt([{type: 'text', text: 'go'}]);
  await until(isAsked, 'the question');
  const [first] = state().pending;
  void conversation.setMode('b');
  await until(({usage}) => usage?.cost?.amount === 5.3, 'all costs');
  expect(noticesOf(state()).filter((text) => text.includes('limits'))).toEqual([
    'This turn has cost $1.10 of $1.00 (limits.turnCost).',
    'This session has cost $5.20 of $5.00 (limits.sessionCost).',
  ]);
  expect(state().pending).toHaveLength(1);
  expect(state().pending[0]?.id).not.toBe(first?.id);
});

test('a session that had used more than its limit before is not asked about until it is used', async () => {
  const [usage, limits] = [costs(7), {sessionCost: 1}];
  const opened = await openScripted({opened: [usage]}, {limits});
  await opened.until((state) => state.usage !== undefined, 'the cost');
  expect(opened.state().pending).toEqual([]);
});

test('what was used of the day is kept while it cannot be read, which is said once', async () => {
  const row = {agent: '', model: '', folder: '', turns: 1, tokens: 10, uncounted: 0};
  const value = [{...row, day: dayOf(Date.now()), currency: 'USD', cost: 0.5}];
  const reads: Result<typeof value>[] = [{ok: true, value}];
  const unreadable = fail({kind: 'not_offered', what: 'reading', why: 'it is locked'});
  const usageToday = () => reads.pop() ?? unreadable;
  const session = await openLimited({dayCost: 1}, [[costs(0.1)], [costs(0.1)]], {usageToday});
  session.submit('one');
  await session.until((state) => state.lastTurn?.turn === 1, 'the first turn');
  session.submit('two');
  await session.until((state) => state.lastTurn?.turn === 2, 'the second turn');
  expect(await session.conversation.limitUses()).toMatchObject([{amounts: '$0.50 of $1.00'}]);
  expect(noticesOf(session.state())).toEqual([
    expect.stringMatching(/^What all sessions have used today cannot be read: .* it is locked/i),
  ]);
});
