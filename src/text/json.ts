/** What JSON leaves as it is, and a terminal takes for more than text: C1 controls, and marks that turn its order round. */
const DECEIVING = /[\x7f-\x9f\u200e\u200f\u2028-\u202e\u2066-\u2069]/g;

/** A value as JSON that can also be printed on a terminal: what could control that is escaped. */
export function jsonText(value: unknown, indent: number): string {
  return JSON.stringify(value, undefined, indent).replaceAll(
    DECEIVING,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/** Parses a JSON text; undefined if it is invalid. */
export function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
