import type {Review, ReviewComment, ReviewChange, ReviewRange} from '../../session/review.ts';
import type {SentComment} from '../../session/content/sent-comment.ts';
import type {CommentNote} from '../../session/queue/queued-prompt.ts';
import {
  isCommentOnLine,
  linesOf,
  moveToLine,
  moveToNextFile,
  moveToNextHunk,
  moveToNextMatch,
  selectedComment,
  rangeName,
  rangesOf,
  selectedFile,
  selectedLine,
  withComment,
  type ReviewView,
} from './review-view.ts';
import {isIdle} from '../../session/selectors.ts';
import {emptyDraft} from '../editor/draft.ts';
import {insertText} from '../editor/insert.ts';
import {editOneLine} from '../editor/one-line.ts';
import {
  patchState,
  callAction,
  emitEvent,
  nothing,
  perform,
  combine,
  type Effect,
  type Reaction,
} from '../effects.ts';
import type {AppEvent} from '../events.ts';
import {globalKey} from '../handlers/global-keys.ts';
import {separateKeys, type KeyEvent} from '../input/keys.ts';
import {withKey} from '../keymap/hints.ts';
import {actionFor, type Action, type Keymap} from '../keymap/keymap.ts';
import {scrollDistance} from '../pages/scroll.ts';
import {submitPrompt} from '../queue/queue.ts';
import type {AppState} from '../state.ts';
import {toast} from '../status/toasts.ts';

/**
 * Returns the reaction to a key that has to wait; undefined for any other. A key that is pressed while an action runs applies to what it leaves. Ctrl+C, or Esc
 * twice, closes the review at once.
 */
export function deferKey(state: AppState, key: KeyEvent): Reaction | undefined {
  const {heldKeys, overlay} = state;
  if (overlay.kind !== 'review') return undefined;
  const {doing, typing} = overlay;
  const action = typing ? undefined : actionOf(key, state);
  const isText = key.kind === 'key' && key.name === undefined && !typing;
  const waits = doing && (doing.kind !== 'refresh' || ACTS.has(action));
  const isAtOnce = action === 'redraw' || action === 'suspend';
  if (isAtOnce || (!waits && !isText && heldKeys.length === 0)) return undefined;
  const isSecondBack = isBack(action) && heldKeys.some((held) => isBack(actionOf(held, state)));
  if (isSecondBack || action === 'clear_cancel_or_leave')
    return combine(closed(key.at), dropped(state, key.at));
  return patchState({heldKeys: [...heldKeys, ...(isText ? separateKeys(key) : [key])]});
}

function dropped({heldKeys}: AppState, at: number): Reaction {
  if (heldKeys.length === 0) return nothing;
  return combine(patchState({heldKeys: []}), toast(ignoredKeysText(heldKeys.length), at));
}

/** Returns what is said about keys that waited in vain. */
export function ignoredKeysText(count: number): string {
  return count === 1 ? 'A key was ignored.' : `${count} keys were ignored.`;
}

const ACTS: ReadonlySet<Action | undefined> = new Set([
  'accept_hunk',
  'accept_file',
  'revert_hunk',
  'revert_file',
  'undo_review',
  'next_range',
  'read_again',
]);

/** Events and effects after which the review, or the changes in it, are no longer shown. */
const LEAVING: ReadonlySet<string> = new Set<AppEvent['type'] | Effect['kind']>([
  'overlay_closed',
  'overlay_opened',
  'show_review',
  'show_wire',
]);

/** Returns a reaction with what becomes of the actions that wait for the end of the turn if it leaves the review: nothing. */
export function sayingWhatIsLeft({overlay}: AppState, reaction: Reaction, at: number): Reaction {
  if (overlay.kind !== 'review' || overlay.waiting.length === 0) return reaction;
  const {events, effects} = reaction;
  const isLeft = [...events.map(({type}) => type), ...effects.map(({kind}) => kind)].some((what) =>
    LEAVING.has(what),
  );
  return isLeft ? combine(viewChanged({waiting: []}), reaction, toast(NOTHING_REVERTED, at)) : reaction;
}

const NOTHING_REVERTED = 'Nothing was reverted.';

function actionOf(key: KeyEvent, {keymap}: AppState): Action | undefined {
  return key.kind === 'key' ? actionFor('review', key, keymap) : undefined;
}

function isBack(action: Action | undefined): boolean {
  return action === 'cancel_or_back' || action === 'close';
}

