import type * as acp from '@agentclientprotocol/sdk/unstable';

/** True for counts that say something: an agent that does not know them may send zeros. */
export function isCounted({totalTokens, inputTokens, outputTokens}: acp.Usage): boolean {
  return totalTokens > 0 || inputTokens > 0 || outputTokens > 0;
}

/**
 * The usage of a turn, from counts that go on over the whole session; undefined where those before it are not known, or were more.
 * `before` is null for a session that has used nothing.
 */
export function usageSince(before: acp.Usage | null | undefined, now: acp.Usage): acp.Usage | undefined {
  if (before === undefined) return undefined;
  const usage: acp.Usage = {
    totalTokens: now.totalTokens - (before?.totalTokens ?? 0),
    inputTokens: now.inputTokens - (before?.inputTokens ?? 0),
    outputTokens: now.outputTokens - (before?.outputTokens ?? 0),
  };
  for (const name of ['thoughtTokens', 'cachedReadTokens', 'cachedWriteTokens'] as const) {
    const count = now[name];
    if (typeof count === 'number') usage[name] = count - (before?.[name] ?? 0);
  }
  return Object.values(usage).some((count) => typeof count === 'number' && count < 0) ? undefined : usage;
}
