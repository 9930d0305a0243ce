import type {Log} from '../transport.ts';
import {isJsonObject, type JsonObject} from '../../text/json.ts';

/** A way in which agents deviate from the protocol, and its correction. Pure; `correct` returns the same object if nothing needs correction. */
export interface Deviation {
  /** For the log. */
  readonly name: string;
  readonly fix: (fields: JsonObject) => JsonObject;
}

/** Maps a list; returns the same list when no item changed. */
export function mapItems(
  list: readonly unknown[],
  normalize: (item: unknown) => unknown,
): readonly unknown[] {
  const corrected = list.map(normalize);
  return corrected.some((item, index) => item !== list[index]) ? corrected : list;
}

/** The SDK's parsers drop list items that they cannot parse, and optional fields of a wrong type. Returns the name of the first field where that happened. */
export function lostField(raw: JsonObject, parsed: object): string | undefined {
  for (const [name, after] of Object.entries(parsed)) {
    const before = raw[name];
    if (before === undefined || before === null) continue;
    if (after === undefined) return name;
    if (Array.isArray(after) && after.length < (Array.isArray(before) ? before.length : 1)) return name;
  }
  return undefined;
}

/** Applies deviations to a value; a value that is not an object, or needs no correction, is returned unchanged. */
export type Normalizer = (value: unknown, deviations: readonly Deviation[] | undefined) => unknown;

/** Creates the normalizer of a connection; it logs each deviation once. */
export function createNormalizer(log: Log): Normalizer {
  const reported = new Set<string>();
  return (value, deviations) =>
    normalizeWith(value, deviations, (name) => {
      if (reported.has(name)) return;
      reported.add(name);
      log('info', `corrected a protocol deviation of the agent: ${name}`);
    });
}

/** Applies all deviations, and reports the name of each one that corrected something. */
export function normalizeWith(
  value: unknown,
  deviations: readonly Deviation[] | undefined,
  corrected: (name: string) => void,
): unknown {
  if (deviations === undefined || !isJsonObject(value)) return value;
  let fields = value;
  for (const {name, fix: normalize} of deviations) {
    const after = normalize(fields);
    if (after !== fields) corrected(name);
    fields = after;
  }
  return fields;
}
