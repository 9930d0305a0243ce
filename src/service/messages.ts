import {NotificationType, RequestType} from 'vscode-jsonrpc/node';
import type {CommonOptions} from '../cli/options.ts';
import type {SessionActions} from '../session/actions.ts';
import type {SessionEvent} from '../session/events.ts';
import type {OpenState} from '../session/labels/session-states.ts';
import type {SentState} from '../session/lifecycle/sent-state.ts';
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
  /** The environment of its agent. */
  readonly environment: Readonly<NodeJS.ProcessEnv>;
  /** For a new session: its id, which no other one has; by default one is chosen. */
  readonly id?: string | undefined;
  /** More MCP servers, by their names, in the form that clients share. */
  readonly mcpServers?: Readonly<Record<string, unknown>> | undefined;
  /** True for a window, which shows by itself what is wrong with the settings. */
  readonly showsProblems?: boolean;
}

/** A session of the service. */
export interface RunningSession {
  /** acp-tui's id, under which it is stored: another one once another session was opened in it. */
  readonly id: string;
  readonly title: string;
  readonly agent: string;
  /** Absolute. */
  readonly cwd: string;
  readonly doing: OpenState;
  /** What it waits for, in one line. */
  readonly asks?: string;
  /** The number of windows that show it. */
  readonly windows: number;
}

/** What a window that attaches gets; events follow. */
export interface SessionSnapshot extends SessionIdentity {
  readonly given: CommonOptions;
  readonly state: SnapshotState;
}

/**
 * Where the session's state is: in its file, up to a number of bytes, except for what is never stored. All of it is sent if its transcript does not begin
 * with the file, or is not whole there: nothing is stored yet, another session was opened in it, or the disk is full.
 */
export type SnapshotState =
  | {readonly kind: 'stored'; readonly bytes: number; readonly live: Pick<SessionState, LivePart>}
  | {readonly kind: 'whole'; readonly session: SentState};

type LivePart = 'approval' | 'customCommands' | 'queue';

export interface ActionCall {
  readonly key: string;
  readonly action: keyof SessionActions;
  readonly args: readonly unknown[];
}

/** What happened in a session since the last message, in order. */
export interface SessionEvents extends SessionIdentity {
  readonly events: readonly SessionEvent[];
}

/** Called with what happens in sessions. */
export type EventListener = (events: SessionEvents) => void;

export interface SessionIdentity {
  /** What it is called as long as it runs. */
  readonly key: string;
  /** acp-tui's id, under which it is stored. */
  readonly id: string;
}

export interface SessionParams {
  readonly id: string;
}

/** `attach`: whether its events are wanted. */
export type StartRequest = SessionStart & {readonly attach: boolean};

/** How long both sides wait for the first message of the other, in milliseconds. */
export const HELLO_MS = 10_000;

export const messages = {
  /** Fails if the versions differ. */
  hello: new RequestType<{readonly version: string}, {readonly version: string; readonly pid: number}, void>(
    'hello',
  ),
  list: new RequestType<object, readonly RunningSession[], void>('sessions/list'),
  /** Starts a session; its events follow from the first one, if they are wanted. */
  start: new RequestType<StartRequest, Result<SessionIdentity>, void>('sessions/start'),
  attach: new RequestType<SessionParams, Result<SessionSnapshot>, void>('sessions/attach'),
  call: new RequestType<ActionCall, unknown, void>('sessions/call'),
  /** Ends it. */
  stop: new RequestType<SessionParams, Result<void>, void>('sessions/stop'),
  /** Ends the service with all sessions; of any version, so this and `hello` never change. */
  end: new RequestType<object, null, void>('service/end'),
  events: new NotificationType<SessionEvents>('session/events'),
};
