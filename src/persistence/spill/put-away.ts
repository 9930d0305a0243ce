import type {SpillFile} from './spill-file.ts';

/** Where to put what. */
export interface Shelf {
  readonly spill: SpillFile;
  /** What takes less, about, in UTF-16 units, stays where it is. */
  readonly worthIt: number;
}

/**
 * Moves the values of these fields to the disk, where they are big. The object stays the same, and so do its values: whoever asks for
 * one gets it read back, and a copy of the object holds it in memory again. This is no change of a state, only of where a part
 * of it is kept: readers, what they remember by reference, and the story of the session need not know. Throws as `SpillFile.put`.
 */
export function putAway<Thing extends object>(
  thing: Thing,
  fields: readonly (keyof Thing)[],
  {spill, worthIt}: Shelf,
): void {
  for (const field of fields) {
    const value: unknown = thing[field];
    if (value !== undefined && isBig(value, worthIt))
      Object.defineProperty(thing, field, {get: readBack(value, spill)});
  }
}

function readBack(value: unknown, spill: SpillFile): () => unknown {
  const read = spill.put(value);
  // As long as somebody holds what was read, it is not read again.
  let known: WeakRef<object> | undefined;
  return () => {
    const held = known?.deref();
    if (held !== undefined) return held;
    const value = read();
    known = typeof value === 'object' && value !== null ? new WeakRef(value) : undefined;
    return value;
  };
}

/** Looks no further than is needed to say so. */
function isBig(value: unknown, worthIt: number): boolean {
  let room = worthIt;
  const open: unknown[] = [value];
  while (open.length > 0 && room > 0) {
    const next = open.pop();
    if (typeof next === 'string') room -= next.length;
    else if (typeof next === 'object' && next !== null) {
      // An object of its own takes some memory, too.
      room -= 16;
      for (const part of Object.values(next)) open.push(part);
    }
  }
  return room <= 0;
}
