import {applyReaction, type Effect} from '../../app/effects.ts';
import type {AppEvent} from '../../app/events.ts';
import {performWaitingChange, refreshReview} from '../../app/review/follow-turns.ts';
import type {AppState, SessionKey} from '../../app/state.ts';
import {openWantedSession} from '../../app/switching.ts';
import {type Conversation, createConversation} from '../../conversation/conversation.ts';
import type {AgentPool} from '../../conversation/connection/agent-pool.ts';
import type {ConversationOptions, SessionSink} from '../../conversation/options.ts';
import {gitBranch} from '../../git/git-branch.ts';
import {mayChangeBranch} from '../../storage/sessions/record-session.ts';
import type {AttachedSession} from '../../service/attached-session.ts';
import type {SessionActions} from '../../session/actions.ts';
import type {SessionEvent} from '../../session/events.ts';
import type {Result} from '../../shared/failure.ts';
import type {Store} from '../../shared/store.ts';
import type {WindowOptions} from '../effects/effect-context.ts';
import {addNotice} from '../notices.ts';

/** A session that the window has: its own, or one of the background service. */
export interface WindowSession {
  readonly actions: SessionActions;
  open(): Promise<Result<void>>;
  /** Ends it. */
  end(): Promise<void>;
  /** The window is closed: ends it, unless it is the service's. */
  leave(): Promise<void>;
  /** See `Conversation`. */
  keepsAuthMethod(): boolean;
  killNow(): void;
}

interface WindowConversationOptions extends Pick<WindowOptions, 'store' | 'log' | 'report'> {
  readonly key: SessionKey;
  readonly options: ConversationOptions;
  /** Undefined if the window runs the session itself. */
  readonly attached: AttachedSession | undefined;
  readonly agents: AgentPool;
  readonly perform: (effect: Effect) => void;
}

export interface WindowConversation {
  readonly session: WindowSession;
  /** Cuts the connection to the window in both directions. */
  readonly detach: () => void;
}

/** Creates a conversation in a window: its events go into the window's state. */
export function createWindowConversation(clientOptions: WindowConversationOptions): WindowConversation {
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
    // What is found while it ends, such as what was written in its sandbox, is said in the one that is open.
    else if (event.type === 'notice' && event.level === 'warning')
      guarded(event.type, () => addNotice(store, event.text));
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
  const session = attached ? shown(attached, sink) : own(createConversation(options, sink, agents));

  const followUp = () => {
    applyReaction(performWaitingChange(store.latest(), key), store, perform);
    applyReaction(openWantedSession(store.latest(), key), store, perform);
  };
  const stops = [
    debounceEvents(store, () => guarded('following the session', followUp)),
    followBranch(store, key, options.cwd),
    store.onEvent((event) => {
      if (event.type === 'session' && event.key === key)
        applyReaction(refreshReview(store.latest(), key, event.event), store, perform);
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

function own(conversation: Conversation): WindowSession {
  const end = () => conversation.close();
  return {
    actions: conversation,
    open: () => conversation.open(),
    end,
    leave: end,
    keepsAuthMethod: () => conversation.keepsAuthMethod(),
    killNow: () => conversation.killNow(),
  };
}

function shown(attached: AttachedSession, sink: SessionSink): WindowSession {
  const actions = attached.follow((event) => sink.emit(event));
  const leave = () => attached.leave();
  return {
    actions,
    open: async () => ({ok: true, value: undefined}),
    end: () => actions.close().then(leave),
    leave,
    keepsAuthMethod: () => true,
    killNow: () => void attached.leave(),
  };
}

function sessionOf(state: AppState, key: SessionKey) {
  return state.sessions[key]?.session;
}

/** Updates the branch on the screen. Returns a function to stop. */
function followBranch(store: Store<AppState, AppEvent>, key: SessionKey, cwd: string): () => void {
  const read = () =>
    void setImmediate(() => store.dispatch({type: 'branch_changed', key, branch: gitBranch(cwd)}));
  read();
  return store.onEvent((event) => {
    if (event.type === 'session' && event.key === key && mayChangeBranch(event.event)) read();
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
