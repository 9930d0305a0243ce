/** Deeper than this nothing is read, and a hostile depth would exhaust the stack of whoever walks it (`JSON.stringify`). */
const DEEPEST = 100;

/** Replaces what is nested too deeply by "…". Parts in which nothing changed keep their reference. */
export function cutDepth<T>(value: T): T {
  return cut(value, 0) as T;
}

function cut(value: unknown, depth: number): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (depth === DEEPEST) return '…';
  if (Array.isArray(value)) {
    const items = value.map((item) => cut(item, depth + 1));
    return items.every((item, index) => item === value[index]) ? value : items;
  }
  const fields = Object.entries(value).map(([key, field]) => [key, cut(field, depth + 1)] as const);
  const same = fields.every(([key, field]) => field === (value as Record<string, unknown>)[key]);
  return same ? value : Object.fromEntries(fields);
}
