import type {Failure} from '../shared/failure.ts';
import type {HeadlessClient} from '../headless/client-interface.ts';
import type {WireMessage} from '../protocol/handlers-interface.ts';
import type {SessionEvent} from '../session/events.ts';
import {List} from '../session/transcript/persistent-list.ts';
import {initialSession} from '../session/initial.ts';
import {reduce} from '../session/reduce.ts';
import type {SessionState} from '../session/state.ts';
import {createClient} from './client.ts';
import {createAgentPool} from './connection/agent-pool.ts';
import type {ClientOptions, Log, WireListener} from './options.ts';

interface HeadlessTools {
  readonly log: Log;
  readonly onWireEvent?: WireListener['onEvent'];
  /** The stored state of the session to resume. */
  readonly kept?: SessionState | undefined;
}

/** Creates a conversation without a window: it reduces its own state, and listeners get the events. */
export function createHeadlessClient(
  options: ClientOptions,
  {log, kept, onWireEvent}: HeadlessTools,
): HeadlessClient {
  const {cwd, additionalDirectories} = options;
  const eventListeners = new Set<(event: SessionEvent, state: SessionState) => void>();
  const wireListeners = new Set<(message: WireMessage) => void>();
  let state = kept ?? initialSession({cwd, additionalDirectories, at: Date.now()});
  /** Number of entries from earlier runs. */
  let earlier = 0;
  let pace: () => Promise<void> | undefined = () => undefined;

  const sink = {
    log,
    state: () => state,
    emit(event: SessionEvent) {
      state = reduce(state, event);
      if (event.type === 'session_opened') earlier = state.entries.length;
      for (const listener of eventListeners) listener(event, state);
    },
  };
  const wire: WireListener = {
    onWire(message) {
      for (const listener of wireListeners) listener(message);
    },
    onEvent: onWireEvent,
    pace: () => pace(),
  };
  const client = createClient(options, sink, createAgentPool({wire, log}));

  return {
    agent: options.agent,
    open: () => client.open(),
    onEvent: (listener) => added(eventListeners, listener),
    onWire: (listener) => added(wireListeners, listener),
    state: () => state,
    ownState: () => ({...state, entries: List.from(state.entries.slice(earlier))}),
    paceReading(wait) {
      pace = wait;
    },
    denied: () => client.denied(),
    actions: client.actions,
    killNow: () => client.killNow(),
  };
}

function added<T>(listeners: Set<T>, listener: T): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

/** A conversation that cannot be started, so that its failure is reported like any other. */
export function createUnstartedClient(failure: Failure): HeadlessClient {
  const state = initialSession({cwd: '', additionalDirectories: [], at: Date.now()});
  return {
    open: () => Promise.resolve({ok: false, failure}),
    onEvent: () => () => {},
    onWire: () => () => {},
    state: () => state,
    ownState: () => state,
    paceReading: () => {},
    denied: () => [],
    actions: {prompt: () => {}, cancel: () => {}, close: () => Promise.resolve()},
    killNow: () => {},
  };
}
