import {doingOf, openStateOf, type OpenState} from '../session/labels/session-states.ts';
import {sessionTitle} from '../session/titles.ts';
import type {AppState, SessionKey, Tab} from './state.ts';

/** Returns the sessions of the window without those that only the board shows. */
export function openTabs(sessions: AppState['sessions']): readonly Tab[] {
  return Object.values(sessions).filter(({isPeeked}) => !isPeeked);
}

/** True if something was said in a session since it was on the screen. */
function hasNews({session, left}: Tab): boolean {
  return left !== undefined && session.entries.length > left.entries;
}

/** Returns the state of an open session: nothing is left to read in the one that is on the screen. */
export function tabState(tab: Tab): OpenState {
  return openStateOf(doingOf(tab.session), !hasNews(tab));
}

/** Returns the open sessions in the order in which they were opened: Ctrl+X and a digit shows one. */
export function sessionKeys({sessions}: Pick<AppState, 'sessions'>): readonly SessionKey[] {
  return openTabs(sessions).map(({key}) => key);
}

/** Returns a text about a session, prefixed with its name if another session is on the screen. */
export function withSessionName(state: AppState, key: SessionKey | undefined, text: string): string {
  const tab = key === undefined || key === state.active ? undefined : state.sessions[key];
  return tab ? `${sessionName(state, tab.key)}: ${text}` : text;
}

/** Returns the name of an open session: its number, and its title if it has one. */
export function sessionName(state: Pick<AppState, 'sessions'>, key: SessionKey): string {
  const tab = state.sessions[key];
  const title = tab && sessionTitle(tab.session);
  const name = `Session ${sessionKeys(state).indexOf(key) + 1}`;
  return title === undefined ? name : `${name} (${title})`;
}

/** Returns the numbers of background sessions that need the user. */
export function waitingSessionNumbers({sessions, active}: AppState): readonly number[] {
  return openTabs(sessions).flatMap(({key, session}, index) =>
    key !== active && doingOf(session) === 'waiting' ? [index + 1] : [],
  );
}
