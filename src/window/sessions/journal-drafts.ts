import type {AppEvent} from '../../app/events.ts';
import {collectUnsent, type UnsentInput} from '../../app/sessions.ts';
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
  let written = store.latest().sessions;
  let scheduled: NodeJS.Immediate | undefined;

  function write(): void {
    clearImmediate(scheduled);
    scheduled = undefined;
    const {sessions} = store.latest();
    if (isAllSame(sessions, written)) return;
    written = sessions;
    journal.write(collectUnsent(...Object.values(sessions)));
  }
  store.onEvent((_event, {sessions}) => {
    // Compared in `write`, once for all chunks of an answer that arrive together.
    if (sessions !== written) scheduled ??= setImmediate(write);
  });
  // Restored text, and what was typed before.
  const first = collectUnsent(...Object.values(written));
  if (!isEmpty(first)) journal.write(first);
  return () => {
    if (scheduled) write();
  };
}

type Sessions = AppState['sessions'];

function isAllSame(now: Sessions, before: Sessions): boolean {
  const keys = Object.keys(now);
  return (
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
