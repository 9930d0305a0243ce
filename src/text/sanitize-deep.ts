import {sanitize} from './sanitize.ts';

interface Frame {
  readonly source: Readonly<Record<string, unknown>> | readonly unknown[];
  readonly entries: [key: string, value: unknown][];
  /** The entry that is worked on; the finished child is written there. */
  next: number;
  changed: boolean;
}

export interface DeepReading {
  /** What stands under these keys stays as it is, keys included. */
  readonly keep?: ReadonlySet<string>;
  /** How a text is read that stands under a key; `sanitize` by default. */
  readonly read?: (text: string, key: string) => string;
}

/**
 * Reads every string and every object key inside a JSON value. Parts in which nothing changed keep their reference. Any
 * depth: it does not recurse. The value must not have cycles.
 */
export function sanitizeDeep<T>(value: T, {keep = new Set(), read = sanitize}: DeepReading = {}): T {
  const root: Frame = {source: [value], entries: [['0', value]], next: 0, changed: false};
  const stack = [root];
  for (let frame = stack.at(-1); frame !== undefined; frame = stack.at(-1)) {
    const entry = frame.entries[frame.next];
    if (entry === undefined) {
      stack.pop();
      const parent = stack.at(-1);
      if (parent) finish(parent, frame.changed ? rebuild(frame) : frame.source);
      continue;
    }
    const child = visit(frame, entry, {keep, read});
    if (child) stack.push(child);
    else frame.next++;
  }
  return root.entries[0]?.[1] as T;
}

/** Cleans one entry in place, or returns the frame of the container that it holds. */
function visit(
  frame: Frame,
  entry: Frame['entries'][number],
  {keep, read}: Required<DeepReading>,
): Frame | undefined {
  const [key, value] = entry;
  const isArray = Array.isArray(frame.source);
  if (!isArray) {
    if (keep.has(key)) return undefined;
    const cleanKey = read(key, '');
    if (cleanKey !== key) {
      frame.changed = true;
      entry[0] = cleanKey;
    }
  }
  if (typeof value === 'string') {
    const clean = read(value, key);
    if (clean === value) return undefined;
    frame.changed = true;
    entry[1] = clean;
    return undefined;
  }
  if (typeof value !== 'object' || value === null) return undefined;
  const source = value as Frame['source'];
  return {source, entries: Object.entries(source), next: 0, changed: false};
}

function finish(parent: Frame, value: unknown): void {
  const entry = parent.entries[parent.next++];
  if (entry === undefined || entry[1] === value) return;
  entry[1] = value;
  parent.changed = true;
}

function rebuild(frame: Frame): Frame['source'] {
  if (Array.isArray(frame.source)) return frame.entries.map(([, value]) => value);
  return Object.fromEntries(frame.entries);
}
