import type {AgentCommand} from '../agents/resolve.ts';
import type {SessionSetup, Connection} from '../protocol/connection.ts';
import type {WireEvent} from '../recording/format.ts';
import type {InitializeResponse, OpenedSession} from '../session/events.ts';
import type {AuthMethod} from '../session/lifecycle/authentication.ts';
import type {Failure, Result} from '../shared/failure.ts';
import type {AgentProcess} from '../agents/launch.ts';
import type {RemoteAgent} from '../agents/remote/remote-agent.ts';
import type {UpdatesLog} from './updates-log.ts';

/** Options of an examination. */
export interface ExaminationOptions {
  readonly agent: AgentCommand;
  /** Absolute. */
  readonly cwd: string;
  /** How long the agent may take for each thing that it is asked. */
  readonly timeoutMs: number;
  /** A sign-in method of type `agent` to use; without it, the doctor does not sign in. */
  readonly authMethod: string | undefined;
  /** Asks whether a prompt may be sent: it may cost something. Called once at most. */
  readonly mayPrompt: () => Promise<boolean>;
  readonly version: string;
  /** Tells what is tried now. */
  readonly onProgress: (what: string) => void;
  /** Hears everything on the wires, also of processes. */
  readonly onWire?: ((event: WireEvent) => void) | undefined;
  /** Ends the examination. */
  readonly signal: AbortSignal;
}

/** One examination: what the probes use, and what each leaves for those behind it. */
export interface Examination {
  readonly options: ExaminationOptions;
  /** What every way to open a session is given: nothing but the folder. */
  readonly setup: SessionSetup;
  /** Starts another process of the agent. All that are left at the end are ended. */
  readonly start: () => Promise<Result<AgentRun>>;
  /** A failure with what is known of the end of the process that was started last. */
  readonly explained: (failure: Failure) => Promise<Failure>;
  /** What was found out so far. */
  readonly found: Found;
}

export interface Found {
  /** The process that most of it happens in. */
  run?: AgentRun;
  initialized?: InitializeResponse;
  /** What an agent offers that wants a sign-in before it does more. */
  signIn?: readonly AuthMethod[];
  session?: OpenedSession;
  /** Answer of the agent, when it was asked something and answered in full. */
  answer?: string;
  /** True if a prompt is under way that was not answered in time. */
  isStuck?: boolean;
  /** True if a prompt may be sent; undefined before the user was asked. */
  consent?: boolean;
  /** Copies of the session, to be deleted with it. */
  readonly forks: string[];
}

/** Runs a check and reports its result. Throws only to end the examination. */
export type Probe = (examination: Examination) => Promise<readonly Check[]>;

/** One line of the matrix: something that an agent can do, and whether it does. */
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
  /** What was seen, or why it did not work or was not tried. May hold the agent's own words. */
  readonly note?: string;
}

export type Subject = Pick<Check, 'id' | 'name' | 'advertised'>;

export function notTried(subject: Subject, note: string): Check {
  return {...subject, result: 'not_tried', note};
}

/** Returns whether the agent advertises a feature. */
export function reported(isAdvertised: boolean): 'yes' | 'no' {
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

/** One process of the agent, or one connection to an agent elsewhere, and what is spoken over it. */
export interface AgentRun {
  readonly process: AgentProcess | RemoteAgent;
  readonly connection: Connection;
  /** How long the first output took, in milliseconds; undefined before it came. */
  readonly firstByteMs: () => number | undefined;
  readonly updatesLog: Pick<UpdatesLog, 'updates' | 'title' | 'next'>;
  /** Ends the process and all that it started. */
  readonly end: () => Promise<void>;
}
