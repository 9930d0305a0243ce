import {takeStep, type Effect} from '../../app/effects.ts';
import type {AppEvent} from '../../app/events.ts';
import {sendNext} from '../../app/queue/sending.ts';
import {doWaiting, refreshReview} from '../../app/review/follow-turns.ts';
import type {AppState, SessionKey} from '../../app/state.ts';
import type {SessionEvent} from '../../session/events.ts';
import type {Store} from '../../shared/store.ts';
import {createClient, type Client} from '../client.ts';
import type {AgentPool} from '../connection/agent-pool.ts';
import type {ClientOptions, Log} from '../options.ts';
import {createTerminalScreens} from '../terminal-screens/terminal-screens.ts';
import type {ReportFault} from './faults.ts';
import {gitBranch} from './git-branch.ts';

interface WindowClientOptions {
  readonly store: Store<AppState, AppEvent>;
  readonly key: SessionKey;
  readonly options: ClientOptions;
  readonly log: Log;
  readonly agents: AgentPool;
  readonly perform: (effect: Effect) => void;
  readonly report: ReportFault;
}

export interface WindowClient {
  readonly client: Client;
  /** Cuts the connection to the window in both directions. */
  readonly detach: () => void;
}

/** Creates a conversation in a window: its events go into the window's state, and queued prompts are sent when possible. */
export function createWindowClient(clientOptions: WindowClientOptions): WindowClient {
  const {store, key, options, log, agents, perform, report} = clientOptions;
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
  const screens = createTerminalScreens({
    emit: dispatch,
    awaitsInput: (terminalId) => client.awaitsInput(terminalId),
    log,
  });
  const sink = {
    log,
    state() {
      const state = newest();
      if (!state) throw new Error(`no session ${key} is open`);
      return state;
    },
    emit(event: SessionEvent) {
      dispatch(event);
      guarded('drawing of a terminal', () => screens.follow(event));
    },
  };
  const client: Client = createClient(options, sink, agents);

  const send = () => {
    takeStep(doWaiting(store.latest(), key), store, perform);
    takeStep(sendNext(store.latest(), key), store, perform);
  };
  const stops = [
    debounceEvents(store, () => guarded('sending of what waits', send)),
    followBranch(store, key, options.cwd),
    store.onEvent((event) => {
      if (event.type === 'session' && event.key === key)
        takeStep(refreshReview(store.latest(), key, event.event), store, perform);
    }),
  ];
  return {
    client,
    detach() {
      isAttached = false;
      for (const stop of stops) stop();
    },
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
export function debounceEvents(store: Store<AppState, AppEvent>, callback: () => void): () => void {
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
