import type {Attachment} from '../../session/content/attachment.ts';
import {change} from './change.ts';
import {emptyDraft, type Draft, draftParts, draftText, draftAfterSending, type PromptParts} from './draft.ts';
import {
  attachmentChip,
  cleanInput,
  measurePaste,
  placeholderAt,
  placeholderIndex,
  type Paste,
  resolvePastes,
} from './pastes.ts';

/** Inserts typed text at the caret. */
export function insertText(draft: Draft, text: string): Draft {
  const insert = cleanInput(text);
  if (insert === '') return draft;
  return change(draft, {
    from: draft.caret,
    to: draft.caret,
    insert,
    as: insert.includes('\n') ? 'other' : 'typing',
  });
}

/** Inserts a paste at the caret, as one undo step; a large one as a placeholder. */
export function insertPaste(draft: Draft, pasted: string): Draft {
  const text = cleanInput(pasted);
  if (text === '') return draft;
  const {lines, isLarge} = measurePaste(text);
  const {caret} = draft;
  if (!isLarge) return change(draft, {from: caret, to: caret, insert: text});
  const insert = placeholderAt(draft.pastes.length);
  return {
    ...change(draft, {from: caret, to: caret, insert}),
    pastes: [...draft.pastes, {text, lines}],
  };
}

/** Puts a text in front of the draft, as a placeholder with its name. */
export function prependNamed(
  draft: Draft,
  {name, text}: {readonly name: string; readonly text: string},
): Draft {
  const cleaned = cleanInput(text);
  const insert = `${placeholderAt(draft.pastes.length)} `;
  const paste = {text: cleaned, lines: measurePaste(cleaned).lines, name};
  return {...change(draft, {from: 0, to: 0, insert}), pastes: [...draft.pastes, paste]};
}

/** Replaces the placeholder nearest to the caret by the pasted text. */
export function expandPaste(draft: Draft): Draft {
  let nearest: {readonly from: number; readonly to: number; readonly insert: string} | undefined;
  let distance = Infinity;
  let offset = 0;
  for (const character of draft.text) {
    const from = offset;
    offset += character.length;
    const insert = draft.pastes[placeholderIndex(character, draft.pastes) ?? -1]?.text;
    const away = draft.caret <= from ? from - draft.caret : draft.caret - offset;
    if (insert === undefined || away >= distance) continue;
    distance = away;
    nearest = {from, to: offset, insert};
  }
  return nearest ? change(draft, nearest) : draft;
}

/** Deletes everything; can be undone. */
export function clearDraft(draft: Draft): Draft {
  if (draft.text === '') return draft;
  return change(draft, {from: 0, to: draft.text.length, insert: '', browsing: undefined});
}

/** Puts a text, such as a queued prompt, in front of the draft, with the caret at its end. Its large pastes and references to files become units again. */
export function prependToDraft(
  draft: Draft,
  text: string,
  {files = [], pastes = []}: PromptParts = {},
): Draft {
  const cleaned = cleanInput(text);
  if (cleaned === '') return draft;
  const large = pastes.map((paste) => ({...paste, lines: measurePaste(paste.text).lines}));
  // What a paste has in it is no reference.
  const folded = withUnits({taken: cleaned, pastes: draft.pastes}, large);
  const {taken, pastes: units} = withUnits(folded, files.map(attachmentChip));
  const insert = draft.text === '' ? taken : `${taken}\n${draft.text}`;
  const changed = change(draft, {
    from: 0,
    to: draft.text.length,
    insert,
    caret: taken.length,
    browsing: undefined,
  });
  return {...changed, pastes: units};
}

/** Puts all of another draft in front of the draft. */
export function prependDraft(draft: Draft, other: Draft): Draft {
  return prependToDraft(draft, draftText(other), draftParts(other));
}

