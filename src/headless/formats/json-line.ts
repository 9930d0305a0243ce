/**
 * A value as one line of JSON that is safe to print: JSON escapes the C0 controls by itself; the C1 controls, line and
 * paragraph separators and bidirectional controls are escaped here, which changes nothing for whoever parses it.
 */
export function jsonLine(value: unknown): string {
  return `${escapeControls(JSON.stringify(value))}\n`;
}

/** Escapes what a terminal could act on inside JSON text. */
export function escapeControls(json: string): string {
  return json.replace(/[\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g, escape);
}

function escape(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}
