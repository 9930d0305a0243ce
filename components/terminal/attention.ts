import type {AppState} from '../../src/app/state.ts';

export const bell = '\x07';

/** Asks the terminal to tell when its window gets and loses the focus, and to stop telling. */
export const reportFocus = '\x1b[?1004h';
export const ignoreFocus = '\x1b[?1004l';

/** Turns longer than this are worth a sound at their end, in milliseconds. */
const LONG_TURN = 15_000;

/** True when something happened that a user who looks elsewhere wants to hear of. */
export function isWorthABell(before: AppState, after: AppState): boolean {
  return Object.entries(after.sessions).some(([key, {session}]) => {
    const old = before.sessions[key]?.session;
    if (old === undefined || old === session) return false;
    if (session.pending.some(({id}) => !old.pending.some((known) => known.id === id))) return true;
    return session.lastTurn !== old.lastTurn && (session.lastTurn?.durationMs ?? 0) >= LONG_TURN;
  });
}
