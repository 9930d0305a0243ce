import {change, moveTo, redo, undo} from './change.ts';
import type {Draft} from './draft.ts';
import {
  nextEdge,
  previousEdge,
  lineEnd,
  lineStart,
  nextWord,
  previousBlank,
  previousWord,
} from './graphemes.ts';
import {emptyHistory, type History, historyEntries} from './history.ts';
import {expandPaste, insertText} from './insert.ts';
import {layoutDraft, offsetAt} from './layout.ts';
import type {HistoryBrowsing} from './undo-step.ts';
import type {Action} from '../keymap/keymap.ts';

/** Width and history, for ↑ and ↓. */
export interface EditOptions {
  /** The displayed width of the draft; without it rows are lines. */
  readonly columns?: number;
  readonly history?: History;
}

/** Applies an action to the draft; returns the same draft if it has no effect. */
export function editDraft(draft: Draft, action: EditAction, options: EditOptions = {}): Draft {
  return edits[action](draft, options);
}

/** The actions that change the draft. */
const edits = {
  new_line: (draft) => insertText(draft, '\n'),
  move_left: (draft) => moveTo(draft, previousEdge(draft.text, draft.caret)),
  move_right: (draft) => moveTo(draft, nextEdge(draft.text, draft.caret)),
  move_word_left: (draft) => moveTo(draft, previousWord(draft.text, draft.caret)),
  move_word_right: (draft) => moveTo(draft, nextWord(draft.text, draft.caret)),
  move_line_start: (draft) => moveTo(draft, lineStart(draft.text, draft.caret)),
  move_line_end: (draft) => moveTo(draft, lineEnd(draft.text, draft.caret)),
  move_row_start: (draft, options) => moveInRow(draft, 'start', options),
  move_row_end: (draft, options) => moveInRow(draft, 'end', options),
  move_start: (draft) => moveTo(draft, 0),
  move_end: (draft) => moveTo(draft, draft.text.length),
  up_or_earlier: (draft, options) => moveRow(draft, -1, options) ?? earlier(draft, options),
  down_or_later: (draft, options) =>
    moveRow(draft, 1, options) ?? browseHistory(draft, options.history ?? emptyHistory, 'later') ?? draft,
  delete_backward: (draft) =>
    draft.caret === 0
      ? draft
      : change(draft, {
          from: previousEdge(draft.text, draft.caret),
          to: draft.caret,
          insert: '',
          as: 'erasing',
        }),
  delete_forward: (draft) =>
    draft.caret === draft.text.length
      ? draft
      : change(draft, {from: draft.caret, to: nextEdge(draft.text, draft.caret), insert: ''}),
  kill_word_backward: (draft) => killTo(draft, previousWord(draft.text, draft.caret)),
  kill_blank_word_backward: (draft) => killTo(draft, previousBlank(draft.text, draft.caret)),
  kill_word_forward: (draft) => killTo(draft, nextWord(draft.text, draft.caret)),
  kill_to_line_start: (draft) => killTo(draft, lineStart(draft.text, draft.caret)),
  kill_to_line_end: (draft) => {
    const end = lineEnd(draft.text, draft.caret);
    return killTo(draft, end === draft.caret ? nextEdge(draft.text, end) : end);
  },
  transpose_characters: transposeCharacters,
  transpose_words: transposeWords,
  yank,
  yank_earlier: yankEarlier,
  undo,
  redo,
  expand_paste: expandPaste,
} satisfies Partial<Record<Action, (draft: Draft, options: EditOptions) => Draft>>;

export type EditAction = keyof typeof edits;

/** True if an action of the keymap edits the draft. */
export function isEditAction(action: string): action is EditAction {
  return Object.hasOwn(edits, action);
}

/** Moves to the edge of the displayed row; at that edge already, to the edge of the line. */
function moveInRow(draft: Draft, edge: 'start' | 'end', {columns = Infinity}: EditOptions): Draft {
  const {rows, caret} = layoutDraft(draft, columns);
  const row = rows[caret.row];
  const ofLine = edge === 'start' ? lineStart(draft.text, draft.caret) : lineEnd(draft.text, draft.caret);
  if (!row) return moveTo(draft, ofLine);
  const ofRow = edge === 'start' ? row.from : offsetAt(draft, row, {column: Infinity, columns});
  return moveTo(draft, ofRow === draft.caret ? ofLine : ofRow);
}

