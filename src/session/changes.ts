import type * as acp from '@agentclientprotocol/sdk/unstable';

/** A file that was changed, to be shown. Its text is clean. */
export interface FileChange {
  /** Absolute. */
  readonly path: string;
  /** Undefined when it cannot be shown; then `note` says why. */
  readonly diff: acp.Diff | undefined;
  readonly note?: string;
  /** Of the call that told it. */
  readonly kind?: acp.ToolKind | undefined;
}

/** Changes of files, by who made them. */
export interface ChangeGroup {
  /** Written through this client: what can be taken back. */
  readonly written: readonly FileChange[];
  /** Changed by the agent itself, as it told in tool calls; nobody here saw it done. */
  readonly told: readonly FileChange[];
}

/** What was changed by the turn that runs or else the last one, and by all turns together. */
export interface Changes {
  readonly isRunning: boolean;
  readonly turn: ChangeGroup;
  /** Undefined when no other turn changed anything. */
  readonly session: ChangeGroup | undefined;
}

/** What taking back a turn does to a file. */
export interface UndoneFile {
  /** Absolute. */
  readonly path: string;
  /** A file that was not there before is deleted. */
  readonly does: 'restore' | 'delete';
  /** Why it is left as it is. */
  readonly refused?: string;
}

export interface UndoPlan {
  readonly turn: number;
  readonly files: readonly UndoneFile[];
}
