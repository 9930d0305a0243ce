import {sendNext} from '../app/sending.ts';
import type {Effect, Step} from '../app/effects.ts';
import type {AppEvent} from '../app/events.ts';
import type {AppState, SessionKey} from '../app/state.ts';
import type {SessionEvent} from '../session/events.ts';
import type {Store} from '../store.ts';
import {createClient, type Client} from './create-client.ts';
import {followFiles} from './follow-files.ts';
import {gitBranch} from './git-branch.ts';
import type {ClientOptions, Log} from './options.ts';
import {perform} from './perform.ts';
import type {PermissionBook} from './permission-book.ts';
import {createTerminalScreens} from './screens/terminal-screens.ts';

export interface WindowClientOptions {
  readonly store: Store<AppState, AppEvent>;
  readonly key: SessionKey;
  readonly options: ClientOptions;
  readonly log: Log;
  readonly permissions: PermissionBook;
  readonly saveHistory: (text: string) => void;
  readonly stateFolder: string;
  readonly quit: () => void;
}

export interface WindowClient {
  readonly client: Client;
  /** Does what the window wants done. */
  readonly perform: (effect: Effect) => void;
}

/** A conversation in a window: its events go into the window's state, and what waits in the queue is sent as soon as it can go. */
export function createWindowClient(given: WindowClientOptions): WindowClient {
  const {store, key, options, log} = given;
  const dispatch = (event: SessionEvent) => store.dispatch({type: 'session', key, event});
  const screens = createTerminalScreens({
    emit: dispatch,
    awaitsInput: (terminalId) => client.awaitsInput(terminalId),
    log,
  });
  const client: Client = createClient(options, {
    log,
    state: () => sessionOf(store.current(), key),
    emit(event) {
      dispatch(event);
      screens.follow(event);
    },
  });
  const doEffect = (effect: Effect) => perform(effect, {...given, clientOf: () => client});

  function follow({events, effects}: Step): void {
    for (const event of events) store.dispatch(event, 'urgent');
    for (const effect of effects) doEffect(effect);
  }
  afterEvents(store, () => follow(sendNext(store.current(), key)));
  afterEvents(store, followFiles(store));
  followBranch(store, key, options.cwd);
  return {client, perform: doEffect};
}

function sessionOf(state: AppState, key: SessionKey) {
  const open = state.sessions[key];
  if (!open) throw new Error(`no session ${key} is open`);
  return open.session;
}

/** Calls back once after any number of events in a row, outside of their dispatch. */
function afterEvents(store: Store<AppState, AppEvent>, callback: () => void): void {
  let scheduled = false;
  store.onEvent(() => {
    if (scheduled) return;
    scheduled = true;
    queueMicrotask(() => {
      scheduled = false;
      callback();
    });
  });
}

/** The branch may change with every turn, and with every command that a person runs meanwhile. */
function followBranch(store: Store<AppState, AppEvent>, key: SessionKey, cwd: string): void {
  const read = async () => store.dispatch({type: 'branch_changed', key, branch: await gitBranch(cwd)});
  void read();
  store.onEvent((event) => {
    if (event.type === 'session' && event.event.type === 'prompt_ended') void read();
  });
}