/** Returns the draft with an earlier run's text in front of the current one; alone, it cannot be undone. */
export function restoreText(draft: Draft, text: string, files?: readonly Attachment[]): Draft {
  const taken = prependToDraft(draft, text, {files});
  return draft.text === ''
    ? {...emptyDraft, text: taken.text, caret: taken.caret, pastes: taken.pastes}
    : taken;
}

/** Replaces part of the text with files, followed by a space if there is none. */
export function insertFiles(
  draft: Draft,
  files: readonly Attachment[],
  {from, to}: {readonly from: number; readonly to: number},
): Draft {
  const chips = files.map((_file, index) => placeholderAt(draft.pastes.length + index)).join(' ');
  const insert = /\s/.test(draft.text.charAt(to)) ? chips : `${chips} `;
  return {...change(draft, {from, to, insert}), pastes: [...draft.pastes, ...files.map(attachmentChip)]};
}

/** Returns the draft with updated properties of its files; the same draft if nothing changed. */
export function updateFiles(draft: Draft, seen: readonly Attachment[]): Draft {
  const facts = new Map(seen.map((file) => [file.path, file]));
  if (!draft.pastes.some(({file}) => file && facts.has(file.path))) return draft;
  const pastes = draft.pastes.map((paste) => {
    const found = paste.file && facts.get(paste.file.path);
    return paste.file && found
      ? {...paste, file: {...paste.file, kind: found.kind, size: found.size}}
      : paste;
  });
  return {...draft, pastes};
}

interface TextWithUnits {
  readonly taken: string;
  /** What its placeholders stand for. */
  readonly pastes: readonly Paste[];
}

/** Replaces the texts of units by placeholders, each once and in order. */
function withUnits({taken: text, pastes}: TextWithUnits, units: readonly Paste[]): TextWithUnits {
  const found: Paste[] = [];
  let taken = '';
  let copied = 0;
  for (const unit of units) {
    const from = text.indexOf(unit.text, copied);
    if (from === -1) continue;
    taken += text.slice(copied, from) + placeholderAt(pastes.length + found.length);
    found.push(unit);
    copied = from + unit.text.length;
  }
  return {taken: taken + text.slice(copied), pastes: [...pastes, ...found]};
}

/**
 * Replaces the draft's text by that of an editor or a command, as one undo step. Unchanged pastes stay placeholders. If the draft has changed since, the text
 * is put in front of it, so that neither is lost.
 */
export function replaceText(
  draft: Draft,
  {before, after}: {readonly before: string; readonly after: string},
): Draft {
  if (draftText(draft) !== before) return prependToDraft(draft, after, draftParts(draft));
  const text = withPlaceholders(cleanInput(after), draft);
  if (text === draft.text) return draft;
  return change(draft, {from: 0, to: draft.text.length, insert: text, browsing: undefined});
}

/** Replaces the text of each paste by its placeholder. */
function withPlaceholders(text: string, {text: old, pastes}: Draft): string {
  let result = text;
  for (const [index, paste] of pastes.entries()) {
    const placeholder = placeholderAt(index);
    if (!old.includes(placeholder)) continue;
    // A function, since `$` is special in a replacement string.
    result = result.replace(resolvePastes(paste.text, pastes), () => placeholder);
  }
  return result;
}

/** The meaning of Enter for a draft. */
export type EnterMeaning =
  | {readonly kind: 'send'; readonly text: string; readonly draft: Draft}
  /** A line break replaced the backslash before the caret. */
  | {readonly kind: 'new_line'; readonly draft: Draft}
  /** Only blanks. */
  | {readonly kind: 'nothing'};

/** Decides between sending and a new line; `draft` is the resulting draft, `text` the text to send. */
export function pressEnter(draft: Draft): EnterMeaning {
  const {caret} = draft;
  if (draft.text.charAt(caret - 1) === '\\')
    return {kind: 'new_line', draft: change(draft, {from: caret - 1, to: caret, insert: '\n'})};
  const text = draftText(draft);
  return text.trim() === '' ? {kind: 'nothing'} : {kind: 'send', text, draft: draftAfterSending(draft)};
}
