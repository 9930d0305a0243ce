import {selectedItem} from '../app/picker.ts';
import type {AppEvent} from '../app/events.ts';
import type {AppState, SessionScope} from '../app/state.ts';
import type {SessionStore} from '../persistence/sessions/session-store.ts';
import type {ListedSession, SessionActions} from '../session/actions.ts';
import {agentCan} from '../session/abilities.ts';
import {activeSession} from '../app/sessions.ts';
import {agentName} from '../app/status.ts';
import type {Store} from '../store.ts';
import {joinSessions, previewOf, type FoundSession} from './session-rows.ts';

/** Fills the list of sessions: ours at once, the agent's page by page. */
export interface SessionFinder {
  find(scope: SessionScope): void;
  /** What stands behind a row of the list. */
  found(row: string): FoundSession | undefined;
}

export interface FinderOptions {
  readonly store: Store<AppState, AppEvent>;
  readonly sessions: SessionStore;
  /** Of the session on the screen: its agent is asked. */
  readonly actions: () => SessionActions;
}

/** The list is drawn anew when it has grown by this factor: each time costs more than the last. */
const GROWTH = 1.25;

export function createSessionFinder({store, sessions, actions}: FinderOptions): SessionFinder {
  let rows: ReadonlyMap<string, FoundSession> = new Map();
  /** Counts searches: what an older one still finds is not shown. */
  let search = 0;

  async function find(scope: SessionScope): Promise<void> {
    const current = ++search;
    const open = activeSession(store.current());
    const {cwd} = open.session;
    const own = sessions.list(scope === 'folder' ? {cwd} : {});
    const stored = own.ok ? own.value : [];
    const hidden = hiddenIds(sessions);
    const listed: ListedSession[] = [];
    let shown = 0;

    function show(isGrowing: boolean): void {
      shown = listed.length;
      rows = joinSessions(stored, listed, agentName(activeSession(store.current())));
      const list = {scope, isGrowing, at: Date.now(), rows: [...rows.values()].map(({row}) => row)};
      store.dispatch({type: 'sessions_found', list}, 'urgent');
    }

    // Never in the middle of the event that opens the list.
    await Promise.resolve();
    show(true);
    await untilStarted(store, open.key);
    const session = store.current().sessions[open.key]?.session;
    if (session && agentCan(session, 'list')) {
      await actions().listSessions(scope === 'folder' ? cwd : undefined, (page) => {
        listed.push(...page.filter(({sessionId}) => !hidden.has(sessionId)));
        if (current === search && listed.length >= (shown + 1) * GROWTH) show(true);
      });
    }
    if (current === search) show(false);
  }

  followPreview(store, async (row) => {
    const stored = rows.get(row)?.stored;
    const state = stored && (await sessions.state(stored.id));
    return state?.ok ? previewOf(state.value) : '';
  });
  return {find: (scope) => void find(scope), found: (row) => rows.get(row)};
}

/** What the user deleted or archived here, though its agent still lists it. */
function hiddenIds(sessions: SessionStore): ReadonlySet<string> {
  const [deleted, kept] = [sessions.list({include: 'deleted'}), sessions.list({include: 'archived'})];
  const hidden = [
    ...(deleted.ok ? deleted.value : []),
    ...(kept.ok ? kept.value.filter(({archived}) => archived) : []),
  ];
  return new Set(hidden.flatMap(({agentSessionId}) => agentSessionId ?? []));
}

/** Resolves when the agent of a session no longer starts. */
function untilStarted(store: Store<AppState, AppEvent>, key: string): Promise<void> {
  const isStarting = ({sessions}: AppState) => {
    const connection = sessions[key]?.session.connection;
    return connection?.kind === 'starting' && connection.step !== 'opening_session';
  };
  return new Promise((resolve) => {
    if (!isStarting(store.current())) return resolve();
    const stop = store.onEvent((_event, state) => {
      if (isStarting(state)) return;
      stop();
      resolve();
    });
  });
}

/** Shows the end of the conversation that is selected, read when it is. */
function followPreview(store: Store<AppState, AppEvent>, read: (row: string) => Promise<string>): void {
  let wanted: string | undefined;
  store.onEvent((_event, {overlay}) => {
    const isList = overlay.kind === 'picker' && overlay.picker.purpose.kind === 'sessions';
    const id = isList ? selectedItem(overlay.picker)?.id : undefined;
    if (id === wanted) return;
    wanted = id;
    if (id === undefined) return;
    void read(id).then((text) => {
      if (id === wanted) store.dispatch({type: 'session_previewed', preview: {id, text}}, 'urgent');
    });
  });
}
