import type * as acp from '@agentclientprotocol/sdk/unstable';
import type {ProcessExit} from '../failure.ts';

/**
 * An answer to the agent, or the JSON-RPC error that it gets (codes: docs/protocol.md, "fs errors").
 * The host does not know the SDK's classes; `client/` turns a refusal into a `RequestError`.
 */
export type Answer<T> =
  | {readonly ok: true; readonly value: T}
  | {readonly ok: false; readonly code: number; readonly message: string; readonly data?: unknown};

/** "File System": confined to the roots after resolving symlinks. */
export interface FileSystemService {
  read(request: acp.ReadTextFileRequest): Promise<Answer<acp.ReadTextFileResponse>>;
  write(request: acp.WriteTextFileRequest): Promise<Answer<acp.WriteTextFileResponse>>;
}

/** "Terminals": commands that the agent runs through us. */
export interface TerminalService {
  create(request: acp.CreateTerminalRequest): Promise<Answer<acp.CreateTerminalResponse>>;
  output(terminalId: acp.TerminalId): Answer<acp.TerminalOutputResponse>;
  /** `signal` aborts the wait, not the command. */
  waitForExit(
    terminalId: acp.TerminalId,
    signal: AbortSignal,
  ): Promise<Answer<acp.WaitForTerminalExitResponse>>;
  kill(terminalId: acp.TerminalId): Promise<Answer<acp.KillTerminalResponse>>;
  release(terminalId: acp.TerminalId): Promise<Answer<acp.ReleaseTerminalResponse>>;
  /** Ends every command with its whole tree; resolves when none is left. */
  closeAll(): Promise<void>;
  /** The same for exits that cannot wait: synchronous, SIGKILL. */
  killAllNow(): void;
}

/** What a terminal tells the session as it runs. */
export interface TerminalListener {
  created(terminalId: acp.TerminalId, command: string, cwd: string): void;
  output(terminalId: acp.TerminalId, data: string): void;
  exited(terminalId: acp.TerminalId, exit: ProcessExit): void;
  released(terminalId: acp.TerminalId): void;
}
