import {namedLabel, pastedLabel} from '../../session/content/pasted-text.ts';
import {bytes} from '../../text/format.ts';
import {sanitizeLine, stripSequences} from '../../text/sanitize.ts';
import type {Attachment} from '../../session/content/attachment.ts';
import {linesLabel, referenceTo} from './attachments.ts';

/**
 * A large paste or an attached file, represented in the draft's text by one character, so that the caret, deletion and undo treat it as a unit. The characters
 * are from the second private plane, which neither languages nor icon fonts use.
 */
export interface Paste {
  /** The text to send in place of the character; for a file, its reference. */
  readonly text: string;
  readonly lines: number;
  readonly file?: Attachment;
  /** What it is, if it was not pasted. */
  readonly name?: string;
}

/** A paste with more lines or characters becomes a placeholder. */
const MAX_LINES = 10;
const MAX_CHARACTERS = 2000;

const FIRST_PLACEHOLDER = 0x10_00_00;
const LAST_PLACEHOLDER = 0x10_ff_fd;
const placeholders = /[\u{100000}-\u{10FFFD}]/gu;

/** Counts lines, and decides whether a paste is too large to be inserted as text. */
export function measurePaste(text: string): {readonly lines: number; readonly isLarge: boolean} {
  let lines = 1;
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) lines++;
  return {lines, isLarge: lines > MAX_LINES || text.length > MAX_CHARACTERS};
}

/** Returns the placeholder character of the paste at `index`. */
export function placeholderAt(index: number): string {
  return String.fromCodePoint(Math.min(FIRST_PLACEHOLDER + index, LAST_PLACEHOLDER));
}

/** Returns the placeholders in a text, in order. */
export function placeholdersIn(text: string): readonly string[] {
  return text.match(placeholders) ?? [];
}

/** Returns the index of a placeholder's paste; undefined for any other character. */
export function placeholderIndex(character: string, pastes: readonly Paste[]): number | undefined {
  const index = (character.codePointAt(0) ?? 0) - FIRST_PLACEHOLDER;
  return index >= 0 && index < pastes.length ? index : undefined;
}

/** An attached file in a draft. */
export function attachmentChip(file: Attachment): Paste {
  return {text: referenceTo(file), lines: 1, file};
}

/** Returns the visible label of a paste or file; pastes are numbered. */
export function placeholderLabel(index: number, pastes: readonly Paste[]): string {
  const paste = pastes[index];
  if (!paste) return '';
  if (paste.file) return chipLabel(paste.file);
  if (paste.name !== undefined) return namedLabel(paste.name, paste.text);
  const isNumbered = ({file, name}: Paste) => file === undefined && name === undefined;
  return pastedLabel(pastes.slice(0, index).filter(isNumbered).length, paste.text);
}

function chipLabel({name, kind, size, lines}: Attachment): string {
  const part = lines && `${lines.first === lines.last ? 'line' : 'lines'} ${linesLabel(lines)}`;
  const what = kind === 'file' ? undefined : kind;
  const facts = [what, part ?? (size === undefined ? undefined : bytes(size))].filter(Boolean);
  return `[${[sanitizeLine(name), ...facts].join(', ')}]`;
}

/** Replaces each placeholder by its text. */
export function resolvePastes(text: string, pastes: readonly Paste[]): string {
  if (pastes.length === 0) return text;
  return text.replace(placeholders, (character) => {
    const index = placeholderIndex(character, pastes);
    return index === undefined ? character : (pastes[index]?.text ?? character);
  });
}

/** Cleans input for a draft: normalizes line ends to `\n`, and removes control characters, escape sequences and placeholder characters. */
export function cleanInput(text: string): string {
  // Fast path: nearly every key press is one plain character.
  if (/^[\x20-\x7e\n]*$/.test(text)) return text;
  return stripSequences(text)
    .replace(/\r\n?/g, '\n')
    .replace(/[\0-\x08\x0b-\x1f\x7f-\x9f]/g, '')
    .replace(placeholders, '\u{FFFD}')
    .toWellFormed();
}
