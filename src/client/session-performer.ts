import type {AppEvent} from '../app/events.ts';
import {HINT_MS} from '../app/hint-time.ts';
import type {AppState} from '../app/state.ts';
import type {Store} from '../store.ts';
import type {AgentToAsk} from './ask-agents.ts';
import type {Memory, WindowSessions} from './window-sessions.ts';

/** What does something with the sessions of a window. */
export interface SessionPerformer {
  readonly store: Store<AppState, AppEvent>;
  readonly sessions: WindowSessions;
  readonly memory: Memory;
  readonly agentsToAsk?: () => readonly AgentToAsk[];
}

/** Tells the user something in one line. */
export function say({store}: SessionPerformer, text: string): undefined {
  store.dispatch({type: 'hint_shown', text, until: Date.now() + HINT_MS}, 'urgent');
}
