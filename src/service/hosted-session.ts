import {restoreQueueChange, type UnsentInput} from '../app/sessions.ts';
import {createConversation, type Conversation} from '../conversation/conversation.ts';
import type {AgentPool} from '../conversation/connection/agent-pool.ts';
import type {ConversationOptions, Log} from '../conversation/options.ts';
import type {CommonOptions} from '../cli/options.ts';
import type {SessionEvent} from '../session/events.ts';
import type {NewPrompt} from '../session/queue/queued-prompt.ts';
import {withInitialQueue} from '../session/queue/interrupted-prompt.ts';
import type {QueueChange} from '../session/queue/queue-changes.ts';
import {promptBlock} from '../session/content/pasted-text.ts';
import {reduce} from '../session/reduce.ts';
import {pendingRequestLine} from '../session/labels/asked-line.ts';
import {doingOf, openStateOf} from '../session/labels/session-states.ts';
import {isUntouched} from '../session/selectors.ts';
import {runningTasks} from '../session/lifecycle/tasks.ts';
import {toSent} from '../session/lifecycle/sent-state.ts';
import type {SessionState} from '../session/state.ts';
import {sessionTitle} from '../session/titles.ts';
import {errorMessage, errorStack, fail, type Result} from '../shared/failure.ts';
import {newSessionId} from '../storage/sessions/recorder.ts';
import {isActionCall} from './action-arguments.ts';
import type {RunningSession, SessionSnapshot, SnapshotState} from './messages.ts';
import type {HostedStorage} from './hosted-storage.ts';

/** A session that is ready to be started. */
export interface PreparedSession {
  /** acp-tui's id, until it is stored under another one. */
  readonly id: string;
  readonly given: CommonOptions;
  readonly options: ConversationOptions;
  /** As stored by an earlier run, or a new one. */
  readonly session: SessionState;
  readonly prompt?: FirstPrompt | undefined;
  readonly storage: HostedStorage;
  /** What it did not send in an earlier run. */
  readonly unsent?: UnsentInput | undefined;
  /** What the user should know, in sentences. */
  readonly problems: readonly string[];
  /** Calls back with what cannot be stored later, in sentences; also during an event. */
  readonly onNotStored: (listener: (sentence: string) => void) => void;
  readonly close: () => void;
}

type FirstPrompt = Pick<NewPrompt, 'text' | 'isAgents'>;

/** A session that runs in the service, whether or not a window shows it. */
export interface HostedSession {
  /** What it is called as long as it runs. */
  readonly key: string;
  /** The id under which it is stored, or will be. */
  readonly id: () => string;
  /** Starts its agent, and sends the prompt. */
  begin(): void;
  summary(): RunningSession;
  /** Returns its state, and calls back with all later events until the returned function is called. */
  attach(listener: (event: SessionEvent) => void): {
    readonly snapshot: SessionSnapshot;
    readonly detach: () => void;
  };
  call(action: string, args: readonly unknown[]): Promise<Result<unknown>>;
  /** True if nothing happens in it, and no window shows it. */
  isIdle(): boolean;
  end(): Promise<void>;
  killNow(): void;
}

interface HostContext {
  readonly agents: AgentPool;
  readonly log: Log;
  /** Called once it has ended. */
  readonly onEnd: () => void;
}

/** Runs a session: its state, its client, and its storage. */
export function hostSession(prepared: PreparedSession, {agents, log, onEnd}: HostContext): HostedSession {
  const {given, options, storage, problems} = prepared;
  const key = newSessionId();
  const listeners = new Set<(event: SessionEvent) => void>();
  /** The file that begins where the transcript does. */
  let firstFile = storage.id();
  let state = withInitialQueue(prepared.session, options.approval);

  function emit(event: SessionEvent): void {
    state = reduce(state, event);
    storage.follow(event, state);
    firstFile ??= storage.id();
    for (const listener of listeners) listener(event);
  }

  prepared.onNotStored((sentence) => queueMicrotask(() => emit(warningOf(sentence))));

  // Another session that was opened in it has no id before there is something to store.
  const id = () => storage.id() ?? (firstFile === undefined ? prepared.id : key);

  const conversation: Conversation = createConversation(options, {log, state: () => state, emit}, agents);
  let ending: Promise<void> | undefined;
  const end = () =>
    (ending ??= conversation.close().then(() => {
      storage.close();
      prepared.close();
      onEnd();
    }));

  return {
    key,
    id,
    begin() {
      for (const text of problems) emit(warningOf(text));
      if (prepared.unsent) void conversation.changeQueue(restoreQueueChange(prepared.unsent));
      if (prepared.prompt) void conversation.changeQueue(submission(prepared.prompt));
      void conversation.open();
    },
    summary: () => ({
      id: id(),
      ...summaryOf(state, options),
      doing: openStateOf(doingOf(state), storage.isRead()),
      windows: listeners.size,
    }),
    attach(listener) {
      listeners.add(listener);
      return {
        snapshot: {key, id: id(), given, state: snapshotOf(state, firstFile, storage)},
        detach() {
          listeners.delete(listener);
          // Nobody comes back to a session in which nothing was said.
          if (listeners.size === 0 && isUntouched(state)) void end();
        },
      };
    },
    async call(action, args) {
      return action === 'close'
        ? {ok: true, value: await end()}
        : runAction(conversation, {action, args, log});
    },
    isIdle: () => listeners.size === 0 && hasRest(state),
    end,
    killNow: () => conversation.killNow(),
  };
}

interface Called {
  readonly action: string;
  readonly args: readonly unknown[];
  readonly log: Log;
}

async function runAction(conversation: Conversation, {action, args, log}: Called): Promise<Result<unknown>> {
  if (!isActionCall(action, args))
    return fail({kind: 'not_offered', what: action, why: 'a session has no such action'});
  const run = conversation[action] as (...args: readonly unknown[]) => unknown;
  try {
    return {ok: true, value: await run(...args)};
  } catch (error) {
    log('error', `${action}: ${errorStack(error)}`);
    return fail({kind: 'internal', problem: errorMessage(error)});
  }
}

/** True if nothing happens in it. Without an open session, what is queued stays stored. */
function hasRest(state: SessionState): boolean {
  const isOver = !['ready', 'starting'].includes(state.connection.kind);
  const isAtWork = ['waiting', 'working'].includes(doingOf(state) ?? '');
  const isQuiet = isOver || (!isAtWork && state.queue.prompts.length === 0);
  return isQuiet && runningTasks(state).length === 0;
}

function warningOf(text: string): SessionEvent {
  return {type: 'notice', level: 'warning', text, at: Date.now()};
}

function submission(prompt: FirstPrompt): QueueChange {
  return {kind: 'submit', prompt: {...prompt, content: [promptBlock(prompt.text, [])]}, place: 'last'};
}

function snapshotOf(
  session: SessionState,
  firstFile: string | undefined,
  storage: HostedStorage,
): SnapshotState {
  const bytes = storage.id() === firstFile ? storage.storedBytes() : undefined;
  if (bytes === undefined) return {kind: 'whole', session: toSent(session)};
  const {approval, customCommands, queue} = session;
  return {kind: 'stored', bytes, live: {approval, customCommands, queue}};
}

function summaryOf(
  state: SessionState,
  {agent}: ConversationOptions,
): Omit<RunningSession, 'id' | 'doing' | 'windows'> {
  const {title = agent.label} = state.agent ?? {};
  const asks = pendingRequestLine(state);
  return {
    title: sessionTitle(state) ?? state.queue.prompts[0]?.text ?? '',
    agent: title,
    cwd: state.cwd,
    ...(asks !== undefined && {asks}),
  };
}
