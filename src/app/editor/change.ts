import type {Draft} from './draft.ts';
import {edgeAtOrAfter} from './graphemes.ts';
import type {HistoryBrowsing, DraftChange} from './undo-step.ts';

/** Maximum number of undo steps. */
const UNDO_STEPS = 500;

/** Replaces the text between two offsets of the draft with `insert`. */
interface Replacement {
  readonly from: number;
  readonly to: number;
  readonly insert: string;
  /** The new caret position; defaults to the end of the inserted text. */
  readonly caret?: number;
  /** The kind of change: consecutive typing and erasing share an undo step. */
  readonly as?: Draft['last'];
  /** The new position in the history, if it changes. */
  readonly browsing?: HistoryBrowsing | undefined;
}

/** The only function that changes a draft's text, so that every change can be undone. */
export function change(draft: Draft, replacement: Replacement): Draft {
  const {from, to, insert, as = 'other'} = replacement;
  const text = draft.text.slice(0, from) + insert + draft.text.slice(to);
  const caret = edgeAtOrAfter(text, replacement.caret ?? from + insert.length);
  const made: DraftChange = {
    at: from,
    removed: draft.text.slice(from, to),
    inserted: insert,
    caretBefore: draft.caret,
    caretAfter: caret,
    ...('browsing' in replacement && {browsing: {before: draft.browsing, after: replacement.browsing}}),
  };
  return {
    ...draft,
    text,
    caret,
    undo: record(draft, made, as),
    redo: [],
    last: as,
    yanked: undefined,
    goalColumn: undefined,
    sentAnyway: false,
    browsing: 'browsing' in replacement ? replacement.browsing : draft.browsing,
  };
}

function record(draft: Draft, made: DraftChange, as: Draft['last']): readonly DraftChange[] {
  const before = draft.undo.at(-1);
  const joined = before && draft.last === as && before.caretAfter === draft.caret && join(before, made, as);
  if (joined) return [...draft.undo.slice(0, -1), joined];
  return [...draft.undo.slice(-UNDO_STEPS + 1), made];
}

/** Consecutive typing within a word, or erasing, is one undo step. */
function join(before: DraftChange, made: DraftChange, as: Draft['last']): DraftChange | undefined {
  const ends = {caretBefore: before.caretBefore, caretAfter: made.caretAfter};
  if (as === 'typing' && made.removed === '' && made.at === before.at + before.inserted.length) {
    const startsWord = /\s$/.test(before.inserted) && /^\S/.test(made.inserted);
    return startsWord ? undefined : {...before, ...ends, inserted: before.inserted + made.inserted};
  }
  if (as === 'erasing' && before.inserted === '' && made.at + made.removed.length === before.at)
    return {...before, ...ends, at: made.at, removed: made.removed + before.removed};
  return undefined;
}

/** Undoes the last change. */
export function undo(draft: Draft): Draft {
  const last = draft.undo.at(-1);
  if (!last) return draft;
  return {
    ...draft,
    text: splice(draft.text, last.at, {length: last.inserted.length, insert: last.removed}),
    caret: last.caretBefore,
    undo: draft.undo.slice(0, -1),
    redo: [...draft.redo, last],
    ...settled,
    sentAnyway: false,
    browsing: last.browsing ? last.browsing.before : draft.browsing,
  };
}

/** Redoes the change that was undone last. */
export function redo(draft: Draft): Draft {
  const last = draft.redo.at(-1);
  if (!last) return draft;
  return {
    ...draft,
    text: splice(draft.text, last.at, {length: last.removed.length, insert: last.inserted}),
    caret: last.caretAfter,
    undo: [...draft.undo, last],
    redo: draft.redo.slice(0, -1),
    ...settled,
    sentAnyway: false,
    browsing: last.browsing ? last.browsing.after : draft.browsing,
  };
}

/** What every action resets, except typing, erasing, killing, yanking and moving up or down. */
const settled = {last: 'other', yanked: undefined, goalColumn: undefined} as const;

/** Moves the caret to an edge of the text. */
export function moveTo(draft: Draft, caret: number): Draft {
  const isSettled = draft.last === 'other' && draft.goalColumn === undefined;
  return caret === draft.caret && isSettled ? draft : {...draft, ...settled, caret};
}

function splice(text: string, at: number, piece: {readonly length: number; readonly insert: string}): string {
  return text.slice(0, at) + piece.insert + text.slice(at + piece.length);
}
