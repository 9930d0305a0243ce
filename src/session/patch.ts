/** The protocol's patch: what is omitted stays, null clears, a value replaces. */
export function patch<Value>(
  current: Value | undefined,
  change: Value | null | undefined,
): Value | undefined {
  if (change === undefined) return current;
  return change ?? undefined;
}
