import type {AppEvent} from '../app/events.ts';
import {TOAST_MS} from '../app/sessions.ts';
import type {AppState, SessionKey} from '../app/state.ts';
import type {Store} from '../shared/store.ts';
import type {Log} from '../conversation/options.ts';
import {errorMessage, errorStack, internalError} from '../shared/failure.ts';

/** Reports an internal error, in the log with its stack and to the user; never throws. */
export type ReportFault = (error: unknown, where: FaultPlace) => void;

interface FaultPlace {
  /** The activity during which it happened, for the log. */
  readonly doing: string;
  /** The session in which it happened. */
  readonly key?: SessionKey;
}

/** Returns the window's handler of internal errors. The user sees the same error of a session once. */
export function createFaultReporter(store: Store<AppState, AppEvent>, log: Log): ReportFault {
  const reported = new Set<string>();

  function report(text: string, key: SessionKey | undefined): void {
    if (reported.has(`${key} ${text}`)) return;
    reported.add(`${key} ${text}`);
    const at = performance.now();
    if (key === undefined) return store.dispatch({type: 'toast_shown', text, until: at + TOAST_MS}, 'urgent');
    const event = {type: 'notice', level: 'error', text, at: Date.now()} as const;
    store.dispatch({type: 'session', key, event, at}, 'urgent');
  }

  return (error, {doing, key}) => {
    const message = errorMessage(error);
    log('error', `${doing} failed: ${errorStack(error)}`);
    // Errors of a closed session are not shown.
    if (key !== undefined && !store.latest().sessions[key]) return;
    const text = internalError(message);
    try {
      report(text, key);
    } catch (cause) {
      log('error', `the error could not be shown: ${String(cause)}`);
    }
  };
}
