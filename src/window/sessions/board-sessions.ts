import type {BoardView} from '../../app/board/board-view.ts';
import type {AppEvent} from '../../app/events.ts';
import type {SessionRow} from '../../app/pickers/listings.ts';
import type {AppState, SessionKey} from '../../app/state.ts';
import {failureSentence} from '../../shared/failure-messages.ts';
import type {Result} from '../../shared/failure.ts';
import type {Store} from '../../shared/store.ts';

/** How often the open sessions are read again: other windows and the service change them. In milliseconds. */
const REFRESH_MS = 1000;
/** How old the ages on the board may be, in milliseconds. */
const AGE_MS = 15_000;

interface BoardSessionsOptions {
  readonly store: Store<AppState, AppEvent>;
  /** Reads the open sessions. */
  readonly rows: () => readonly SessionRow[];
  /** Shows a session of the background service on the board only; undefined if it does not run there. */
  readonly peek: (id: string) => Promise<Result<SessionKey | undefined>>;
  /** Leaves it again. */
  readonly leave: (key: SessionKey) => void;
}

/** Fills the board while it is open, and peeks at the selected session if it asks something or gets a reply. Returns what ends that. */
export function followBoardSessions({store, rows, peek, leave}: BoardSessionsOptions): () => void {
  let timer: NodeJS.Timeout | undefined;
  let shown = '';
  let readAt = 0;
  /** The row that is being peeked at. */
  let peeking: string | undefined;

  function read(): void {
    const {board} = store.latest();
    if (!board) return;
    const stored = rows();
    const text = JSON.stringify(stored);
    if (text === shown && Date.now() - readAt < AGE_MS) return;
    shown = text;
    readAt = Date.now();
    change({stored, at: readAt});
  }

  const change = (part: Partial<BoardView>) =>
    store.dispatch({type: 'board_changed', change: part}, 'urgent');

  async function peekAt(id: string): Promise<void> {
    peeking = id;
    const peeked = await peek(id);
    peeking = undefined;
    if (!peeked.ok)
      store.dispatch({
        type: 'toast_shown',
        text: failureSentence(peeked.failure),
        until: performance.now() + 5000,
      });
    if (!peeked.ok || peeked.value === undefined) change({elsewhere: id});
    else read();
    // It may have been closed meanwhile.
    leaveOthers(store.latest());
  }

  /** Leaves what is not selected any more. */
  function leaveOthers({sessions, board}: AppState): void {
    for (const {key, isPeeked} of Object.values(sessions))
      if (isPeeked && key !== board?.session && peeking === undefined) leave(key);
  }

  function startOrStop(isOpen: boolean): void {
    clearInterval(timer);
    shown = '';
    timer = isOpen ? setInterval(read, REFRESH_MS) : undefined;
    // Not during the event that opens it.
    queueMicrotask(read);
  }

  const unfollow = store.onEvent((_event, state) => {
    const {board} = state;
    if (!board && timer === undefined) return;
    if (!board || timer === undefined) startOrStop(board !== undefined);
    const wanted = board && toPeekAt(board);
    if (wanted !== undefined && wanted !== peeking)
      queueMicrotask(() => isWanted(wanted) && void peekAt(wanted));
    else queueMicrotask(() => leaveOthers(store.latest()));
  });

  /** False if it has been peeked at meanwhile. */
  function isWanted(id: string): boolean {
    const {board} = store.latest();
    return board !== undefined && peeking !== id && toPeekAt(board) === id;
  }

  return () => {
    clearInterval(timer);
    unfollow();
  };
}

/** Returns the id of the selected session if it is to be peeked at. */
function toPeekAt({stored, selected, elsewhere, typing}: BoardView): string | undefined {
  const row = stored.find(({id}) => id === selected);
  if (!row || row.key !== undefined || row.id === elsewhere) return undefined;
  return row.status === 'waiting' || typing === 'reply' ? row.id : undefined;
}
