import {openList, selectedItem} from '../../app/pickers/picker.ts';
import type {AppEvent} from '../../app/events.ts';
import type {SessionScope} from '../../app/pickers/listings.ts';
import type {AppState} from '../../app/state.ts';
import type {TextMatch} from '../../storage/sessions/search-file.ts';
import type {SessionStore} from '../../storage/sessions/session-store.ts';
import type {SessionFilter, StoredSession} from '../../storage/sessions/stored-session.ts';
import type {ListedSession, ListedSessionFilter, SessionActions} from '../../session/actions.ts';
import {allSessions} from '../../session/lifecycle/all-sessions.ts';
import type {SessionState} from '../../session/state.ts';
import {agentCan} from '../../session/lifecycle/agent-capabilities.ts';
import {activeSession} from '../../app/sessions.ts';
import {agentName} from '../../app/status/status-line.ts';
import type {Store} from '../../shared/store.ts';
import {sanitizeLine} from '../../text/sanitize.ts';
import {awaitTaskOutput} from '../../worker/background.ts';
import {type AgentQueries, queryOtherAgents} from './other-agents.ts';
import {joinSessions, previewOf, type FoundSession, type AgentListing} from './session-rows.ts';
import {addAll} from '../../text/lists.ts';

/** Fills the list of sessions: stored ones immediately, the agent's page by page. */
export interface SessionFinder {
  find(scope: SessionScope): void;
  /** Also asks all other known agents; their sessions are added to this list and later ones. */
  askAll(): void;
  /** The session of a row, or a stored one without a list; as it is stored now: others may have opened it since it was listed. */
  found(row: string): FoundSession | undefined;
  /** For exits that cannot wait. */
  killNow(): void;
  close(): Promise<void>;
}

interface FinderOptions {
  readonly store: Store<AppState, AppEvent>;
  readonly sessions: SessionStore;
  /** Reads what worktrees there are; returns what says which folder one was made from. */
  readonly worktrees: () => Promise<Search['sourceOf']>;
  readonly searchAside?: typeof searchInThread;
  /** Returns the current session, whose agent is queried. */
  readonly current: () => Pick<SessionActions, 'listSessions'>;
  /** Starts to query all other agents. */
  readonly askOthers: (onChange: () => void) => AgentQueries;
}

/** The list is redrawn when it has grown by this factor, because each redraw is more expensive than the last. */
const GROWTH = 1.25;

interface Search {
  readonly scope: SessionScope;
  /** The folder of `scope`. */
  readonly cwd: string;
  readonly stored: readonly StoredSession[];
  readonly hidden: ReadonlySet<string>;
  /** Returns the folder that a worktree with this folder was made from. */
  sourceOf: (cwd: string) => string | undefined;
  /** Listed by the current agent. */
  readonly listed: ListedSession[];
  isGrowing: boolean;
}

export function createSessionFinder({store, sessions, askOthers, ...options}: FinderOptions): SessionFinder {
  let rows: ReadonlyMap<string, FoundSession> = new Map();
  /** The newest search: results of older ones are dropped. */
  let search: Search | undefined;
  let shown = 0;
  const others = queryOtherAgents(store, {ask: askOthers, show: () => show(), showGrown: () => showGrown()});

  function show(): void {
    if (!search) return;
    const {scope, isGrowing, stored, sourceOf} = search;
    shown = known();
    const name = agentName(activeSession(store.latest()));
    rows = joinSessions(stored, listingsOf(search, name, others.listings()));
    const list = {
      scope,
      isGrowing,
      note: others.note(),
      at: Date.now(),
      rows: Array.from(rows.values(), ({row}) => ({...row, source: sourceOf(row.cwd)})),
    };
    store.dispatch({type: 'sessions_found', list}, 'urgent');
  }

  const known = () =>
    (search?.listed.length ?? 0) +
    others.listings().reduce((sum, listing) => sum + listing.sessions.length, 0);
  const showGrown = () => void (known() >= (shown + 1) * GROWTH && show());

  async function find(scope: SessionScope): Promise<void> {
    const {key, session: onScreen} = activeSession(store.latest());
    const current = beginSearch(scope, onScreen.cwd, sessions);
    search = current;
    // Not during the event that opens the list.
    current.sourceOf = await options.worktrees();
    if (current === search) show();
    await untilStarted(store, key);
    const session = store.latest().sessions[key]?.session;
    if (session && canList(session, scope)) {
      await allSessions(options.current(), filterOf(current), (page) => {
        addAll(current.listed, page);
        if (current === search) showGrown();
      });
    }
    current.isGrowing = false;
    if (current === search) show();
  }

  followPreview(store, (row) => previewed(rows.get(row), sessions));
  followFilter(store, (query) => (options.searchAside ?? searchInThread)(sessions.file, query));
  return {
    find: (scope) => void find(scope),
    askAll: others.askAll,
    found: (row) => foundNow(rows.get(row), sessions, row),
    killNow: others.killNow,
    close: others.close,
  };
}

function foundNow(
  listed: FoundSession | undefined,
  sessions: SessionStore,
  id: string,
): FoundSession | undefined {
  if (listed && !listed.stored) return listed;
  const stored = sessions.find(listed?.stored?.id ?? id);
  if (!stored.ok) return listed;
  if (listed) return {...listed, stored: stored.value};
  return joinSessions([stored.value], []).values().next().value;
}

