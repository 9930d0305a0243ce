import {sendNext} from '../app/sending.ts';
import type {Effect} from '../app/effects.ts';
import type {AppEvent} from '../app/events.ts';
import type {AppState, SessionKey} from '../app/state.ts';
import type {SessionEvent} from '../session/events.ts';
import type {Store} from '../store.ts';
import {afterEvents} from './after-events.ts';
import {createClient, type Client} from './create-client.ts';
import {gitBranch} from './git-branch.ts';
import type {ClientOptions, Log, WireWatch} from './options.ts';
import {createTerminalScreens} from './screens/terminal-screens.ts';

export interface WindowClientOptions {
  readonly store: Store<AppState, AppEvent>;
  readonly key: SessionKey;
  readonly options: ClientOptions;
  readonly log: Log;
  readonly wire: WireWatch;
  readonly perform: (effect: Effect) => void;
}

/** A conversation in a window: its events go into the window's state, and what waits in the queue is sent as soon as it can go. */
export function createWindowClient(given: WindowClientOptions): Client {
  const {store, key, options, log, wire, perform} = given;
  let last = sessionOf(store.current(), key);
  // What comes after its session was closed changes nothing.
  const newest = () => (last = sessionOf(store.current(), key) ?? last);
  const dispatch = (event: SessionEvent) =>
    store.dispatch({type: 'session', key, event, at: performance.now()});
  const screens = createTerminalScreens({
    emit: dispatch,
    awaitsInput: (terminalId) => client.awaitsInput(terminalId),
    log,
  });
  const link = {
    log,
    state() {
      const state = newest();
      if (!state) throw new Error(`no session ${key} is open`);
      return state;
    },
    emit(event: SessionEvent) {
      dispatch(event);
      screens.follow(event);
    },
  };
  const client: Client = createClient(options, link, wire);

  afterEvents(store, () => {
    const {events, effects} = sendNext(store.current(), key);
    for (const event of events) store.dispatch(event, 'urgent');
    for (const effect of effects) perform(effect);
  });
  followBranch(store, key, options.cwd);
  return client;
}

function sessionOf(state: AppState, key: SessionKey) {
  return state.sessions[key]?.session;
}

/** The branch may change with every turn, and with every command that a person runs meanwhile. */
function followBranch(store: Store<AppState, AppEvent>, key: SessionKey, cwd: string): void {
  const read = async () => store.dispatch({type: 'branch_changed', key, branch: await gitBranch(cwd)});
  void read();
  store.onEvent((event) => {
    if (event.type === 'session' && event.key === key && event.event.type === 'prompt_ended') void read();
  });
}
