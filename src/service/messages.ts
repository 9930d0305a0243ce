import {NotificationType, RequestType} from 'vscode-jsonrpc/node';
import type {CommonOptions} from '../cli/options.ts';
import type {SessionActions} from '../session/actions.ts';
import type {SessionEvent} from '../session/events.ts';
import type {SessionState} from '../session/state.ts';
import type {Result} from '../shared/failure.ts';

/*
 * The messages between the background service and its clients: JSON-RPC over a local socket. The first request is `hello`.
 */

/** A session to start in the service. */
export interface SessionStart {
  /** As on the command line, with absolute paths. */
  readonly given: CommonOptions;
  /** Sent first; undefined if there is none. */
  readonly prompt?: string | undefined;
}

/** A session of the service. */
export interface RunningSession {
  /** acp-tui's id, under which it is stored. */
  readonly id: string;
  readonly title: string;
  readonly agent: string;
  /** Absolute. */
  readonly cwd: string;
  readonly doing: 'starting' | 'working' | 'waiting' | 'idle' | 'ended';
  /** The number of windows that show it. */
  readonly windows: number;
}

/** Where a window that attaches gets the session's state: from its file and what is not stored; events follow. */
export interface SessionSnapshot {
  readonly given: CommonOptions;
  /** The file to read, by its id, and its size now; undefined if nothing is stored yet. */
  readonly stored: {readonly id: string; readonly bytes: number} | undefined;
  /** The events that are not in it. */
  readonly early: readonly SessionEvent[];
  readonly live: Pick<SessionState, LivePart>;
  /** All of it, instead, after another session was opened in it: the file begins with that one. */
  readonly whole?: SessionState | undefined;
}

type LivePart = 'approval' | 'customCommands' | 'queue';

export interface ActionCall {
  readonly id: string;
  readonly action: keyof SessionActions;
  readonly args: readonly unknown[];
}

interface OfSession {
  readonly id: string;
}

export const messages = {
  /** Fails if the versions differ. */
  hello: new RequestType<{readonly version: string}, {readonly version: string; readonly pid: number}, void>(
    'hello',
  ),
  list: new RequestType<object, readonly RunningSession[], void>('sessions/list'),
  /** Returns its id. */
  start: new RequestType<SessionStart, Result<string>, void>('sessions/start'),
  attach: new RequestType<OfSession, Result<SessionSnapshot>, void>('sessions/attach'),
  call: new RequestType<ActionCall, unknown, void>('sessions/call'),
  /** Ends it. */
  stop: new RequestType<OfSession, Result<void>, void>('sessions/stop'),
  /** Ends the service with all sessions. */
  end: new RequestType<object, null, void>('service/end'),
  /** What happened in a session since the last one, in order. */
  events: new NotificationType<{readonly id: string; readonly events: readonly SessionEvent[]}>(
    'session/events',
  ),
};
