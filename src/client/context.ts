import type * as acp from '@agentclientprotocol/sdk/unstable';
import type {RunningAgent} from '../agents/running-agent.ts';
import type {Result} from '../shared/failure.ts';
import type {Host} from '../host/services.ts';
import type {Opening} from '../session/events.ts';
import type {ConnectionState} from '../session/state.ts';
import type {Connection, SessionSetup} from '../protocol/connection.ts';
import type {TurnSnapshots} from '../snapshots/turn-snapshots.ts';
import type {AgentPool, Membership} from './connection/agent-pool.ts';
import type {SharedAgent} from './connection/shared-agent.ts';
import type {ClientOptions, SessionSink} from './options.ts';

/** What the functions of `client/` share about one conversation. */
export interface ClientContext {
  /** Replaced when a folder is added. */
  options: ClientOptions;
  readonly sink: SessionSink;
  readonly host: Host;
  /** The agents that sessions beside this one use, too. */
  readonly agents: AgentPool;
  /** What is opened when an agent is up: what it was opened with, later the session that is open. */
  opening: Opening;
  /** True once a session was open. */
  wasOpen: boolean;
  /** The agent that runs now; undefined before the first start, after its end and after a close. */
  run: AgentRun | undefined;
  /** The newest launch, settled or not; `run` is set when it is, if it could be. */
  launching: Promise<unknown> | undefined;
  /** The agent that the session was lost with; undefined once the session has another. */
  lostAgent: SharedAgent | undefined;
  /** The newest attempts to get the connection to an agent elsewhere back; undefined before the first. */
  reconnection: Reconnection | undefined;
  /** The newest process, also after its end: its last words can still be read. */
  lastProcess: RunningAgent | undefined;
  /** Every process so far: one that is being stopped may still have to be killed. */
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
  /** What failed because a sign-in was missing, to be done again after it. */
  afterSignIn: (() => Promise<Result<unknown>>) | undefined;
  /** The name of the method that the user signed in with last. */
  signedInWith: string | undefined;
  /** Gives up what the agent is waited for: a sign-in, its start, a session; undefined while nothing can be given up. */
  giveUp: (() => void) | undefined;
  /** Undefined where none are taken. */
  readonly snapshots: TurnSnapshots | undefined;
  /** The number of the last turn; counts over restarts. */
  turn: number;
}

/** The attempts to get a lost connection back. */
interface Reconnection {
  readonly attempts: number;
  /** When it succeeded, by the monotonic clock; undefined before that. */
  readonly since?: number;
  /** Ends the attempts; nothing more is told of them. */
  readonly stop: () => void;
}

/** The part of the session in an agent that runs. A restart begins another. */
export interface AgentRun extends Membership {
  readonly process: RunningAgent;
  readonly connection: Connection;
  /** True while `start` is waiting for it, and will report its end. */
  starting: boolean;
  /** True once a session was open in it. */
  sessionOpen: boolean;
  /** What its agent says of itself as a message when the session begins, see `OpenedSession`. */
  greeting?: string | undefined;
  /** The agent's last usage report for the open session; null if there was none, undefined if unknown. */
  usageSoFar?: acp.Usage | null | undefined;
  /** The sign-in method whose values its process was started with. */
  readonly startedFor: string | undefined;
}

/** True while `run` has not been replaced or closed: what an old one still says must not reach the state. */
export function isCurrent(context: ClientContext, run: AgentRun): boolean {
  return context.run === run;
}

/** Returns the parameters of every request that opens a session. */
export function setupOf({options, mcpServers}: ClientContext): SessionSetup {
  const {additionalDirectories, systemPrompt} = options;
  const cwd = agentFolder(options);
  // What is added here is a folder of this computer, and only the same one where the agent sees it at its own path.
  const folders = cwd === options.cwd ? additionalDirectories : [];
  return {cwd, additionalDirectories: folders, mcpServers, ...(systemPrompt && {systemPrompt})};
}

/** The session's working folder as the agent knows it. */
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

/** The failure of what needs an agent that runs. */
export function notRunning(): Result<never> {
  const why = 'the agent is not running; restart it first';
  return {ok: false, failure: {kind: 'not_offered', what: 'this', why}};
}
