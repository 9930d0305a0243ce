import type {AgentCommand} from '../../agents/resolve.ts';
import type {SessionSetup, Connection} from '../../protocol/connection.ts';
import type {WireEvent} from '../../recording/format.ts';
import type {InitializeResponse, OpenedSession} from '../../session/events.ts';
import type {AuthMethod} from '../../shared/authentication.ts';
import type {OpenSandbox} from '../../sandbox/session-sandbox.ts';
import type {Failure, Result} from '../../shared/failure.ts';
import type {AgentProcess, AgentStarts} from '../../agents/launch.ts';
import type {RemoteAgent} from '../../agents/remote/remote-agent.ts';
import type {UpdatesLog} from './updates-log.ts';

/** Options of an examination. */
export interface ExaminationOptions extends Pick<AgentStarts, 'startAgent'> {
  readonly agent: AgentCommand;
  /** Absolute. */
  readonly cwd: string;
  /** Absent if the agent is not confined. */
  readonly sandbox?: OpenSandbox | undefined;
  /** Time limit for each request to the agent, in milliseconds. */
  readonly timeoutMs: number;
  /** A sign-in method of type `agent` to use; without it, the doctor does not sign in. */
  readonly authMethod: string | undefined;
  /** Asks whether a prompt may be sent, since it may cost money. Called at most once. */
  readonly mayPrompt: () => Promise<boolean>;
  readonly version: string;
  /** 2 examines the draft of that version. */
  readonly protocolVersion?: 2 | undefined;
  /** Reports the current step. */
  readonly onProgress: (what: string) => void;
  /** Called with all protocol messages and process events. */
  readonly onWire?: ((event: WireEvent) => void) | undefined;
  /** Ends the examination. */
  readonly signal: AbortSignal;
}

/** An examination: what probes share, and what each one leaves for later ones. */
export interface Examination {
  readonly options: ExaminationOptions;
  /** The parameters for opening a session: only the folder. */
  readonly setup: SessionSetup;
  /** Starts another process of the agent. All remaining ones are stopped at the end. */
  readonly start: () => Promise<Result<AgentRun>>;
  /** Adds what is known about the end of the latest process to a failure. */
  readonly explained: (failure: Failure) => Promise<Failure>;
  /** Results so far. */
  readonly found: ProbeResults;
}

export interface ProbeResults {
  /** The main process. */
  run?: AgentRun;
  initialized?: InitializeResponse;
  /** The agent's methods, if it requires a sign-in. */
  signIn?: readonly AuthMethod[];
  session?: OpenedSession;
  /** The agent's answer to the prompt, if it was complete. */
  answer?: string;
  /** True if a prompt was not answered in time. */
  isStuck?: boolean;
  /** True if a prompt may be sent; undefined before the user was asked. */
  consent?: boolean;
  /** Forks of the session, to be deleted with it. */
  readonly forks: string[];
}

/** Runs checks and returns their results. Throws only to end the examination. */
export type Probe = (examination: Examination) => Promise<readonly Check[]>;

/** One line of the matrix: a feature, and whether the agent supports it. */
export interface Check {
  /** Stable, for programs. */
  readonly id: string;
  /** For people. */
  readonly name: string;
  /** `always`: every agent must support it; `unspecified`: the protocol has no capability for it. */
  readonly advertised: 'yes' | 'no' | 'always' | 'unspecified';
  readonly result: 'worked' | 'failed' | 'timeout' | 'not_tried';
  /** How long it took. */
  readonly ms?: number;
  /** What was observed, or why it failed or was skipped. May contain text of the agent. */
  readonly note?: string;
}

export type Subject = Pick<Check, 'id' | 'name' | 'advertised'>;

export function skipCheck(subject: Subject, note: string): Check {
  return {...subject, result: 'not_tried', note};
}

/** Returns whether the agent advertises a feature. */
export function yesOrNo(isAdvertised: boolean): 'yes' | 'no' {
  return isAdvertised ? 'yes' : 'no';
}

/** The note on probes that need a session. */
export const NO_SESSION = 'no session opened';

/** True if a prompt may be sent; asks once. */
export async function mayPrompt({found, options}: Examination): Promise<boolean> {
  options.signal.throwIfAborted();
  found.consent ??= await options.mayPrompt();
  return found.consent;
}

/** A process of the agent, or a connection to a remote one. */
export interface AgentRun {
  readonly process: AgentProcess | RemoteAgent;
  readonly connection: Connection;
  /** Milliseconds until the first output; undefined before that. */
  readonly firstByteMs: () => number | undefined;
  readonly updatesLog: Pick<UpdatesLog, 'updates' | 'title' | 'next'>;
  /** Stops the process with its process tree. */
  readonly end: () => Promise<void>;
}
