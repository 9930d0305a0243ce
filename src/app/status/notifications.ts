import {isAsking, isOpenedLink} from '../../session/selectors.ts';
import type {SubagentEntry} from '../../session/entries.ts';
import type {PendingRequest, SessionState} from '../../session/state.ts';
import {doingOf, stateTitle, stateWord} from '../../session/labels/session-states.ts';
import {subagentAsker} from '../../session/subagents/names.ts';
import {subagentEntry, subagentTree} from '../../session/subagents/tree.ts';
import {sessionTitle} from '../../session/titles.ts';
import type {Tab, AppState, SessionKey} from '../state.ts';
import {takesKeys} from '../pickers/picker.ts';
import {waitsForQuiet} from '../requests/request-guard.ts';
import {ignoresKeys} from '../requests/request-phase.ts';
import {openTabs} from '../open-sessions.ts';
import {activeSession} from '../sessions.ts';
import {isAgentBusy} from '../../session/lifecycle/live.ts';
import {isLimitAwaited} from '../../session/queue/queue.ts';
import {agentName, folderName, waitingText} from './status-line.ts';

/** Minimum duration of a turn whose end rings the bell, in milliseconds. */
const LONG_TURN_MS = 10_000;

const MAX_TITLE_LENGTH = 80;

/** What the user is told while they are elsewhere, and in which session of the window. */
export interface Notification {
  readonly key?: SessionKey;
  readonly text: string;
}

/** Returns the reasons for a bell and notifications, at most one for each session. */
export function notifications(before: AppState, now: AppState): readonly Notification[] {
  const known = new Set(before.waitingElsewhere.map(({id}) => id));
  const elsewhere = now.waitingElsewhere
    .filter(({id}) => !known.has(id))
    .map(({title}) => ({text: `A session in the background needs you: ${title}`}));
  if (before.sessions === now.sessions) return elsewhere;
  const tabs = openTabs(now.sessions);
  const own = tabs.flatMap((tab) => {
    const {key, session} = tab;
    const reason = notificationReason(before.sessions[key], tab);
    if (reason === undefined) return [];
    const title = tabs.length > 1 ? sessionTitle(session) : undefined;
    return [{key, text: title ? `${reason}: ${title}` : reason}];
  });
  return [...own, ...elsewhere];
}

function notificationReason(before: Tab | undefined, tab: Tab): string | undefined {
  const {session} = tab;
  if (!before || before.session === session) return undefined;
  const old = before.session;
  const name = agentName(tab);
  const newRequest = session.pending.find(({id}) => !old.pending.some((before) => before.id === id));
  if (newRequest && !isOpenedLink(newRequest)) {
    const {asker, subagent} = newRequest;
    if (newRequest.kind === 'permission' && newRequest.calledBy !== undefined)
      return `${newRequest.calledBy} ${ASKS[newRequest.kind]}`;
    if (asker !== undefined) return `${asker} has a question`;
    return `${subagent === undefined ? name : subagentAsker(session, subagent)} ${ASKS[newRequest.kind]}`;
  }
  const waiting = old.subagents === session.subagents ? undefined : newlyWaiting(old, session);
  if (waiting !== undefined) return `${subagentAsker(session, waiting)} ${stateWord('waiting')}`;
  const {connection} = session;
  if (connection.kind !== old.connection.kind) {
    if (connection.kind === 'authentication_required') return `${name} wants you to sign in`;
    if (connection.kind === 'lost' && !connection.reportedElsewhere) return `${name} has ended`;
  }
  const {lastTurn} = session;
  if (!lastTurn || lastTurn === old.lastTurn || lastTurn.durationMs < LONG_TURN_MS) return undefined;
  return `${name} ${lastTurn.outcome.kind === 'failed' ? 'failed' : 'is done'}`;
}

/** A subagent that waits for the user without a request of its own. */
function newlyWaiting(old: SessionState, session: SessionState): string | undefined {
  const waits = ({state}: SubagentEntry) => state === 'requires_action';
  const found = subagentTree(session).find(({entry}) => {
    const before = subagentEntry(old, entry.sessionId);
    return waits(entry) && !(before && waits(before));
  });
  return found?.entry.sessionId;
}

const ASKS: Readonly<Record<PendingRequest['kind'], string>> = {
  permission: 'asks for permission',
  form: 'has a question',
  url: 'wants to open a URL',
};

/** Returns the terminal title: what needs the user or is running, and where; which other sessions need the user is first. */
export function terminalTitle(state: AppState): string {
  const tab = activeSession(state);
  const {session} = tab;
  const does = doingOf(session);
  const name = sessionTitle(session) || agentName(tab);
  const parts = [waitingText(state), does && stateTitle(does), name, folderName(session.cwd)];
  return parts.filter(Boolean).join(' · ').slice(0, MAX_TITLE_LENGTH).toWellFormed();
}

/**
 * True while a few `tick` events per second are needed: something expires, counts seconds, or waits for a pause in typing. False while only the user can act,
 * which may take hours.
 */
export function needsTicks(state: AppState): boolean {
  const {session, offerDue} = activeSession(state);
  const {overlay} = state;
  return (
    (overlay.kind === 'picker' && !takesKeys(overlay.picker)) ||
    state.toast !== undefined ||
    state.leaveArmedUntil !== undefined ||
    state.ignoreKeysUntil !== undefined ||
    offerDue ||
    waitsForQuiet(state) ||
    (state.request !== undefined && ignoresKeys(state.request.phase)) ||
    session.connection.kind === 'starting' ||
    session.turn.kind === 'cancelling' ||
    isLimitAwaited(session.queue) ||
    (isAgentBusy(session) && !isAsking(session))
  );
}
