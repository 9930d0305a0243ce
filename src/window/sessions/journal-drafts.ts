import {closeBoard} from '../../app/board/follow-board.ts';
import {draftText, type Draft} from '../../app/editor/draft.ts';
import {prependToDraft} from '../../app/editor/insert.ts';
import type {AppEvent} from '../../app/events.ts';
import {changeSession, collectUnsent, type UnsentInput} from '../../app/sessions.ts';
import type {AppState, Tab} from '../../app/state.ts';
import type {Store} from '../../shared/store.ts';
import {type Journal, isEmpty} from '../../storage/drafts/journal.ts';

interface JournalOptions {
  readonly journal: Journal;
  /** Puts unsent text of an earlier run into the window. */
  readonly restore: (unsent: UnsentInput) => void;
}

/**
 * Restores unsent text of an earlier run, then writes unsent text to the journal as it changes: right after the frame that shows it, so that no key waits for
 * the disk. Returns a function that writes the last change.
 */
export function journalDrafts(
  store: Store<AppState, AppEvent>,
  {journal, restore}: JournalOptions,
): () => void {
  const [newest] = journal.orphans();
  if (newest?.claim()) restore(newest.state);
  let written = store.latest();
  let scheduled: NodeJS.Immediate | undefined;

  function write(): void {
    clearImmediate(scheduled);
    scheduled = undefined;
    const state = store.latest();
    if (isAllSame(state, written)) return;
    written = state;
    journal.write(unsentIn(state));
  }
  store.onEvent((_event, {sessions, board, overlay}) => {
    const isSame = sessions === written.sessions && board === written.board && overlay === written.overlay;
    // Compared in `write`, once for all chunks of an answer that arrive together.
    if (!isSame) scheduled ??= setImmediate(write);
  });
  // Restored text, and what was typed before.
  const first = unsentIn(written);
  if (!isEmpty(first)) journal.write(first);
  return () => {
    if (scheduled) write();
  };
}

/** With what is typed on the board or into the review, in front of the draft that it would be left in. */
function unsentIn(state: AppState): UnsentInput {
  const {sessions} = closeBoard(withTypedInReview(state));
  return collectUnsent(...Object.values(sessions));
}

function withTypedInReview(state: AppState): AppState {
  const {overlay} = state;
  const typed = typedInReview(state);
  if (overlay.kind !== 'review' || !typed) return state;
  const text = draftText(typed).trim();
  if (text === '') return state;
  return changeSession(state, overlay.key, (tab) => ({...tab, draft: prependToDraft(tab.draft, text)}));
}

/** Returns the comment or the commit message that is being typed. */
function typedInReview({overlay}: AppState): Draft | undefined {
  const typing = overlay.kind === 'review' ? overlay.typing : undefined;
  return typing?.what === 'search' ? undefined : typing?.draft;
}

function isAllSame(state: AppState, earlier: AppState): boolean {
  const {sessions: now, board} = state;
  const {sessions: before, board: oldBoard} = earlier;
  const keys = Object.keys(now);
  return (
    board?.draft === oldBoard?.draft &&
    board?.kept === oldBoard?.kept &&
    typedInReview(state) === typedInReview(earlier) &&
    keys.length === Object.keys(before).length &&
    keys.every((key) => {
      const [tab, old] = [now[key], before[key]];
      return tab !== undefined && old !== undefined && isSame(tab, old);
    })
  );
}

function isSame(one: Tab, other: Tab): boolean {
  const parts = ['draft', 'stash', 'note', 'forms'] as const;
  return parts.every((part) => one[part] === other[part]) && one.session.queue === other.session.queue;
}
