import {setImmediate as macrotask} from 'node:timers/promises';
import type * as acp from '@agentclientprotocol/sdk/unstable';
import type {RunningAgent} from '../agents/running-agent.ts';
import {fail, type Failure, type Result} from '../shared/failure.ts';
import type {RuleVerdict} from '../host/rules/match.ts';
import type {RequestedOperation, Host} from '../host/services.ts';
import type {SessionSandbox} from '../sandbox/session-sandbox.ts';
import type {Opening} from '../session/events.ts';
import type {ConnectionState} from '../session/state.ts';
import type {SessionSetup} from '../protocol/connection.ts';
import type {TurnSnapshots} from '../snapshots/turn-snapshots.ts';
import type {AgentPool} from './connection/agent-pool.ts';
import type {ProviderConfigs} from './connection/agent-updates.ts';
import {
  connectionOf,
  nextPhase,
  phaseToReturnTo,
  type AgentRun,
  type EventFields,
  type EventName,
  type Phase,
  type PhaseOf,
  type NextPhaseName,
} from './connection/phases.ts';
import type {HookInput} from './hooks/hook-inputs.ts';
import type {ConversationOptions, SessionSink} from './options.ts';
import type {TurnPhase} from './prompt/turn-phases.ts';

/** The hooks of a session, see docs/commands-and-hooks.md. One that fails is reported once, and everything goes on as without it. */
export interface SessionHooks {
  /** True if there are none, for no event. */
  isEmpty(): boolean;
  /** Runs the hooks of an event. What they have for the agent is added to the turn if it takes that, otherwise to the next prompt. */
  run(input: HookInput): Promise<void>;
  /** Returns the prompt with what hooks add to it, or the failure `prompt_blocked`. */
  beforePrompt(content: readonly acp.ContentBlock[]): Promise<Result<readonly acp.ContentBlock[]>>;
  /** The prompt was not sent: what it took along is for the next one. */
  notSent(): void;
  /** Stops the hooks that run, synchronously; `why` is for the log. */
  stop(why: string): void;
  /** Returns what hooks decide about an operation; undefined if none does. */
  decide(operation: RequestedOperation, signal: AbortSignal): Promise<RuleVerdict | undefined>;
  /** Runs the hooks of the session's end, and waits for a short time until all have ended; then they are stopped. */
  close(): Promise<void>;
}

/** State of one conversation, shared by the functions of `conversation/`. */
export interface ConversationContext {
  /** Replaced when a folder is added. */
  options: ConversationOptions;
  readonly sink: SessionSink;
  readonly host: Host;
  /** The agents shared with other sessions. */
  readonly agents: AgentPool;
  /** Changes in `enterPhase` and `returnToPreviousPhase` only. */
  phase: Phase;
  /** The running agent that the session uses now. */
  readonly run: AgentRun | undefined;
  /** True while the agent has to answer before anything else can happen. */
  readonly isWaiting: boolean;
  /** What to open once an agent is running: the initial request, later the open session. */
  opening: Opening;
  /** True once a session was open. */
  wasOpen: boolean;
  /** The newest process, also after its end: its stderr can still be read. */
  lastProcess: RunningAgent | undefined;
  /** All processes so far: one that is being stopped may still have to be killed. */
  readonly processes: RunningAgent[];
  /** The notices about skipped MCP servers. */
  leftOut: readonly string[];
  /** Ends the agent and starts it again, see `SessionActions.restart`. */
  readonly restart: () => Promise<Result<void>>;
  /** The action that failed because a sign-in was required, to be retried afterwards. */
  afterSignIn: (() => Promise<Result<unknown>>) | undefined;
  /** What the user has set with `/providers`, by provider, undefined for one that is disabled: a new process is told again. */
  readonly providers: ProviderConfigs;
  /** The name of the method that the user signed in with last. */
  signedInWith: string | undefined;
  /** The prompt to whose turn the agent has not said anything yet, by the key that it is sent with. */
  unanswered: {readonly key: string; readonly sessionId: acp.SessionId} | undefined;
  /** Undefined if the agent is not confined. */
  readonly sandbox: SessionSandbox | undefined;
  readonly hooks: SessionHooks;
  /** Undefined if snapshots are off. */
  readonly snapshots: TurnSnapshots | undefined;
  /** What stops the commands that run for prompts that are about to be sent. */
  readonly commandRuns: Set<AbortController>;
  /** Changes in prompt/turns.ts only. */
  turn: TurnPhase;
}