/** Keys of the review screen. */
export function reviewKey(state: AppState, key: KeyEvent, view: ReviewView): Reaction {
  if (view.typing) return typingKey(state, key, view);
  const action = actionOf(key, state);
  const ended = view.waiting.length > 0 && endWaiting(view, action, key.at);
  if (ended) return ended;
  const moved = movedBy(view, action);
  if (moved) return viewChanged(moved);
  switch (action) {
    case 'accept_hunk':
    case 'accept_file':
    case 'revert_hunk':
    case 'revert_file':
    case 'undo_review':
      return act(state, {view, action, at: key.at});
    case 'comment':
      return startComment(view, key.at);
    case 'send_comments':
      return sendComments(state, view, key.at);
    case 'commit_accepted':
      return startCommit(state, view, key.at);
    case 'edit_at_line':
      return editAtLine(state, view, key.at);
    case 'next_range':
      return showReview(view, {range: nextRange(view)});
    case 'read_again':
      return showReview(view, {range: view.review.range, at: view});
    case 'select_lines':
      return viewChanged({selectedFrom: view.selectedFrom === undefined ? view.line : undefined});
    case 'side_by_side':
      return viewChanged({isSideBySide: !view.isSideBySide});
    case 'search':
      return viewChanged({typing: {what: 'search', draft: emptyDraft}});
    case 'next_hit':
    case 'previous_hit':
      return search(view, action === 'next_hit' ? 1 : -1, key.at);
    case 'cancel_or_back':
      return view.selectedFrom === undefined ? closed(key.at) : viewChanged({selectedFrom: undefined});
    case 'close':
      return closed(key.at);
    default:
      return globalKey(state, action, key.at);
  }
}

function viewChanged(change: Partial<ReviewView>): Reaction {
  return emitEvent({type: 'review_changed', change});
}

function closed(at: number): Reaction {
  return emitEvent({type: 'overlay_closed', at});
}

/** Undefined for actions that do not move the cursor. */
function movedBy(view: ReviewView, action: Action | undefined): ReviewView | undefined {
  const by = scrollDistance(action, view.pageRows);
  if (by !== undefined) return moveToLine(view, view.line + by);
  switch (action) {
    case 'next_hunk':
      return moveToNextHunk(view, 1);
    case 'previous_hunk':
      return moveToNextHunk(view, -1);
    case 'next_file':
      return moveToNextFile(view, 1);
    case 'previous_file':
      return moveToNextFile(view, -1);
    default:
      return undefined;
  }
}

/** While an action waits for the end of the turn: cancels the action, or the turn. */
function endWaiting({key}: ReviewView, action: Action | undefined, at: number): Reaction | undefined {
  if (action === 'clear_cancel_or_leave') return callAction(key, 'cancel');
  if (action !== 'cancel_or_back') return undefined;
  return combine(viewChanged({waiting: []}), toast(NOTHING_REVERTED, at));
}

type Act = `${'accept' | 'revert'}_${'hunk' | 'file'}` | 'undo_review';

/** Files are not changed under a running turn. */
function act(
  state: AppState,
  {view, action, at}: {readonly view: ReviewView; readonly action: Act; readonly at: number},
): Reaction {
  const {key, waiting} = view;
  const change = changeOf(view, action, state.keymap);
  if (typeof change === 'string') return toast(change, at);
  const session = state.sessions[key]?.session;
  if (change.kind !== 'accept' && session && !isIdle(session))
    return viewChanged({waiting: [...waiting, change]});
  return combine(
    viewChanged({doing: change}),
    perform({kind: 'change_review', key, change, of: view.review.id}),
  );
}

function changeOf(view: ReviewView, action: Act, keymap: Keymap): ReviewChange | string {
  if (action === 'undo_review') return {kind: 'undo'};
  const file = selectedFile(view);
  if (!file) return 'No changes.';
  const kind = action.startsWith('accept') ? 'accept' : 'revert';
  const hunk = action.endsWith('hunk') ? selectedLine(view)?.hunk : undefined;
  if (file.isAccepted || hunk?.isAccepted)
    return kind === 'accept'
      ? 'Already accepted.'
      : withKey('Already accepted', 'undo_review', 'undoes that', keymap);
  return {kind, file: file.id, hunk: hunk?.id};
}

function startComment(view: ReviewView, at: number): Reaction {
  if (!selectedLine(view)) return toast('Comments are on lines: this file shows none.', at);
  return viewChanged({typing: {what: 'comment', draft: insertText(emptyDraft, selectedComment(view))}});
}

function startCommit({sessions}: AppState, {key}: ReviewView, at: number): Reaction {
  const session = sessions[key]?.session;
  if (session && !isIdle(session)) return toast('A turn is running: commit when it is over.', at);
  return viewChanged({typing: {what: 'commit', draft: emptyDraft}});
}

/** Closes the review, so that the question is seen. */
function commit({key}: ReviewView, typed: string, at: number): Reaction {
  const message = typed.trim() === '' ? undefined : typed.trim();
  return combine(closed(at), perform({kind: 'commit_review', key, message}));
}

/** Queues a prompt with all comments, and what is attached to the next prompt. */
function sendComments({sessions, keymap}: AppState, {key, review}: ReviewView, at: number): Reaction {
  const {length} = review.comments;
  if (length === 0) return toast(withKey('No comments yet', 'comment', 'comments on a line', keymap), at);
  const text = length === 1 ? 'A comment on your changes:' : 'Comments on your changes:';
  const attached = sessions[key]?.session.queue.outputs ?? [];
  const outputs = [...attached, commentNote(review, `comments-${at}`)];
  return combine(
    submitPrompt(key, {text, outputs}),
    emitEvent({type: 'overlay_closed', at}),
    callAction(key, 'saveReviewComments', {added: [], removed: review.comments}),
  );
}

