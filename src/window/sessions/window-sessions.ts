import {type Effect, takeStep} from '../../app/effects.ts';
import type {AppEvent} from '../../app/events.ts';
import type {AgentCommand} from '../../agents/resolve.ts';
import {openedSession, programOf} from '../../app/initial.ts';
import {activeSession} from '../../app/sessions.ts';
import {isUntouched, openWanted, sessionKeys} from '../../app/switching.ts';
import type {AppState, SessionKey} from '../../app/state.ts';
import type {Result} from '../../shared/failure.ts';
import {initialSession} from '../../session/initial.ts';
import type {Store} from '../../shared/store.ts';
import {createAgentChooser} from '../agents/agent-chooser.ts';
import {agentsToAsk, askAgents, type AgentToAsk} from './other-agents.ts';
import type {AttachedSession} from '../../service/attached-session.ts';
import type {SessionActions} from '../../session/actions.ts';
import {type Client, createClient} from '../../client/client.ts';
import {createAgentPool, type AgentPool} from '../../client/connection/agent-pool.ts';
import {syncFileIndex} from '../file-index-sync.ts';
import {storedElsewhereNotice} from './storage-notices.ts';
import type {ClientOptions, SessionSink} from '../../client/options.ts';
import {createSessionFinder} from './session-finder.ts';
import {runEffect} from '../effects/effects.ts';
import {createWireViewer} from '../wire-inspector.ts';
import type {NewSessionOptions, WindowOptions, WindowSessions} from '../effects/effect-context.ts';
import {doWaiting, refreshReview} from '../../app/review/follow-turns.ts';
import type {SessionEvent} from '../../session/events.ts';
import {gitBranch} from '../../files/git-branch.ts';

interface Running extends WindowClient {
  readonly options: ClientOptions;
}

/** A session that the window has: its own, or one of the background service. */
interface WindowSession {
  readonly actions: SessionActions;
  open(): Promise<Result<void>>;
  /** Ends it. */
  end(): Promise<void>;
  /** The window is closed: ends it, unless it is the service's. */
  leave(): Promise<void>;
  killNow(): void;
}

export function createWindowSessions(window: WindowOptions): WindowSessions {
  const {store, storage, log} = window;
  const clients = createClients(window, doEffect);
  let count = 1;

  const clientOf = (key: SessionKey) => clients.get(key).session.actions;

  function open(beginning: NewSessionOptions): Promise<Result<void>> {
    const before = activeSession(store.latest());
    const key = `session-${++count}`;
    addSession(window, key, beginning);
    const session = clients.start(key, beginning.options);
    store.dispatch({type: 'session_activated', key}, 'urgent');
    const opening = session.open();
    if (isUntouched(before)) {
      store.dispatch({type: 'session_handed_over', from: before.key, key}, 'urgent');
      const {prompts, outputs, isPaused} = before.session.queue;
      void clientOf(before.key).changeQueue({kind: 'clear'});
      void session.actions.changeQueue({kind: 'restore', prompts, outputs, isPaused});
      // Both may share an agent, which must not end before the new session has joined it.
      close(before.key, opening);
    }
    return opening;
  }

  function close(key: SessionKey, endsAfter?: Promise<unknown>): void {
    const options = clients.find(key)?.options;
    if (!options) return;
    if (sessionKeys(store.latest()).length === 1) void open({options: {...options, opening: {kind: 'new'}}});
    if (clients.remove(key, endsAfter)) store.dispatch({type: 'session_removed', key}, 'urgent');
  }

  const inspector = createWireViewer({store, lines: window.wireLines});

  function doEffect(effect: Effect): void {
    runEffect(effect, {...window, sessions, inspector});
  }

  debounceEvents(store, syncFileIndex(store));
  const current = () => clientOf(store.latest().active);
  const askOthers = (onChange: () => void) => {
    const base = optionsOf(store.latest().active);
    return askAgents(otherAgents(window, base.agent), {base, log, onChange});
  };
  const finder = createSessionFinder({store, sessions: storage.sessions, current, askOthers});
  async function closeAll(): Promise<void> {
    chooser.stop();
    await Promise.all([finder.close(), clients.endAll()]);
  }
  const killNow = () => [clients, finder].forEach((started) => started.killNow());
  const optionsOf = (key: SessionKey) => clients.get(key).options;
  const askUser: SessionActions['askUser'] = (question) => current().askUser(question);
  const chooser = createAgentChooser({...window, askUser, open: (options) => open({options})});
  const sessions: WindowSessions = {
    start: clients.start,
    open,
    close: (key) => close(key),
    optionsOf,
    clientOf,
    closeAll,
    killNow,
    finder,
    chooser,
    perform: doEffect,
  };
  return sessions;
}

/** The clients of a window's sessions. */
function createClients({store, log, wire, report}: WindowOptions, perform: (effect: Effect) => void) {
  const agents = createAgentPool({wire, log});
  const running = new Map<SessionKey, Running>();
  /** Including those being closed: they may still have to be killed. */
  const living = new Set<WindowSession>();

  /** A session that fails to end is kept for `killNow`. */
  async function ended(session: WindowSession, how: 'end' | 'leave'): Promise<void> {
    try {
      await session[how]();
      living.delete(session);
    } catch (error) {
      report(error, {doing: 'stopping an agent'});
    }
  }

  return {
    start: (key: SessionKey, options: ClientOptions, attached?: AttachedSession): WindowSession => {
      const started = createWindowClient({store, key, options, attached, log, agents, perform, report});
      running.set(key, {...started, options});
      living.add(started.session);
      return started.session;
    },
    find: (key: SessionKey) => running.get(key),
    get(key: SessionKey): Running {
      const found = running.get(key);
      if (!found) throw new Error(`no session ${key} runs`);
      return found;
    },
    /** False if it is gone already. Its agent ends in the background, or after `endsAfter`. */
    remove(key: SessionKey, endsAfter?: Promise<unknown>): boolean {
      const found = running.get(key);
      if (!found) return false;
      running.delete(key);
      void (endsAfter ? endsAfter.then(() => ended(found.session, 'end')) : ended(found.session, 'end'));
      found.detach();
      return true;
    },
    endAll: () => Promise.all(Array.from(living, (session) => ended(session, 'leave'))),
    killNow: () => living.forEach((session) => session.killNow()),
  };
}

