import {sanitizeLine} from '../text/sanitize.ts';
import type {AuthMethod} from './authentication.ts';

/**
 * All expected errors, as data. `failure-messages.ts` describes them for users, and `cli/exit-codes.ts` maps them to exit codes. Violated invariants are not
 * here: those throw.
 */
export type Failure =
  /** The agent's command line is invalid, e.g. it contains shell operators. */
  /** `todo` is empty if the problem says what to do, and undefined for a command line. */
  | {readonly kind: 'bad_agent'; readonly agent: string; readonly problem: string; readonly todo?: string}
  /** None was chosen, and nobody is there to choose one. */
  | {readonly kind: 'no_agent'}
  | {
      readonly kind: 'command_not_found';
      readonly command: string;
      /** The id for `agents install`, if known. */
      readonly installable?: string;
      /** The name of an agent that is spelled like it. */
      readonly similar?: string;
    }
  | {readonly kind: 'not_executable'; readonly command: string; readonly problem: string}
  /** The agent printed something other than ACP before it answered `initialize`. `sample` is its first line. */
  | {readonly kind: 'not_acp'; readonly command: string; readonly sample: string}
  /** The agent exited before the session was open. */
  | {
      readonly kind: 'exited_early';
      readonly command: string;
      /** True if it answered `initialize` before. */
      readonly hasInitialized?: boolean;
      readonly exit: ProcessExit;
      readonly stderrTail: string;
      readonly refused?: RefusedAtStart;
    }
  /** The agent exited, or its connection broke, while it was in use. */
  | {
      readonly kind: 'connection_lost';
      readonly exit: ProcessExit | undefined;
      readonly stderrTail: string;
      readonly problem?: string;
      /** The HTTP status with which the server of a remote agent ended it. */
      readonly status?: number;
      /** True if acp-tui reconnects automatically. */
      readonly reconnects?: boolean;
      readonly refused?: RefusedAtStart;
    }
  | {readonly kind: 'protocol_version'; readonly ours: number; readonly theirs: number}
  /** The agent did not answer a request within `seconds`. */
  | {
      readonly kind: 'no_answer';
      readonly method: string;
      readonly seconds: number;
      readonly isRemote?: boolean;
      readonly stderrTail?: string;
      /** True if the user did not wait longer. */
      readonly isGivenUp?: boolean;
      readonly refused?: RefusedAtStart;
    }
  | {readonly kind: 'message_too_large'; readonly limitBytes: number}
  | {
      readonly kind: 'authentication_required';
      readonly methods: readonly AuthMethod[];
      readonly problem?: string;
    }
  /** A sign-in failed; `problem` is the reason, if known. */
  | {readonly kind: 'sign_in_failed'; readonly method: string; readonly problem?: string}
  /** The agent answered a request with an error (JSON-RPC code and message; `detail` from `data`). */
  | {
      readonly kind: 'agent_error';
      readonly method: string;
      readonly code: number;
      readonly message: string;
      readonly detail?: string;
      /** How long to wait before it is worth trying again, as its service says. */
      readonly retrySeconds?: number;
      readonly refused?: RefusedAtStart;
    }
  /** acp-tui stopped the agent, or quit, during a turn. `stillRunning` in a copy of a session that is open: the turn goes on in the original. */
  | {readonly kind: 'interrupted'; readonly stillRunning?: true}
  /** An answer to a request of the agent that does not count; `why` is a sentence. */
  | {readonly kind: 'answer_not_taken'; readonly why: string}
  /** No session has this id, or none in this folder. */
  | {readonly kind: 'no_such_session'; readonly wanted: string}
  /** The agent could not resume the session: `cause` says why, or `lacks` what it does not support. */
  | {
      readonly kind: 'cannot_continue';
      readonly sessionId: string;
      readonly cause?: Failure;
      readonly lacks?: 'load' | 'fork';
    }
  /** A mode, model or option that the session does not have; `valid` lists the available ones. `askedBy` is set if a setting, not an option, asked for it. */
  | {
      readonly kind: 'unknown_value';
      readonly what: string;
      readonly value: string;
      readonly valid: readonly string[];
      readonly askedBy?: string;
    }
  /** A setting cannot be changed to this value, or used; `problem` is a sentence. `at` is the line of its file to be corrected, from 1. */
  | {
      readonly kind: 'invalid_setting';
      readonly problem: string;
      readonly at?: {readonly file: string; readonly line: number | undefined};
    }
  /** By a hook: `hook: ./check.sh (user)`. */
  | {readonly kind: 'prompt_blocked'; readonly by: string; readonly reason: string | undefined}
  /** `what` is not available, or acp-tui `cannot` do what was requested: `resume this session`. */
  | {readonly kind: 'not_offered'; readonly what: string; readonly why: string}
  | {readonly kind: 'not_offered'; readonly cannot: string; readonly why: string}
  | {readonly kind: 'file'; readonly path: string; readonly problem: string}
  /** A result could not be written, or only in part. `what` is the name of a stream, or a file name in quotes. */
  | {readonly kind: 'not_written'; readonly what: string; readonly problem: string}
  /** A download failed. `url` has neither credentials nor a query. */
  | {
      readonly kind: 'download';
      readonly url: string;
      readonly reason: DownloadReason;
      readonly detail?: string;
    }
  /** A remote agent could not be reached, or refused the connection. `url` has neither credentials nor a query. */
  | {
      readonly kind: 'remote';
      readonly url: string;
      readonly reason: DownloadReason;
      readonly detail?: string;
    }
  /** An archive is damaged, or contains something forbidden. */
  | {readonly kind: 'bad_archive'; readonly problem: string}
  /** An agent could not be installed. */
  | {
      readonly kind: 'install';
      readonly agent: string;
      readonly reason: InstallReason;
      readonly detail: string;
    }
  /** No sandbox could be set up, so nothing was started. */
  | {readonly kind: 'sandbox'; readonly reason: SandboxReason; readonly detail?: string}
  | {readonly kind: 'internal'; readonly problem: string};

