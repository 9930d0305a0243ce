import {emptyHistory, type History} from '../history.ts';
import type {EditAction} from '../edit-actions.ts';
import {browseHistory} from './browse.ts';
import {change, moveTo, redo, undo} from './change.ts';
import type {Draft} from './draft.ts';
import {nextEdge, previousEdge} from './graphemes.ts';
import {expandPaste, insertText} from './insert.ts';
import {killTo, yank, yankEarlier} from './kill.ts';
import {layoutDraft, offsetAt} from './layout.ts';
import {lineEnd, lineStart} from './lines.ts';
import {transposeCharacters, transposeWords} from './transpose.ts';
import {nextWord, previousBlank, previousWord} from './words.ts';

/** What ↑ and ↓ need to know. */
export interface EditOptions {
  /** The width that the draft is shown in; without it rows are lines. */
  readonly columns?: number;
  readonly history?: History;
}

/** Does one action to the draft; the same draft when there is nothing to do. */
export function editDraft(draft: Draft, action: EditAction, options: EditOptions = {}): Draft {
  return edits[action](draft, options);
}

const edits: Readonly<Record<EditAction, (draft: Draft, options: EditOptions) => Draft>> = {
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
};

/** To an edge of the row as it is shown, and from there on to that of the line. */
function moveInRow(draft: Draft, edge: 'start' | 'end', {columns = Infinity}: EditOptions): Draft {
  const {rows, caret} = layoutDraft(draft, columns);
  const row = rows[caret.row];
  const ofLine = edge === 'start' ? lineStart(draft.text, draft.caret) : lineEnd(draft.text, draft.caret);
  if (!row) return moveTo(draft, ofLine);
  const ofRow = edge === 'start' ? row.from : offsetAt(draft, row, {column: Infinity, columns});
  return moveTo(draft, ofRow === draft.caret ? ofLine : ofRow);
}

/** A row up or down, keeping to the column; undefined at the edge. */
function moveRow(draft: Draft, by: number, options: EditOptions): Draft | undefined {
  const {columns = Infinity} = options;
  const {rows, caret} = layoutDraft(draft, columns);
  const row = rows[caret.row + by];
  if (!row) return undefined;
  const column = draft.goalColumn ?? caret.column;
  return {...moveTo(draft, offsetAt(draft, row, {column, columns})), goalColumn: column};
}

/** The prompt before, with the caret in its first row: ↑ goes on to the one before that, ↓ into the lines. */
function earlier(draft: Draft, options: EditOptions): Draft {
  const {history = emptyHistory, columns = Infinity} = options;
  const found = browseHistory(draft, history, 'earlier');
  const row = found && layoutDraft(found, columns).rows[0];
  return row ? {...found, caret: offsetAt(found, row, {column: Infinity, columns})} : draft;
}
