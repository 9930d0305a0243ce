import type {AppEvent} from '../app/events.ts';
import type {AppState, SessionKey} from '../app/state.ts';
import {failureSentence} from '../shared/failure-messages.ts';
import type {UserQuestion} from '../host/services.ts';
import {openingAgain} from '../session/open-again.ts';
import type {SessionActions} from '../session/actions.ts';
import {isReady} from '../session/selectors.ts';
import type {Store} from '../shared/store.ts';
import type {Client} from './create-client.ts';
import type {FolderTrust} from './folder-trust.ts';

export interface TrustSurroundings {
  readonly store: Store<AppState, AppEvent>;
  readonly windowSessions: {
    clientOf(key: SessionKey): Pick<Client, 'askUser'> & {
      readonly actions: Pick<SessionActions, 'openSession'>;
    };
  };
}

/**
 * Asks as soon as a session in the folder is ready, and again with the next one that is when the question went away. Until it is
 * answered no session there sends anything; a user who cancels the question lets the one that asked go on.
 */
export function askForTrust(trust: FolderTrust, {store, windowSessions}: TrustSurroundings): void {
  const {question} = trust;
  if (!question) return;
  let isDecided = false;
  let isAsking = false;
  const sessions = () => Object.values(store.current().sessions);

  function hold(key: SessionKey, isAwaited: boolean): void {
    store.dispatch({type: 'trust_awaited', key, isAwaited});
  }

  async function decide(key: SessionKey, isYes: boolean): Promise<void> {
    isDecided = true;
    const notice = (level: 'info' | 'warning', text: string) => {
      const event = {type: 'notice', level, text, at: Date.now()} as const;
      store.dispatch({type: 'session', key, event, at: performance.now()});
    };
    if (!isYes) return notice('info', 'The settings of this folder are not used; the next start asks again.');
    const accepted = trust.accept();
    notice('info', 'The settings of this folder are used from now on; /permissions lists its rules.');
    if (!accepted.ok) notice('warning', failureSentence(accepted.failure));
    if (trust.hasServers) notice('info', await startServers(key));
  }

  /** The session that asked was opened without them. What came of opening it again, in words. */
  async function startServers(key: SessionKey): Promise<string> {
    const session = store.current().sessions[key]?.session;
    const opening = session && openingAgain(session);
    const opened = opening && (await windowSessions.clientOf(key).actions.openSession(opening));
    return opened?.ok
      ? 'The session was opened again with the MCP servers of this folder; /mcp lists them.'
      : 'The MCP servers of this folder come with the next session: /new opens one.';
  }

  async function ask(key: SessionKey, asked: UserQuestion): Promise<void> {
    if (isDecided || isAsking) return;
    isAsking = true;
    const answer = await windowSessions.clientOf(key).askUser(asked);
    isAsking = false;
    if (answer !== undefined) await decide(key, answer);
    // What waits is sent with the settings that hold by now.
    for (const open of sessions())
      if (open.waitsForTrust && (isDecided || open.key === key)) hold(open.key, false);
    const other = sessions().find(({waitsForTrust, session}) => waitsForTrust && isReady(session));
    if (other) void ask(other.key, asked);
  }

  for (const {key, session} of sessions()) if (trust.isOf(session.cwd)) hold(key, true);
  store.onEvent((event, state) => {
    if (isDecided || (event.type !== 'session_added' && event.type !== 'session')) return;
    const {key} = event;
    const session = state.sessions[key]?.session;
    const begins = event.type === 'session_added' || event.event.type === 'connection_changed';
    if (!begins || !session || !trust.isOf(session.cwd)) return;
    // At once, or what waits would be sent before the question is on its way.
    hold(key, true);
    // The question is an event itself: it must not come in the middle of this one.
    if (isReady(session)) queueMicrotask(() => void ask(key, question));
  });
}