/** The sessions listed so far by the current agent and the others. */
function listingsOf(
  {scope, cwd, listed, hidden}: Search,
  name: string,
  others: readonly AgentListing[],
): readonly AgentListing[] {
  if (scope === 'archived') return [{name, agent: undefined, sessions: listed}];
  const isHere = (session: ListedSession) => scope === 'everywhere' || session.cwd === cwd;
  const isKept = ({sessionId}: ListedSession) => !hidden.has(sessionId);
  const otherListings = others.map(({name, agent, sessions}) => ({
    name,
    agent,
    sessions: sessions.filter((session) => isHere(session) && isKept(session)),
  }));
  const own = listed.filter((session) => isHere(session) && isKept(session));
  return [{name, agent: undefined, sessions: own}, ...otherListings];
}

/** Stored sessions by scope of the list. */
const STORED: Readonly<Record<SessionScope, (cwd: string) => SessionFilter>> = {
  folder: (cwd) => ({cwd}),
  everywhere: () => ({}),
  archived: () => ({include: 'archived_only'}),
};

function canList(session: SessionState, scope: SessionScope): boolean {
  return agentCan(session, 'list') && (scope !== 'archived' || agentCan(session, 'archive'));
}

function filterOf({scope, cwd}: Search): ListedSessionFilter {
  if (scope === 'archived') return {archived: true};
  return scope === 'folder' ? {cwd} : {};
}

function beginSearch(scope: SessionScope, cwd: string, sessions: SessionStore): Search {
  const stored = storedIn(scope, cwd, sessions);
  const sourceOf = () => undefined;
  return {scope, cwd, stored, hidden: hiddenIds(sessions), sourceOf, listed: [], isGrowing: true};
}

function storedIn(scope: SessionScope, cwd: string, sessions: SessionStore): readonly StoredSession[] {
  const listed = sessions.list(STORED[scope](cwd));
  return listed.ok ? listed.value : [];
}

/** Returns sessions that the user deleted or archived here, but that their agent still lists. */
function hiddenIds(sessions: SessionStore): ReadonlySet<string> {
  const hidden = (['deleted', 'archived_only'] as const).flatMap((include) => {
    const listed = sessions.list({include});
    return listed.ok ? listed.value : [];
  });
  return new Set(hidden.flatMap(({agentSessionId}) => agentSessionId ?? []));
}

/** Resolves when the agent of a session no longer starts. */
function untilStarted(store: Store<AppState, AppEvent>, key: string): Promise<void> {
  const isStarting = ({sessions}: AppState) => {
    const connection = sessions[key]?.session.connection;
    return connection?.kind === 'starting' && connection.step !== 'opening_session';
  };
  return new Promise((resolve) => {
    if (!isStarting(store.latest())) return resolve();
    const stop = store.onEvent((_event, state) => {
      if (isStarting(state)) return;
      stop();
      resolve();
    });
  });
}

/** Returns the end of what was said in a session, and what it asks. */
async function previewed(found: FoundSession | undefined, sessions: SessionStore): Promise<string> {
  const {stored, row} = found ?? {};
  const state = stored && (await sessions.end(stored.id));
  const said = state?.ok ? previewOf(state.value) : '';
  return [said, row?.asks].filter(Boolean).join('\n\n');
}

/** Shows a preview of the selected conversation's end, which is read on selection. */
function followPreview(store: Store<AppState, AppEvent>, read: (row: string) => Promise<string>): void {
  let wanted: string | undefined;
  store.onEvent((_event, state) => {
    const list = openList(state, 'sessions');
    const id = list && selectedItem(list)?.id;
    if (id === wanted) return;
    wanted = id;
    if (id === undefined) return;
    void read(id).then((text) => {
      if (id === wanted) store.dispatch({type: 'session_previewed', preview: {id, text}}, 'urgent');
    });
  });
}

/** Number of passages in whose sessions a list finds its words. */
const MAX_SEARCHED = 1000;

/** Searches in a thread, while keys are read. None if the index cannot be read. */
export async function searchInThread(file: string, query: string): Promise<readonly TextMatch[]> {
  return (await awaitTaskOutput('search', {file, query, limit: MAX_SEARCHED})) ?? [];
}

/** A single letter is said everywhere. */
const MIN_FILTER = 2;

/** Searches what was said for the words of the filter, one search at a time: the newest one as soon as the one before it has ended. */
function followFilter(
  store: Store<AppState, AppEvent>,
  searchFor: (query: string) => Promise<readonly TextMatch[]>,
): void {
  let wanted = '';
  let isSearching = false;

  async function search(): Promise<void> {
    if (isSearching || wanted.trim().length < MIN_FILTER) return;
    const filter = wanted;
    isSearching = true;
    const found = await searchFor(filter);
    isSearching = false;
    if (filter !== wanted) return search();
    const places = new Map(
      found.map(({id, text, ...match}) => [id, {...match, text: sanitizeLine(text.replaceAll(/\s+/g, ' '))}]),
    );
    store.dispatch({type: 'sessions_searched', said: {filter, places}}, 'urgent');
  }

  store.onEvent((_event, state) => {
    const filter = openList(state, 'sessions')?.filter ?? state.board?.filter ?? '';
    if (filter === wanted) return;
    wanted = filter;
    void search();
  });
}
