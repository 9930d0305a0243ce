import {describe, expect, it} from 'vitest';
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
