import type {Fields} from './deviation.ts';

/**
 * The SDK's parsers leave out list items that they cannot parse, and replace optional fields of a wrong type by undefined.
 * Returns the name of the first field where that happened.
 */
export function lostField(raw: Fields, parsed: object): string | undefined {
  for (const [name, after] of Object.entries(parsed)) {
    const before = raw[name];
    if (before === undefined || before === null) continue;
    if (after === undefined) return name;
    if (Array.isArray(after) && after.length < (Array.isArray(before) ? before.length : 1)) return name;
  }
  return undefined;
}