/** Opens the external editor; afterwards the changes are read again. */
function editAtLine(state: AppState, view: ReviewView, at: number): Reaction {
  const file = selectedFile(view);
  if (!file) return toast('No changes.', at);
  if (file.status === 'deleted')
    return toast(withKey('The file is deleted', 'revert_hunk', 'restores it', state.keymap), at);
  const line = nearestLine(view);
  const {key, review} = view;
  return combine(
    closed(at),
    perform({
      kind: 'edit_reviewed',
      key,
      range: review.range,
      at: {file: file.id, line: view.line},
      path: file.path,
      row: line,
    }),
  );
}

/** Returns the current line number of the cursor's line, or of the next existing one. */
function nearestLine(view: ReviewView): number | undefined {
  const lines = linesOf(selectedFile(view));
  return lines.slice(view.line).find(({newNumber}) => newNumber !== undefined)?.newNumber;
}

function nextRange({review}: ReviewView): ReviewRange {
  const ranges = rangesOf(review);
  const at = ranges.findIndex((range) => rangeName(range) === rangeName(review.range));
  return ranges[(at + 1) % ranges.length] ?? {kind: 'unreviewed'};
}

function showReview(
  {key}: ReviewView,
  {range, at}: {readonly range: ReviewRange; readonly at?: ReviewView},
): Reaction {
  const place = at?.file === undefined ? {} : {at: {file: at.file, line: at.line}};
  return combine(viewChanged({doing: {kind: 'read'}}), perform({kind: 'show_review', key, range, ...place}));
}

function search(view: ReviewView, direction: 1 | -1, at: number): Reaction {
  if (view.search === '') return nothing;
  const found = moveToNextMatch(view, direction);
  return found ? viewChanged(found) : toast(`Not found: ${view.search}`, at);
}

/** Keys while a comment or a search is typed. */
function typingKey(state: AppState, key: KeyEvent, view: ReviewView): Reaction {
  const {what = 'search', draft = emptyDraft} = view.typing ?? {};
  const isNamed = key.kind === 'key' && key.text === '';
  switch (isNamed ? actionFor('picker', key, state.keymap) : undefined) {
    case 'confirm':
      if (what === 'commit') return commit(view, draft.text, key.at);
      return what === 'comment' ? saveComment(view, draft.text) : startSearch(view, draft.text, key.at);
    case 'cancel_or_back':
    case 'clear_cancel_or_leave':
      return viewChanged({typing: undefined});
    default: {
      const edited = editOneLine(draft, key, state.keymap);
      return edited ? viewChanged({typing: {what, draft: edited}}) : nothing;
    }
  }
}

function saveComment(view: ReviewView, text: string): Reaction {
  const {comments: before} = view.review;
  const comments: readonly ReviewComment[] = withComment(view, text);
  const added = comments.filter((comment) => !before.includes(comment));
  const removed = before.filter((comment) => !comments.includes(comment));
  return combine(
    viewChanged({typing: undefined, selectedFrom: undefined, review: {...view.review, comments}}),
    callAction(view.key, 'saveReviewComments', {added, removed}),
  );
}

function startSearch(view: ReviewView, text: string, at: number): Reaction {
  const searching = {...view, typing: undefined, search: text};
  const stopped = viewChanged({typing: undefined, search: text});
  return text === '' ? stopped : combine(stopped, search(searching, 1, at));
}

/** Number of lines of a hunk before and after the commented ones that are sent. */
const MAX_AROUND = 20;

/** Returns the comments of a review as an attachment of a prompt, ordered by their places. */
function commentNote({comments, files}: Pick<Review, 'comments' | 'files'>, id: string): CommentNote {
  const ordered = comments.toSorted((one, other) =>
    one.path === other.path ? one.line - other.line : one.path < other.path ? -1 : 1,
  );
  const sent = ordered.map((comment, index): SentComment => {
    const file = files.find(({path}) => path === comment.path);
    return sentComment(comment, `${id}-${index}`, hunkOf(comment, file));
  });
  return {id, comments: sent};
}

function sentComment(comment: ReviewComment, id: string, hunk: SentComment['hunk']): SentComment {
  return {...comment, id, hunk};
}

/** Returns the part of the hunk around a comment; only its own lines if they have changed since. */
function hunkOf(comment: ReviewComment, file: Review['files'][number] | undefined): readonly string[] {
  const last = linesOf(file).find((line) => isCommentOnLine(comment, comment.path, line));
  if (!last) return comment.quote;
  const first = last.index - comment.quote.length + 1;
  return last.hunk.lines.slice(Math.max(0, first - MAX_AROUND), last.index + 1 + MAX_AROUND);
}
