import {stripSequences} from '../../text/sanitize.ts';

/**
 * A large paste stands in the draft's text as one character, so that the caret, deletion and undo treat it as one unit without knowing
 * of it. The characters come from the second private plane, which neither languages nor icon fonts use.
 */
export interface Paste {
  readonly text: string;
  readonly lines: number;
}

/** A paste of more lines or characters than this becomes a placeholder. */
const MOST_LINES = 10;
const MOST_CHARACTERS = 2000;

const FIRST_PLACEHOLDER = 0x10_00_00;
const LAST_PLACEHOLDER = 0x10_ff_fd;
const placeholders = /[\u{100000}-\u{10FFFD}]/gu;

/** Counts lines, and says whether a pasted text is too large to stand in the draft as it is. */
export function measurePaste(text: string): {readonly lines: number; readonly isLarge: boolean} {
  let lines = 1;
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) lines++;
  return {lines, isLarge: lines > MOST_LINES || text.length > MOST_CHARACTERS};
}

/** The character that stands for the paste at `index`. */
export function placeholderAt(index: number): string {
  return String.fromCodePoint(Math.min(FIRST_PLACEHOLDER + index, LAST_PLACEHOLDER));
}

/** The paste's index for a character of the text; undefined for any other character. */
export function placeholderIndex(character: string, pastes: readonly Paste[]): number | undefined {
  const index = (character.codePointAt(0) ?? 0) - FIRST_PLACEHOLDER;
  return index >= 0 && index < pastes.length ? index : undefined;
}

/** What the user sees of a paste. */
export function placeholderLabel(index: number, paste: Paste): string {
  const size = paste.lines > 1 ? `${paste.lines} lines` : `${paste.text.length} characters`;
  return `[Pasted text #${index + 1}, ${size}]`;
}

/** Replaces each placeholder by what was pasted. */
export function resolvePastes(text: string, pastes: readonly Paste[]): string {
  if (pastes.length === 0) return text;
  return text.replace(placeholders, (character) => {
    const index = placeholderIndex(character, pastes);
    return index === undefined ? character : (pastes[index]?.text ?? character);
  });
}

/**
 * Makes text fit to stand in a draft: line ends become `\n`, control characters and escape sequences go, and so does
 * what would look like a placeholder.
 */
export function cleanInput(text: string): string {
  // Nearly every key press is one plain character.
  if (/^[\x20-\x7e\n]*$/.test(text)) return text;
  return stripSequences(text)
    .replace(/\r\n?/g, '\n')
    .replace(/[\0-\x08\x0b-\x1f\x7f-\x9f]/g, '')
    .replace(placeholders, '\u{FFFD}')
    .toWellFormed();
}