function otherAgents({agentsToAsk: known, storage}: WindowOptions, own: AgentCommand): AgentToAsk[] {
  const stored = storage.sessions.list({include: 'archived'});
  return agentsToAsk(known?.() ?? [], stored.ok ? stored.value.map(({agent}) => agent) : [], own);
}

/** Adds a session to the window and starts recording it. */
function addSession({store, storage}: WindowOptions, key: SessionKey, beginning: NewSessionOptions): void {
  const {options, session, before, problems = []} = beginning;
  const {agent, cwd, additionalDirectories, approval} = options;
  const state = session ?? initialSession({cwd, additionalDirectories, at: Date.now()});
  const open = openedSession({
    key,
    agentLabel: agent.label,
    agentProgram: programOf(agent),
    session: state,
    approval,
    at: performance.now(),
  });
  store.dispatch({type: 'session_added', key, open});
  const {label, command, args} = agent;
  const recorded = storage.recording.begin(key, {
    agent: {label, command, args},
    cwd,
    additionalDirectories,
    ...before,
  });
  for (const text of [storedElsewhereNotice(recorded) ?? [], problems].flat()) {
    const event = {type: 'notice', level: 'warning', text, at: Date.now()} as const;
    store.dispatch({type: 'session', key, event, at: performance.now()});
  }
}

interface WindowClientOptions extends Pick<WindowOptions, 'store' | 'log' | 'report'> {
  readonly key: SessionKey;
  readonly options: ClientOptions;
  /** Undefined if the window runs the session itself. */
  readonly attached: AttachedSession | undefined;
  readonly agents: AgentPool;
  readonly perform: (effect: Effect) => void;
}

interface WindowClient {
  readonly session: WindowSession;
  /** Cuts the connection to the window in both directions. */
  readonly detach: () => void;
}

/** Creates a conversation in a window: its events go into the window's state. */
function createWindowClient(clientOptions: WindowClientOptions): WindowClient {
  const {store, key, options, attached, log, agents, perform, report} = clientOptions;
  let isAttached = true;
  let last = sessionOf(store.latest(), key);
  // Events after its session was closed are ignored.
  const newest = () => (last = sessionOf(store.latest(), key) ?? last);
  const guarded = (doing: string, work: () => void) => {
    try {
      work();
    } catch (error) {
      report(error, {doing, key});
    }
  };
  const dispatch = (event: SessionEvent) => {
    if (isAttached)
      guarded(event.type, () => store.dispatch({type: 'session', key, event, at: performance.now()}));
  };
  const sink = {
    log,
    state() {
      const state = newest();
      if (!state) throw new Error(`no session ${key} is open`);
      return state;
    },
    emit: dispatch,
  };
  const session = attached ? shown(attached, sink) : own(createClient(options, sink, agents));

  const followUp = () => {
    takeStep(doWaiting(store.latest(), key), store, perform);
    takeStep(openWanted(store.latest(), key), store, perform);
  };
  const stops = [
    debounceEvents(store, () => guarded('following the session', followUp)),
    followBranch(store, key, options.cwd),
    store.onEvent((event) => {
      if (event.type === 'session' && event.key === key)
        takeStep(refreshReview(store.latest(), key, event.event), store, perform);
    }),
  ];
  return {
    session,
    detach() {
      isAttached = false;
      for (const stop of stops) stop();
    },
  };
}

function own(client: Client): WindowSession {
  const end = () => client.close();
  return {actions: client, open: () => client.open(), end, leave: end, killNow: () => client.killNow()};
}

function shown(attached: AttachedSession, sink: SessionSink): WindowSession {
  const actions = attached.follow((event) => sink.emit(event));
  const leave = async () => attached.leave();
  return {
    actions,
    open: async () => ({ok: true, value: undefined}),
    end: () => actions.close().then(leave),
    leave,
    killNow: () => attached.leave(),
  };
}

function sessionOf(state: AppState, key: SessionKey) {
  return state.sessions[key]?.session;
}

/** Updates the branch, which may change with every turn and every user command. Returns a function to stop. */
function followBranch(store: Store<AppState, AppEvent>, key: SessionKey, cwd: string): () => void {
  const read = () =>
    void setImmediate(() => store.dispatch({type: 'branch_changed', key, branch: gitBranch(cwd)}));
  read();
  return store.onEvent((event) => {
    if (event.type === 'session' && event.key === key && event.event.type === 'prompt_ended') read();
  });
}

/** Calls back once after any number of consecutive events, outside of their dispatch. Returns a function to stop. */
function debounceEvents(store: Store<AppState, AppEvent>, callback: () => void): () => void {
  let scheduled = false;
  let isOver = false;
  const stop = store.onEvent(() => {
    if (scheduled) return;
    scheduled = true;
    queueMicrotask(() => {
      scheduled = false;
      if (!isOver) callback();
    });
  });
  return () => {
    isOver = true;
    stop();
  };
}
