import type {ConnectionState} from '../../session/state.ts';
import {choosesFirstAgent} from '../pickers/agent-picker.ts';
import {activeSession} from '../sessions.ts';
import type {AppState, Tab, RecentSession} from '../state.ts';
import {agentName} from './status-line.ts';

/** The content of a window before the first message. */
export interface StartCard {
  /** With its version, if it reports one; undefined while there is no agent. */
  readonly agent: {readonly name: string; readonly version: string | undefined} | undefined;
  /** Absolute. */
  readonly folder: string;
  readonly branch: string | undefined;
  readonly recent: readonly RecentSession[];
  /** Useful commands and their descriptions. */
  readonly hints: readonly (readonly [command: string, does: string])[];
  /** True if all parts are known. */
  readonly isComplete: boolean;
}

/** Returns a function that creates the active session's card, the same one until something in it changes; none in a replay. */
export function createStartCards(): (state: AppState) => StartCard | undefined {
  let last: {readonly parts: readonly unknown[]; readonly card: StartCard} | undefined;
  return (state) => {
    if (state.replay || choosesFirstAgent(state)) return undefined;
    const tab = activeSession(state);
    const {session, branch, agentLabel} = tab;
    const parts = [session.connection, session.agent, session.cwd, branch, agentLabel, state.recentSessions];
    if (!last?.parts.every((part, index) => part === parts[index]))
      last = {parts, card: startCard(state, tab)};
    return last.card;
  };
}

function startCard({recentSessions: recent}: AppState, tab: Tab): StartCard {
  const {session, branch, agentLabel} = tab;
  return {
    agent: hasAgent(session.connection)
      ? {name: agentName(tab), version: session.agent?.version || undefined}
      : undefined,
    folder: session.cwd,
    branch,
    recent,
    hints: [
      agentLabel === 'demo' ? ['/tour', 'see what acp-tui can do'] : ['/help', 'keys and commands'],
      recent.length > 0 ? ['/resume', 'open an earlier session'] : ['/agents', 'select another agent'],
    ],
    isComplete: session.connection.kind !== 'starting',
  };
}

function hasAgent({kind}: ConnectionState): boolean {
  return kind !== 'closed' && kind !== 'failed' && kind !== 'lost';
}