/**
 * What its sandbox refused an agent that could not be started, as far as that can be told. `folder` is the one that `sandbox.folders` could name. With
 * `unknown`, it may be the sandbox or not.
 */
export type RefusedAtStart =
  | {readonly reason: 'hidden'; readonly path: string; readonly folder: string}
  | {readonly reason: 'write' | 'temporary'; readonly path: string; readonly folder?: string}
  | {readonly reason: 'network'; readonly host?: string}
  | {readonly reason: 'socket' | 'unknown'};

/** The reason why there is no sandbox; failure-messages.ts documents each detail. */
export type SandboxReason =
  | 'system'
  | 'processor'
  | 'programs'
  | 'package'
  | 'old_package'
  | 'refused'
  | 'folder'
  | 'remote'
  | 'unknown_agent';

/** The reason why a download failed; failure-messages.ts documents each detail. */
export type DownloadReason =
  | 'address'
  | 'insecure'
  | 'insecure_redirect'
  | 'redirects'
  | 'status'
  | 'too_large'
  | 'stalled'
  | 'cut_off'
  | 'called_off'
  | 'unreachable'
  | 'proxy'
  | 'certificate'
  | 'unexpected';

/** The reason why an installation failed; failure-messages.ts documents each detail. */
export type InstallReason =
  | 'bad_version'
  | 'other_version'
  | 'no_preview'
  | 'no_build'
  | 'no_runner'
  | 'bad_package'
  | 'checksum'
  | 'no_program'
  | 'runner_failed'
  | 'called_off';

/** The exit of a process: its exit code, or the name of the signal that ended it (`SIGKILL`). */
export interface ProcessExit {
  readonly code: number | null;
  readonly signal: string | null;
}

/** A value, or a failure. */
export type Result<T> =
  {readonly ok: true; readonly value: T} | {readonly ok: false; readonly failure: Failure};

/** The result of what has no value. */
export const DONE = {ok: true, value: undefined} as const;

/** Returns a failed result. */
export function fail(failure: Failure): {readonly ok: false; readonly failure: Failure} {
  return {ok: false, failure};
}

/** Returns the message of anything that was thrown. */
export function errorMessage(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  // A part of its own that is loaded when it is needed first, not a package that may be missing: it was there when the program started.
  const isMissing = 'code' in error && error.code === 'ERR_MODULE_NOT_FOUND';
  const isOther = isMissing && error.message.startsWith('Cannot find module');
  return isOther ? 'acp-tui was updated or removed while it ran; start it again' : error.message;
}

/** Returns where an unexpected error happened, for the log. */
export function errorStack(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

/** Returns the notice about an internal error. */
export function internalError(error: unknown): string {
  return `Internal error: ${sanitizeLine(errorMessage(error))}. Details are in the log.`;
}
