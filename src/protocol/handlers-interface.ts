import type * as acp from '@agentclientprotocol/sdk/unstable';
import type {Update} from '../session/events.ts';

/**
 * Handlers of the agent's requests. `client/` implements it with the host's services. A handler throws `RequestError` of the
 * SDK to answer with an error; `signal` aborts when the agent withdraws its request (`$/cancel_request`) or the connection
 * ends. An undefined handler is answered with -32601.
 */
export interface ClientHandlers {
  /** Synchronous on purpose: an asynchronous handler reorders chunks. */
  sessionUpdate: (sessionId: acp.SessionId, update: Update) => void;
  requestPermission: (
    request: PermissionRequest,
    signal: AbortSignal,
  ) => Promise<acp.RequestPermissionResponse>;
  /** The agent reports the sign-in status (a draft). */
  authStatusChanged?: (status: acp.AuthStatusResponse) => void;
  createElicitation?: (
    request: acp.CreateElicitationRequest,
    signal: AbortSignal,
  ) => Promise<acp.CreateElicitationResponse>;
  /** The agent has reached a limit, in a sentence for the user. */
  limited?: (text: string) => void;
  /** What was to be done at an address is done. */
  elicitationCompleted?: (notification: acp.CompleteElicitationNotification) => void;
  readTextFile?: (request: acp.ReadTextFileRequest, signal: AbortSignal) => Promise<acp.ReadTextFileResponse>;
  writeTextFile?: (
    request: acp.WriteTextFileRequest,
    signal: AbortSignal,
  ) => Promise<acp.WriteTextFileResponse>;
  createTerminal?: (
    request: acp.CreateTerminalRequest,
    signal: AbortSignal,
  ) => Promise<acp.CreateTerminalResponse>;
  terminalOutput?: (request: acp.TerminalOutputRequest) => Promise<acp.TerminalOutputResponse>;
  waitForTerminalExit?: (
    request: acp.WaitForTerminalExitRequest,
    signal: AbortSignal,
  ) => Promise<acp.WaitForTerminalExitResponse>;
  killTerminal?: (request: acp.KillTerminalRequest) => Promise<acp.KillTerminalResponse>;
  releaseTerminal?: (request: acp.ReleaseTerminalRequest) => Promise<acp.ReleaseTerminalResponse>;
}

/** `raw` is the request as JSON text when the normalizer had to correct it, so that the user sees what he approves. */
export interface PermissionRequest {
  readonly request: acp.RequestPermissionRequest;
  readonly raw?: string;
}

/** One JSON-RPC message on the wire, for the log, recordings and `--output-format acp`. */
export interface WireMessage {
  readonly direction: 'from_agent' | 'to_agent';
  /** Milliseconds since the epoch. */
  readonly at: number;
  /** The line as it was sent, but for the header values of `providers/set`, before corrections; not JSON if the agent printed something else. */
  readonly line: string;
}
