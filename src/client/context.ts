import {setImmediate as macrotask} from 'node:timers/promises';
import type * as acp from '@agentclientprotocol/sdk/unstable';
import type {RunningAgent} from '../agents/running-agent.ts';
import type {Result} from '../shared/failure.ts';
import type {Host} from '../host/services.ts';
import type {Opening} from '../session/events.ts';
import type {ConnectionState} from '../session/state.ts';
import type {Connection, SessionSetup} from '../protocol/connection.ts';
import type {TurnSnapshots} from '../snapshots/turn-snapshots.ts';
import type {AgentPool, Membership, SharedAgent} from './connection/agent-pool.ts';
import type {ClientOptions, SessionSink} from './options.ts';

/** State of one conversation, shared by the functions of `client/`. */
export interface ClientContext {
  /** Replaced when a folder is added. */
  options: ClientOptions;
  readonly sink: SessionSink;
  readonly host: Host;
  /** The agents shared with other sessions. */
  readonly agents: AgentPool;
  /** What to open once an agent is running: the initial request, later the open session. */
  opening: Opening;
  /** True once a session was open. */
  wasOpen: boolean;
  /** The running agent; undefined before the first start, after its end and after a close. */
  run: AgentRun | undefined;
  /** The newest launch, pending or settled; sets `run` on success. */
  launching: Promise<unknown> | undefined;
  /** The agent with which the session was lost; undefined once it has another one. */
  lostAgent: SharedAgent | undefined;
  /** The newest reconnection to a remote agent; undefined before the first. */
  reconnection: Reconnection | undefined;
  /** The newest process, also after its end: its stderr can still be read. */
  lastProcess: RunningAgent | undefined;
  /** All processes so far: one that is being stopped may still have to be killed. */
  readonly processes: RunningAgent[];
  /** The MCP servers for the next request that opens a session. */
  mcpServers: readonly acp.McpServer[];
  /** The notices about skipped MCP servers. */
  leftOut: readonly string[];
  /** Ends the agent and starts it again, see `SessionActions.restart`. */
  readonly restart: () => Promise<Result<void>>;
  readonly unfollowRules: () => void;
  /** Settles when everything has ended; undefined until it is closed. */
  closing: Promise<void> | undefined;
  /** The action that failed because a sign-in was required, to be retried afterwards. */
  afterSignIn: (() => Promise<Result<unknown>>) | undefined;
  /** The name of the method that the user signed in with last. */
  signedInWith: string | undefined;
  /** Cancels the current wait for the agent: a sign-in, its start, a session; undefined if nothing can be cancelled. */
  giveUp: (() => void) | undefined;
  /** Undefined if snapshots are off. */
  readonly snapshots: TurnSnapshots | undefined;
  /** Sends the prompt that waits for its snapshot. */
  sendWithoutSnapshot?: (() => void) | undefined;
  /** The number of the last turn; continues across restarts. */
  turn: number;
}

/** The attempts to get a lost connection back. */
interface Reconnection {
  readonly attempts: number;
  /** When it succeeded, by the monotonic clock; undefined before that. */
  readonly since?: number;
  /** Ends the attempts without further reports. */
  readonly stop: () => void;
}

/** The session's part in a running agent. A restart creates another one. */
export interface AgentRun extends Membership {
  readonly process: RunningAgent;
  readonly connection: Connection;
  /** True while `start` is waiting for it, and will report its end. */
  starting: boolean;
  /** True once a session was open in it. */
  sessionOpen: boolean;
  /** The agent's greeting message, see `OpenedSession`. */
  greeting?: string | undefined;
  /** The agent's last usage report for the open session; null if there was none, undefined if unknown. */
  usageSoFar?: acp.Usage | null | undefined;
  /** Ends the MCP servers that its session offers it over the connection. */
  endOffers?: (() => Promise<void>) | undefined;
  /** The sign-in method whose values its process was started with. */
  readonly valuesMethod: string | undefined;
}

/** True until `run` is replaced or closed: late events of an old run must not reach the state. */
export function isCurrent(context: ClientContext, run: AgentRun): boolean {
  return context.run === run;
}

/** Returns the parameters of every request that opens a session. */
export function setupOf({options, mcpServers}: ClientContext): SessionSetup {
  const {additionalDirectories, systemPrompt} = options;
  const cwd = agentFolder(options);
  // Added folders are local; they are only sent if the agent sees the workspace at the same path.
  const folders = cwd === options.cwd ? additionalDirectories : [];
  return {cwd, additionalDirectories: folders, mcpServers, ...(systemPrompt && {systemPrompt})};
}

/** Returns the session's working folder as the agent knows it. */
export function agentFolder({agent, cwd}: Pick<ClientOptions, 'agent' | 'cwd'>): string {
  return agent.remote?.cwd ?? cwd;
}

/** A session without messages is replaced by a new one instead of being resumed. */
export function openNewIfUnused(context: ClientContext): void {
  if (context.sink.state().unused && context.opening.kind === 'continue' && context.wasOpen)
    context.opening = {kind: 'new'};
}

export function connectionChanged(context: ClientContext, connection: ConnectionState): void {
  context.sink.emit({type: 'connection_changed', connection, at: Date.now()});
}

/** The failure of an action that needs a running agent. */
export function notRunning(): Result<never> {
  const why = 'the agent is not running; restart it first';
  return {ok: false, failure: {kind: 'not_offered', what: 'this', why}};
}

export function warn(context: ClientContext, text: string): void {
  context.sink.emit({type: 'notice', level: 'warning', text, at: Date.now()});
}

/** A request to an agent that the user can cancel. */
interface Cancellable<T> {
  /** `signal` aborts on cancel; the agent is then asked to cancel ("Cancellation"). */
  readonly ask: (signal: AbortSignal) => Promise<Result<T>>;
  /** Called with a response that arrives after the cancel. */
  readonly late?: (value: T) => void;
}

/**
 * Waits for an agent's response until the user cancels (`SessionActions.cancel`) or the session leaves the agent: then the result is the failure `no_answer`.
 */
export async function untilCancelled<T>(
  context: ClientContext,
  method: string,
  {ask, late}: Cancellable<T>,
): Promise<Result<T>> {
  const since = performance.now();
  const withdrawal = new AbortController();
  const {promise: givenUp, resolve} = Promise.withResolvers<undefined>();
  const giveUp = () => {
    withdrawal.abort();
    resolve(undefined);
  };
  context.giveUp = giveUp;
  const asked = ask(withdrawal.signal);
  const answer = await Promise.race([asked, givenUp]);
  if (context.giveUp === giveUp) context.giveUp = undefined;
  if (answer && !withdrawal.signal.aborted) return answer;
  void asked.then((answer) => answer.ok && late?.(answer.value));
  // The cancellation is sent before the connection may be closed.
  await macrotask();
  const seconds = Math.round((performance.now() - since) / 1000);
  return {ok: false, failure: {kind: 'no_answer', method, seconds, isGivenUp: true}};
}
