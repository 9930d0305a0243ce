import {describe, expect, it} from 'vitest';
import {entriesOf, opened, reduceUpdates} from '../../../support/session/build.ts';
import {usageSince} from '../../../../src/session/transcript/turns.ts';

describe('the usage of a turn, if the agent counts over the session', () => {
  const first = {totalTokens: 30, inputTokens: 20, outputTokens: 10, cachedReadTokens: 5};
  const second = {totalTokens: 75, inputTokens: 50, outputTokens: 25, cachedReadTokens: 5};

  it('is what it added', () => {
    expect(usageSince(null, first)).toEqual(first);
    expect(usageSince(first, second)).toEqual({
      totalTokens: 45,
      inputTokens: 30,
      outputTokens: 15,
      cachedReadTokens: 0,
    });
  });

  it('is unknown after an uncounted start, or if the counts started over', () => {
    expect(usageSince(undefined, second)).toBeUndefined();
    expect(usageSince(second, first)).toBeUndefined();
  });
});

it('of the context window is said at 75, 90 and 95 percent, each once', () => {
  const used = (percent: number) => ({sessionUpdate: 'usage_update' as const, used: percent, size: 100});
  const full = reduceUpdates(opened, ...[50, 76, 80, 96, 97, 10, 91].map(used));
  expect(entriesOf(full, 'notice').map(({level, text}) => `${level}: ${text}`)).toEqual([
    'info: The context window is 76% full.',
    'warning: The context window is 96% full.',
    'warning: The context window is 91% full.',
  ]);
});