/** Moves a row up or down, keeping the column; undefined at the edge. */
function moveRow(draft: Draft, by: number, options: EditOptions): Draft | undefined {
  const {columns = Infinity} = options;
  const {rows, caret} = layoutDraft(draft, columns);
  const row = rows[caret.row + by];
  if (!row) return undefined;
  const column = draft.goalColumn ?? caret.column;
  return {...moveTo(draft, offsetAt(draft, row, {column, columns})), goalColumn: column};
}

/** Recalls the previous prompt with the caret in its first row: ↑ continues to the one before, ↓ moves into its lines. */
function earlier(draft: Draft, options: EditOptions): Draft {
  const {history = emptyHistory, columns = Infinity} = options;
  const found = browseHistory(draft, history, 'earlier');
  const row = found && layoutDraft(found, columns).rows[0];
  return row ? {...found, caret: offsetAt(found, row, {column: Infinity, columns})} : draft;
}

/** Steps through the history. Typed text and edits of entries are kept, and restored when their position is reached again. Undefined at either end. */
function browseHistory(draft: Draft, history: History, direction: 'earlier' | 'later'): Draft | undefined {
  const entries = historyEntries(history);
  const here: HistoryBrowsing = draft.browsing ?? {position: -1, kept: {}};
  const position = here.position + (direction === 'earlier' ? 1 : -1);
  if (position < -1 || position >= entries.length) return undefined;
  const isOwn = here.position === -1 || draft.text !== entries.at(-1 - here.position);
  const kept = isOwn ? {...here.kept, [here.position]: {text: draft.text, caret: draft.caret}} : here.kept;
  const entry = entries.at(-1 - position) ?? '';
  const target = kept[position] ?? {text: entry, caret: entry.length};
  return change(draft, {
    from: 0,
    to: draft.text.length,
    insert: target.text,
    caret: target.caret,
    browsing: {position, kept},
  });
}

const KILLS_KEPT = 30;

/** Kills up to an edge before or after the caret; consecutive kills are joined. */
function killTo(draft: Draft, edge: number): Draft {
  if (edge === draft.caret) return draft;
  const from = Math.min(edge, draft.caret);
  const to = Math.max(edge, draft.caret);
  const killed = draft.text.slice(from, to);
  const gathering = draft.last === 'killing' ? draft.killRing.at(-1) : undefined;
  const kill =
    gathering === undefined ? killed : edge < draft.caret ? killed + gathering : gathering + killed;
  const others = gathering === undefined ? draft.killRing : draft.killRing.slice(0, -1);
  return {
    ...change(draft, {from, to, insert: '', as: 'killing'}),
    killRing: [...others, kill].slice(-KILLS_KEPT),
  };
}

/** Inserts the last killed text. */
function yank(draft: Draft): Draft {
  return yankAt(draft, {from: draft.caret, to: draft.caret, index: 0});
}

/** Right after a yank: replaces it by the previous kill. */
function yankEarlier(draft: Draft): Draft {
  if (draft.last !== 'yanking' || !draft.yanked) return draft;
  const index = (draft.yanked.index + 1) % draft.killRing.length;
  return yankAt(draft, {...draft.yanked, index});
}

function yankAt(draft: Draft, place: NonNullable<Draft['yanked']>): Draft {
  const insert = draft.killRing.at(-1 - place.index);
  if (insert === undefined) return draft;
  const yanked = {from: place.from, to: place.from + insert.length, index: place.index};
  return {...change(draft, {...place, insert, as: 'yanking'}), yanked};
}

/** Swaps the characters around the caret (at the end of a line, the two before it), and moves after them. */
function transposeCharacters(draft: Draft): Draft {
  const {text, caret} = draft;
  const middle = caret === lineEnd(text, caret) ? previousEdge(text, caret) : caret;
  const from = previousEdge(text, middle);
  const to = nextEdge(text, middle);
  if (from < lineStart(text, caret) || from === middle || to > lineEnd(text, caret)) return draft;
  return change(draft, {from, to, insert: text.slice(middle, to) + text.slice(from, middle)});
}

/** Swaps the word at or after the caret with the one before it, and moves after both. */
function transposeWords(draft: Draft): Draft {
  const {text, caret} = draft;
  const ahead = nextWord(text, caret);
  const isLast = !/[\p{L}\p{N}_]/u.test(text.slice(caret, ahead));
  const end = isLast ? nextWord(text, previousWord(text, caret)) : ahead;
  const start = previousWord(text, end);
  const from = previousWord(text, start);
  const to = nextWord(text, from);
  if (from >= start || to > start) return draft;
  return change(draft, {
    from,
    to: end,
    insert: text.slice(start, end) + text.slice(to, start) + text.slice(from, to),
  });
}