/**
 * Leaves the phase for the one that the event leads to, gives up what the old one waits for, and shows the new one. Returns it, or undefined if the event is
 * not possible.
 */
export function enterPhase<Name extends EventName>(
  context: ConversationContext,
  event: Name,
  fields: EventFields<Name>,
): PhaseOf<NextPhaseName<Name>> | undefined {
  const phase = nextPhase(context.phase, event, fields);
  if (phase) change(context, phase as Phase);
  else context.sink.log('info', `${event} is not possible while ${context.phase.name}`);
  return phase;
}

/** Returns to the phase before a sign-in or another session; without one, no session is open. */
export function returnToPreviousPhase(
  context: ConversationContext,
  phase: PhaseOf<'signing_in' | 'opening'>,
  failure: Failure,
): void {
  const back = phaseToReturnTo(phase);
  if (back) change(context, back);
  else enterPhase(context, 'not_opened', {failure});
}

function change(context: ConversationContext, phase: Phase): void {
  const {ended} = context.phase;
  context.phase = phase;
  ended.abort();
  const connection = connectionOf(phase, Date.now());
  if (connection) emitConnectionChanged(context, connection);
}

/** True until `run` is replaced or closed: late events of an old run must not reach the state. */
export function isCurrent(context: ConversationContext, run: AgentRun): boolean {
  return context.run === run;
}

/** Returns the parameters of every request that opens a session. */
export function setupOf({options}: ConversationContext, mcpServers: readonly acp.McpServer[]): SessionSetup {
  const {additionalDirectories, systemPrompt} = options;
  const cwd = agentFolder(options);
  // Added folders are local; they are only sent if the agent sees the workspace at the same path.
  const folders = cwd === options.cwd ? additionalDirectories : [];
  return {cwd, additionalDirectories: folders, mcpServers, ...(systemPrompt && {systemPrompt})};
}

/** Returns the session's working folder as the agent knows it. */
export function agentFolder({agent, cwd}: Pick<ConversationOptions, 'agent' | 'cwd'>): string {
  return agent.remote?.cwd ?? cwd;
}

/** A session without messages is replaced by a new one instead of being resumed. */
export function openNewIfUnused(context: ConversationContext): void {
  if (context.sink.state().unused && context.opening.kind === 'continue' && context.wasOpen)
    context.opening = {kind: 'new'};
}

export function emitConnectionChanged(context: ConversationContext, connection: ConnectionState): void {
  context.sink.emit({type: 'connection_changed', connection, at: Date.now()});
}

/** The failure of an action that needs a running agent. */
export function notRunning(): Result<never> {
  const why = 'the agent is not running; restart it first';
  return fail({kind: 'not_offered', what: 'this', why});
}

export function warn({sink}: Pick<ConversationContext, 'sink'>, text: string): void {
  sink.emit({type: 'notice', level: 'warning', text, at: Date.now()});
}

export function inform({sink}: Pick<ConversationContext, 'sink'>, text: string): void {
  sink.emit({type: 'notice', level: 'info', text, at: Date.now()});
}

/** A request to an agent that can be given up. */
interface Waiting<T> {
  readonly method: string;
  /** `signal` aborts when it is given up; the agent is then asked to cancel ("Cancellation"). */
  readonly ask: (signal: AbortSignal) => Promise<Result<T>>;
  /** Called with a response that arrives later. */
  readonly late?: (value: T) => void;
}

/** Waits for an agent's response until the user gives up or the session leaves the phase: then the result is the failure `no_answer`. */
export async function awaitResponse<T>(
  {ended: {signal}}: Phase,
  {method, ask, late}: Waiting<T>,
): Promise<Result<T>> {
  const since = performance.now();
  const {promise: givenUp, resolve} = Promise.withResolvers<undefined>();
  signal.addEventListener('abort', () => resolve(undefined), {once: true});
  const response = ask(signal);
  const answer = await Promise.race([response, givenUp]);
  if (answer && !signal.aborted) return answer;
  void response.then((answer) => answer.ok && late?.(answer.value));
  // The cancellation is sent before the connection may be closed.
  await macrotask();
  const seconds = Math.round((performance.now() - since) / 1000);
  return fail({kind: 'no_answer', method, seconds, isGivenUp: true});
}
