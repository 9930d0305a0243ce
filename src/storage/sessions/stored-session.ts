import type * as acp from '@agentclientprotocol/sdk/unstable';
import type {ProcessIdentity} from '../process-identity.ts';

/** The metadata of a stored session. */
export interface StoredSession {
  /** Ours, ten characters; not the agent's. */
  readonly id: string;
  readonly agent: StoredAgent;
  /** The agent's own id of it; undefined if it never sent one. */
  readonly agentSessionId: acp.SessionId | undefined;
  /** Absolute. */
  readonly cwd: string;
  readonly additionalDirectories: readonly string[];
  /** The branch of the working folder when something last happened. */
  readonly branch: string | undefined;
  /** Undefined when neither the agent nor the user gave one: show `firstPrompt`. */
  readonly title: string | undefined;
  readonly titledBy: 'agent' | 'user' | undefined;
  /** The beginning of the first prompt on one line, sanitized. */
  readonly firstPrompt: string | undefined;
  /** Times are milliseconds since the epoch. */
  readonly createdAt: number;
  readonly updatedAt: number;
  /** How many prompts were sent. */
  readonly turns: number;
  /** Size of its file. */
  readonly bytes: number;
  readonly archived: boolean;
  /** When the user deleted it; it can be restored until it is really removed. */
  readonly deletedAt: number | undefined;
  /** `interrupted`: the process that had it open is gone, and did not close it. */
  readonly status: 'open' | 'closed' | 'interrupted';
  /** The process that has it open, or had it when it was interrupted. */
  readonly openBy: ProcessIdentity | undefined;
}

/** The command of a session's agent. Its environment is not stored: it may hold secrets. */
export interface StoredAgent {
  /** How the user named it; `demo` is the embedded one. */
  readonly label: string;
  readonly command: string;
  readonly args: readonly string[];
  /** What it called itself. */
  readonly name?: string | undefined;
}

/** The origin of a recorded session. */
export interface SessionOrigin {
  readonly agent: StoredAgent;
  /** Absolute. */
  readonly cwd: string;
  readonly additionalDirectories: readonly string[];
  /** The id of a stored session that continues in its file. */
  readonly continues?: string;
  /** Our id of a stored session that stays as it is, and that this one begins as a copy of. */
  readonly copies?: string;
  /** With either: the time passed to `restoredSession`, in milliseconds since the epoch; default now. */
  readonly restoredAt?: number;
}

/** The stored session that is resumed: recording continues in its file, or in a copy. */
export type StoredBefore = Pick<SessionOrigin, 'continues' | 'copies'>;

export function storedBefore(id: string | undefined, fork: boolean | undefined): StoredBefore {
  if (id === undefined) return {};
  return fork ? {copies: id} : {continues: id};
}

/** Which sessions to list; all but deleted and archived ones without it. */
export interface SessionFilter {
  readonly cwd?: string;
  readonly status?: StoredSession['status'];
  /** Archived ones too, or deleted ones only. */
  readonly include?: 'archived' | 'deleted';
  readonly limit?: number;
}

/** A passage that a search found. */
export interface SearchHit {
  readonly session: StoredSession;
  /** Index of the entry in the session's transcript; undefined when the title was found. */
  readonly entry: number | undefined;
  readonly role: PassageRole;
  readonly at: number;
  /** The text around what was found, in order. */
  readonly snippet: readonly SnippetPart[];
}

export type PassageRole = 'title' | 'user' | 'agent' | 'tool';

export interface SnippetPart {
  readonly text: string;
  /** True for a search match. */
  readonly found: boolean;
}
