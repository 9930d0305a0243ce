import {EntryList} from '../../session/transcript/entry-list.ts';
import type {Failure, Result} from '../../shared/failure.ts';
import {createListeners} from '../../shared/store.ts';
import type {AgentCommand} from '../../agents/resolve.ts';
import type {WireMessage} from '../../protocol/handlers-interface.ts';
import type {SessionEvent} from '../../session/events.ts';
import {initialSession} from '../../session/initial.ts';
import {reduce} from '../../session/reduce.ts';
import type {SessionState} from '../../session/state.ts';
import {createConversation, type Conversation} from '../../conversation/conversation.ts';
import {createAgentPool, type AgentListeners} from '../../conversation/connection/agent-pool.ts';
import type {ConversationOptions, Log, WireListener} from '../../conversation/options.ts';

/** A conversation in print mode, without a user: it refuses whatever the approval level does not allow, and lists it in `denied()`. */
export interface PrintConversation extends Pick<
  Conversation,
  'prompt' | 'cancel' | 'close' | 'expand' | 'readable' | 'denied' | 'killNow'
> {
  /** How the agent is started; undefined if it cannot be. */
  readonly agent?: AgentCommand;
  /**
   * Starts the agent, signs in with `--auth` if passed, opens a session, and applies mode, model and options, each verified. Failures are returned as data:
   * `authentication_required`, `unknown_value`, `exited_early` etc.
   */
  open(): Promise<Result<void>>;
  /** Calls back synchronously with each event as received, with unsanitized text, and the state after it. Returns the unsubscribe function. */
  onEvent(listener: (event: SessionEvent, state: SessionState) => void): () => void;
  /** Returns the latest state. */
  state(): SessionState;
  /** Returns the latest state without the messages of earlier runs of a resumed session. */
  ownState(): SessionState;
  /** Calls back synchronously with each protocol message in both directions. Returns the unsubscribe function. */
  onWire(listener: (message: WireMessage) => void): () => void;
  /**
   * Calls `wait` before reading more of the agent's stdout, and pauses until its promise resolves: a slow reader of the output slows down the agent instead of
   * filling the memory. Undefined continues at once.
   */
  paceReading(wait: () => Promise<void> | undefined): void;
}

interface PrintTools extends Pick<AgentListeners, 'startAgent'> {
  readonly log: Log;
  readonly onWireEvent?: WireListener['onEvent'];
  /** The stored state of the session to resume. */
  readonly kept?: SessionState | undefined;
}

/** Creates a conversation without a window: it reduces its own state, and listeners get the events. */
export function createPrintConversation(
  options: ConversationOptions,
  {log, kept, onWireEvent, startAgent}: PrintTools,
): PrintConversation {
  const {cwd, additionalDirectories} = options;
  const events = createListeners<[event: SessionEvent, state: SessionState]>();
  const messages = createListeners<[message: WireMessage]>();
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
      events.notify(event, state);
    },
  };
  const wire: WireListener = {
    onWire: messages.notify,
    onEvent: onWireEvent,
    pace: () => pace(),
  };
  return {
    ...createConversation(options, sink, createAgentPool({wire, log, startAgent})),
    agent: options.agent,
    onEvent: events.subscribe,
    onWire: messages.subscribe,
    state: () => state,
    ownState: () => ({...state, entries: EntryList.from(state.entries.slice(earlier))}),
    paceReading(wait) {
      pace = wait;
    },
  };
}

/** A conversation that cannot be started, so that its failure is reported like any other. */
export function createUnstartedClient(failure: Failure): PrintConversation {
  const state = initialSession({cwd: '', additionalDirectories: [], at: Date.now()});
  const failed = () => Promise.resolve({ok: false as const, failure});
  return {
    open: failed,
    expand: failed,
    readable: async () => () => false,
    onEvent: () => () => {},
    onWire: () => () => {},
    state: () => state,
    ownState: () => state,
    paceReading: () => {},
    denied: () => [],
    prompt: () => {},
    cancel: () => {},
    close: () => Promise.resolve(),
    killNow: () => {},
  };
}
