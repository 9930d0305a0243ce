import type {PastedText} from '../../session/content/pasted-text.ts';
import type {Attachment} from '../../session/content/attachment.ts';
import {placeholderIndex, placeholdersIn, resolvePastes, type Paste} from './pastes.ts';
import {initialVim, type VimState} from '../vim/vim-state.ts';
import type {HistoryBrowsing, DraftChange} from './undo-step.ts';

/** The draft being typed, as immutable data; `edit.ts` and its neighbors return new ones. */
export interface Draft {
  /** The edited text, in which a large paste is one character, see pastes.ts. Never send this; send `draftText`. */
  readonly text: string;
  /** Offset in `text` in UTF-16 units, always on the edge of a grapheme cluster. */
  readonly caret: number;
  /** Large pastes and attached files that are placeholders in `text`. Never shrinks, so that undo can restore one. */
  readonly pastes: readonly Paste[];
  /** Undo steps, newest last; then redo steps. */
  readonly undo: readonly DraftChange[];
  readonly redo: readonly DraftChange[];
  /** Killed texts, newest last. */
  readonly killRing: readonly string[];
  /** The kind of the last action: consecutive typing shares an undo step, consecutive kills one kill. */
  readonly last: 'typing' | 'erasing' | 'killing' | 'yanking' | 'other';
  /** The range of the last yank; `index` counts from the newest kill. */
  readonly yanked: {readonly from: number; readonly to: number; readonly index: number} | undefined;
  /** The column that ↑ and ↓ return to after shorter rows. */
  readonly goalColumn: number | undefined;
  /** The draft's position in the history; undefined if it is the user's own text. */
  readonly browsing: HistoryBrowsing | undefined;
  readonly vim: VimState;
  /** True after the warning about an unknown command, until the text changes. */
  readonly sentAnyway?: boolean;
}

export const emptyDraft: Draft = {
  text: '',
  caret: 0,
  pastes: [],
  undo: [],
  redo: [],
  killRing: [],
  last: 'other',
  yanked: undefined,
  goalColumn: undefined,
  browsing: undefined,
  vim: initialVim,
};

/** Returns a draft with this text and the caret at its end, for a draft from a journal or the queue. */
export function draftOf(text: string): Draft {
  return {...emptyDraft, text, caret: text.length};
}

/** Returns the text to send: every placeholder replaced by its paste. */
export function draftText(draft: Draft): string {
  return resolvePastes(draft.text, draft.pastes);
}

/** Returns the large pastes in the draft, and what has a name, in order. */
export function draftPastes({text, pastes}: Draft): readonly PastedText[] {
  return placeholdersIn(text).flatMap((character) => {
    const paste = pastes[placeholderIndex(character, pastes) ?? -1];
    if (!paste || paste.file !== undefined) return [];
    const {text: pasted, name} = paste;
    return [{text: pasted, ...(name !== undefined && {name})}];
  });
}

/** Returns the attached files in text order, each once. */
export function draftFiles({text, pastes}: Draft): readonly Attachment[] {
  if (pastes.every(({file}) => file === undefined)) return [];
  const files = new Map<string, Attachment>();
  for (const character of placeholdersIn(text)) {
    const paste = pastes[placeholderIndex(character, pastes) ?? -1];
    if (paste?.file) files.set(paste.text, paste.file);
  }
  return [...files.values()];
}

/** What a text of the user has in it besides words. */
export interface PromptParts {
  readonly files?: readonly Attachment[] | undefined;
  readonly pastes?: readonly PastedText[] | undefined;
}

export function draftParts(draft: Draft) {
  return {files: draftFiles(draft), pastes: draftPastes(draft)} satisfies PromptParts;
}

/** True if nothing is typed; blanks count as typed. */
export function isEmpty(draft: Draft): boolean {
  return draft.text === '';
}

/** Returns the empty draft after sending: the kill ring and vim's repeat are kept. */
export function draftAfterSending({killRing, pastes, vim}: Draft): Draft {
  const {characterSearch: sought, repeatable, register} = vim;
  const resolved = {...register, text: resolvePastes(register.text, pastes)};
  return {
    ...emptyDraft,
    killRing: killRing.map((kill) => resolvePastes(kill, pastes)),
    vim: {...initialVim, characterSearch: sought, repeatable, register: resolved},
  };
}
