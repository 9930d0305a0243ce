/** A JSON object that nobody has checked yet. */
export type Fields = Readonly<Record<string, unknown>>;

/**
 * One way in which agents differ from the protocol, and what they mean by it. Pure; `mend` returns the same object when
 * there is nothing to mend.
 */
export interface Deviation {
  /** For the log. */
  readonly name: string;
  readonly mend: (fields: Fields) => Fields;
}

export function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Maps a list; returns the same list when no item changed. */
export function mapItems(list: readonly unknown[], mend: (item: unknown) => unknown): readonly unknown[] {
  const mended = list.map(mend);
  return mended.some((item, index) => item !== list[index]) ? mended : list;
}
