import {isAgentBusy} from '../lifecycle/live.ts';
import {isLimitAwaited} from '../queue/queue.ts';
import {isAsking} from '../selectors.ts';
import type {SessionState} from '../state.ts';

/** What an open session does, the most urgent first. */
export const OPEN_STATES = ['waiting', 'working', 'done', 'idle', 'failed', 'ended'] as const;

export type OpenState = (typeof OPEN_STATES)[number];

/** `done`: it has finished, and nobody has read it since; `ended`: its agent has. `interrupted`: it was not closed, and is not open in any process. */
export type ListedState = OpenState | 'interrupted' | 'stored';

/** What a session or subagent does, in the words of lists, cards, titles and the status line. */
const WORDS: Readonly<Record<ListedState, string>> = {
  waiting: 'needs you',
  working: 'working',
  done: 'done',
  idle: 'idle',
  failed: 'failed',
  ended: 'ended',
  interrupted: 'interrupted',
  // The usual state needs no word.
  stored: '',
};

export function stateWord(state: ListedState): string {
  return WORDS[state];
}

/** Returns the word for the beginning of a line; empty if there is none. */
export function stateTitle(state: ListedState): string {
  return stateWord(state).replace(/^./, (letter) => letter.toUpperCase());
}

/** What a session does, as its process stores it; undefined if nothing. */
export type Doing = Exclude<OpenState, 'done' | 'idle'> | undefined;

/** Returns what a session does by itself: whether somebody has read what it did is known elsewhere. */
export function doingOf(state: SessionState): Doing {
  const {connection, lastTurn, queue} = state;
  if (isAsking(state) || connection.kind === 'authentication_required') return 'waiting';
  if (isAgentBusy(state) || connection.kind === 'starting') return 'working';
  if (connection.kind === 'lost' || connection.kind === 'closed') return 'ended';
  if (isLimitAwaited(queue)) return 'working';
  const isFailed = connection.kind === 'failed' || lastTurn?.outcome.kind === 'failed';
  return isFailed ? 'failed' : undefined;
}

/** A session that was read from the index. */
interface Indexed {
  readonly status: 'open' | 'closed' | 'interrupted';
  readonly doing: Doing;
  /** Its last activity, and when a window showed it last. */
  readonly updatedAt: number;
  readonly readAt: number | undefined;
}

/** Returns the state of a stored session for lists. */
export function stateOf({status, doing, updatedAt, readAt = 0}: Indexed): ListedState {
  if (status === 'open') return openStateOf(doing, updatedAt <= readAt);
  return status === 'closed' ? 'stored' : status;
}

/** Returns the state of an open session. */
export function openStateOf(doing: Doing, isRead: boolean): OpenState {
  return doing ?? (isRead ? 'idle' : 'done');
}
