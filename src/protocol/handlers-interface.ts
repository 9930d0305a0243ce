import type * as acp from '@agentclientprotocol/sdk/unstable';
import type {Update} from '../session/events.ts';

/**
 * Handlers of the agent's requests. `conversation/` implements it with the host's services. A handler throws the SDK's `RequestError` to respond with an error;
 * `signal` aborts when the agent cancels its request (`$/cancel_request`) or the connection ends. A missing handler means -32601.
 */
export interface ClientHandlers {
  /** Synchronous on purpose: asynchronous handlers would reorder chunks. */
  sessionUpdate: (sessionId: acp.SessionId, update: Update) => void;
  requestPermission: (
    request: PermissionRequest,
    signal: AbortSignal,
  ) => Promise<acp.RequestPermissionResponse>;
  /** The agent reports its sign-in status (a draft). */
  authStatusChanged?: (status: acp.AuthStatusResponse) => void;
  createElicitation?: (
    request: acp.CreateElicitationRequest,
    signal: AbortSignal,
  ) => Promise<acp.CreateElicitationResponse>;
  /** The agent has reached a limit; `text` is a sentence for the user. */
  limited?: (text: string) => void;
  /** The action at an elicitation's URL is complete. */
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

/** `raw` is the request as JSON text if the normalizer corrected it, so that the user sees what is really approved. */
export interface PermissionRequest {
  readonly request: acp.RequestPermissionRequest;
  readonly raw?: string;
}

/** One JSON-RPC message on the wire, for the log, recordings and `--output-format acp`. */
export interface WireMessage {
  readonly direction: 'from_agent' | 'to_agent';
  /** Milliseconds since the epoch. */
  readonly at: number;
  /** The line as sent, except for masked header values of `providers/set`, before normalization; not JSON if the agent printed something else. */
  readonly line: string;
}
