import {expect, test} from 'vitest';
import {limitEnd, limitTime} from '../../../../src/session/queue/provider-limit.ts';

/** A Wednesday, in local time; the tests run in any zone. */
const NOW = new Date(2025, 10, 5, 13, 20, 30).getTime();
const local = (day: number, hour: number, minute = 0, second = 0) =>
  new Date(2025, 10, day, hour, minute, second).getTime();
const utc = (day: number, hour: number, minute = 0) => Date.UTC(2025, 10, day, hour, minute);
const failed = (message: string, more: {detail?: string; retrySeconds?: number} = {}) =>
  ({kind: 'agent_error', method: 'session/prompt', code: -32603, message, ...more}) as const;

test.each([
  // Codex
  ["You've hit your usage limit. Try again at 3:05 PM.", local(5, 15, 5)],
  ["You've hit your usage limit. Try again at 1:05 PM.", local(6, 13, 5)],
  [
    "You've hit your usage limit. Visit https://x.test or try again at Nov 7th, 2025 3:05 PM.",
    local(7, 15, 5),
  ],
  ["You've hit your usage limit. Try again in 4 days 3 hours 5 minutes.", local(9, 16, 26)],
  ['Rate limit reached for o3. Please try again in 1.5s. Visit https://x.test', local(5, 13, 20, 32)],
  ['Rate limit reached for o3. Please try again in 20s.', local(5, 13, 20, 50)],
  ['Rate limit reached. Please try again in 898ms.', local(5, 13, 20, 31)],
  ['Rate limit reached. Try again in 1m30s.', local(5, 13, 22)],
  // Claude
  ["You've hit your limit · resets 3pm", local(5, 15)],
  ["You've hit your session limit · resets 12:30am · progress saved", local(6, 0, 30)],
  ['5-hour limit reached ∙ resets 3pm', local(5, 15)],
  ["You've hit your weekly limit · resets Nov 7, 12pm", local(7, 12)],
  ['Usage limit resets at 15:30', local(5, 15, 30)],
  // Gemini and what is like it
  ['Quota exceeded, limit: 20. Please retry in 34.07s.', local(5, 13, 21, 5)],
  ['You have exhausted your capacity on this model. Your quota will reset after 1h23m45s.', local(5, 14, 45)],
  ['Quota exceeded. Suggested retry after 60s.', local(5, 13, 21, 30)],
  ['429 {"retryDelay": "34s"}', local(5, 13, 21, 4)],
  ['429 Too Many Requests, retry-after: 30', local(5, 13, 21)],
])('%s', (message, end) => {
  expect(limitEnd(failed(message), NOW)).toBe(end);
  expect(limitEnd(failed('Internal error', {detail: message}), NOW)).toBe(end);
});

test('a named zone counts, also where the clocks are changed, and an unknown one does not', () => {
  const at = utc(5, 13);
  const end = (text: string, now = at) => limitEnd(failed(`limit · resets ${text}`), now);
  expect(end('3pm (Europe/Berlin)')).toBe(utc(5, 14));
  expect(end('2pm (Europe/Berlin)')).toBe(utc(6, 13));
  expect(end('9am (America/New_York)')).toBe(utc(5, 14));
  expect(end('Nov 7, 9:30am (Asia/Kolkata)')).toBe(utc(7, 4));
  expect(end('1am (UTC)')).toBe(utc(6, 1));
  expect(end('3pm (Nowhere/Else)')).toBeUndefined();
  // New York leaves daylight saving time in the night of November 2.
  expect(end('9am (America/New_York)', utc(2, 3))).toBe(utc(2, 14));
});

test('a date without a year is the next one', () => {
  const silvester = Date.UTC(2025, 11, 30, 12);
  expect(limitEnd(failed('limit · resets Jan 2, 3pm (UTC)'), silvester)).toBe(Date.UTC(2026, 0, 2, 15));
});

test('seconds since the epoch are the same in any zone', () => {
  const message = `Claude AI usage limit reached|${utc(6, 9) / 1000}`;
  expect(limitEnd(failed(message), NOW)).toBe(utc(6, 9));
});

test.each([
  ['no limit', 'Try again at 3:05 PM.'],
  ['no time', "You've hit your limit. Try again later."],
  ['no time of day', 'limit, resets 10'],
  ['an hour that no clock has', 'limit, resets 13pm'],
  ['the past', `Claude AI usage limit reached|${NOW / 1000 - 60}`],
  ['a date that is over', 'limit, try again at Nov 4th, 2025 3:05 PM'],
  ['more than a week', 'limit, try again in 7 days 1 minute'],
  ['a day of no month', 'limit, resets Foo 7, 3pm'],
])('%s is not waited for', (_, message) => {
  expect(limitEnd(failed(message), NOW)).toBeUndefined();
});

test('what the service or the agent has reported counts before the text, as far as it can', () => {
  const message = 'limit, try again in 20s';
  expect(limitEnd(failed(message, {retrySeconds: 5}), NOW)).toBe(NOW + 5000);
  expect(limitEnd(failed('Overloaded', {retrySeconds: 5}), NOW)).toBe(NOW + 5000);
  expect(limitEnd(failed(message), NOW, local(5, 18))).toBe(local(5, 18));
  expect(limitEnd(failed(message), NOW, local(5, 12))).toBe(NOW + 20_000);
  expect(limitEnd({kind: 'interrupted'}, NOW, local(5, 18))).toBeUndefined();
});

test('of a long text only its beginning and its end are read', () => {
  const limit = 'usage limit, try again in 20s';
  const long = (text: string) => limitEnd(failed(text), NOW);
  const padding = ' again in 1'.repeat(1_000_000);
  expect(long(limit + padding)).toBe(NOW + 20_000);
  expect(long(`${'x'.repeat(1_000_000)}${limit}`)).toBe(NOW + 20_000);
  expect(long(`${'x'.repeat(3000)}${limit}${'x'.repeat(3000)}`)).toBeUndefined();
});

test('the time is shown as short as it can be', () => {
  const time = (until: number) => limitTime({since: NOW, until});
  expect(time(local(5, 15))).toBe('15:00');
  expect(time(local(5, 13, 20, 50))).toBe('13:20:50');
  expect(time(local(7, 9, 5))).toBe('Fri 09:05');
});
