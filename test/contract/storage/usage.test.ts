import {readdirSync, writeFileSync} from 'node:fs';
import {expect, test} from 'vitest';
import {usageText} from '../../../src/app/pages/usage-page.ts';
import type {SessionEvent, SessionEventOf} from '../../../src/session/events.ts';
import {initialSession} from '../../../src/session/initial.ts';
import {limitUses} from '../../../src/session/settings/limits.ts';
import {dayOf, sumOfUsage} from '../../../src/session/settings/usage.ts';
import {databaseFile} from '../../../src/storage/database/database.ts';
import {usageToday} from '../../../src/storage/usage.ts';
import {temporaryFolder} from '../../support/folders/temporary-folder.ts';
import {conversation, origin, playConversation, storeIn, valueOf} from './stores.ts';

const NOON = new Date(2026, 4, 9, 12).getTime();
const NEXT_NOON = new Date(2026, 4, 10, 12).getTime();

const started = (turn: number, at: number): SessionEvent => ({
  type: 'prompt_started',
  turn,
  content: [{type: 'text', text: 'go'}],
  at,
});
const ended = (turn: number, at: number, totalTokens?: number): SessionEventOf<'prompt_ended'> => ({
  type: 'prompt_ended',
  turn,
  outcome: {kind: 'stopped', stopReason: 'end_turn'},
  ...(totalTokens && {usage: {inputTokens: totalTokens, outputTokens: 0, totalTokens}}),
  at,
});
const costs = (amount: number, at: number): SessionEvent => ({
  type: 'session_update',
  update: {sessionUpdate: 'usage_update', used: 1, size: 2, cost: {amount, currency: 'USD'}},
  at,
});

/** The session of an agent that has opened it and done nothing. */
const opening = () => conversation([]);

test('what turns use is counted on the day on which they use it, in order, and once', () => {
  const store = storeIn(temporaryFolder());
  const recorder = valueOf(store.record(origin));
  playConversation(recorder, [
    ...opening(),
    started(1, NOON),
    costs(0.25, NOON),
    // Over midnight.
    costs(0.75, NEXT_NOON),
    ended(1, NEXT_NOON, 1000),
    ended(1, NEXT_NOON, 1000),
    started(2, NEXT_NOON),
    ended(2, NEXT_NOON),
    started(3, NEXT_NOON),
    // The agent did not get the prompt.
    {...ended(3, NEXT_NOON), isUnsent: true},
  ]);
  recorder.close();
  const place = {agent: 'Some Agent', model: '', folder: '/project'};
  expect(valueOf(store.usage('2026-05-09'))).toEqual([
    {...place, day: '2026-05-09', currency: 'USD', turns: 0, cost: 0.25, tokens: 0, uncounted: 0},
    {...place, day: '2026-05-10', currency: 'USD', turns: 2, cost: 0.5, tokens: 1000, uncounted: 1},
  ]);
});

test('what is used between turns counts, and what a session had used before that is not stored does not', () => {
  const store = storeIn(temporaryFolder());
  const recorder = valueOf(store.record(origin));
  playConversation(recorder, [
    ...opening(),
    started(1, NOON),
    ended(1, NOON),
    // After the response to the prompt.
    costs(1, NOON),
    started(2, NOON),
    costs(1.5, NOON),
    ended(2, NOON),
    costs(9, NEXT_NOON),
    // The agent counts anew.
    costs(0.25, NEXT_NOON),
    costs(0.5, NEXT_NOON),
  ]);
  recorder.close();
  // Another one, of which nothing is known.
  const resumed = valueOf(store.record(origin));
  const session = {sessionId: 'agent-session', cwd: '/project', additionalDirectories: []};
  playConversation(resumed, [
    ...opening(),
    {type: 'session_opened', session, how: 'load', at: NEXT_NOON},
    started(1, NEXT_NOON),
    costs(20, NEXT_NOON),
    ended(1, NEXT_NOON),
    costs(20.25, NEXT_NOON),
  ]);
  resumed.close();
  const costOn = (day: string) => sumOfUsage(valueOf(store.usage(day))).costs['USD'];
  expect([costOn('2026-05-09'), costOn('2026-05-10')]).toEqual([9.5, 8]);
});

test('a cost that no agent reports is unknown, and not nothing', () => {
  const store = storeIn(temporaryFolder());
  const recorder = valueOf(store.record(origin));
  playConversation(recorder, [...opening(), started(1, NOON), ended(1, NOON, 500)]);
  recorder.close();
  const [row, ...others] = valueOf(store.usage('2026-05-09'));
  expect(others).toEqual([]);
  expect(row).toMatchObject({currency: '', turns: 1, tokens: 500});
  expect(usageText([row!], 1)).toContain('1 turn · 500 tokens · unknown today');
});

test('the cost of a running turn counts for other sessions at once', () => {
  const folder = temporaryFolder();
  const store = storeIn(folder);
  const read = usageToday(folder);
  expect(valueOf(read())).toEqual([]);
  const now = Date.now();
  const recorder = valueOf(store.record(origin));
  playConversation(recorder, [...opening(), started(1, now), costs(0.5, now)]);
  expect(valueOf(read())).toMatchObject([{day: dayOf(now), cost: 0.5, turns: 0}]);
  recorder.close();
});

test('a damaged database that is read for a limit stays where those who report it find it', () => {
  const folder = temporaryFolder();
  writeFileSync(databaseFile(folder), 'no database'.repeat(1000));
  expect(usageToday(folder)()).toMatchObject({ok: false, failure: {kind: 'file'}});
  expect(readdirSync(folder)).toEqual(['acp-tui.sqlite']);
});

test.each([1e16, 1e19, Number.MAX_VALUE])(
  '%d tokens of one turn stop the next, and hide nothing',
  (tokens) => {
    const folder = temporaryFolder();
    const store = storeIn(folder);
    const recorder = valueOf(store.record(origin));
    const now = Date.now();
    const turn = (number: number) => [
      started(number, now),
      costs(tokens * number, now),
      ended(number, now, tokens),
    ];
    playConversation(recorder, [...opening(), ...turn(1), ...turn(2)]);
    const rows = valueOf(usageToday(folder)());
    expect(rows).toMatchObject([{turns: 2}]);
    const uses = limitUses(
      initialSession({cwd: '/', additionalDirectories: [], at: now}),
      {dayTokens: 1e9, dayCost: 1000},
      {
        at: now,
        today: rows,
      },
    );
    for (const {used = 0, limit} of uses) expect(used).toBeGreaterThan(limit);
    expect(uses).toHaveLength(2);
    recorder.close();
  },
);

test('the page shows each group with what is known, and bars of the cost', () => {
  const row = {
    day: '2026-05-09',
    agent: 'one',
    model: 'm',
    folder: '/a',
    currency: 'USD',
    turns: 2,
    cost: 2,
    tokens: 1500,
    uncounted: 0,
  };
  const text = usageText(
    [
      row,
      {...row, day: '2026-05-10', agent: 'two', cost: 1, uncounted: 1},
      {...row, currency: '', cost: 0, turns: 1},
    ],
    7,
  );
  expect(text).toContain('5 turns · 4.5k + unknown of 1 turn tokens · $3.00 + unknown of 1 turn in 7 days');
  expect(text).toMatch(/^one +3 +3k +\$2\.00 \+ unknown of 1 turn +#{20}$/m);
  expect(text).toMatch(/^two +2 +1\.5k \+ unknown of 1 turn +\$1\.00 +#{10}$/m);
  expect(usageText([], 7)).toBe('No turns in 7 days. Only sessions that are stored are counted.');
});
