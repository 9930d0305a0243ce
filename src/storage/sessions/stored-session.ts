import type * as acp from '@agentclientprotocol/sdk/unstable';
import type {Doing} from '../../session/labels/session-states.ts';
import type {LineCounts} from '../../session/line-counts.ts';
import type {ProcessIdentity} from '../../shared/processes/process-identity.ts';

/** The metadata of a stored session. */
export interface StoredSession {
  /** acp-tui's id, ten characters; not the agent's. */
  readonly id: string;
  readonly agent: StoredAgent;
  /** The agent's id; undefined if it never sent one. */
  readonly agentSessionId: acp.SessionId | undefined;
  /** Absolute. */
  readonly cwd: string;
  readonly additionalDirectories: readonly string[];
  /** The branch of the working folder at the last activity. */
  readonly branch: string | undefined;
  /** Undefined if neither the agent nor the user set one: show `firstPrompt`. */
  readonly title: string | undefined;
  readonly titledBy: 'agent' | 'user' | undefined;
  /** The beginning of the first prompt in one line, sanitized. */
  readonly firstPrompt: string | undefined;
  /** Times are milliseconds since the epoch. */
  readonly createdAt: number;
  readonly updatedAt: number;
  /** Number of prompts. */
  readonly turns: number;
  /** Size of its file. */
  readonly bytes: number;
  readonly archived: boolean;
  /** When the user deleted it; it can be restored until it is removed. */
  readonly deletedAt: number | undefined;
  /** `interrupted`: the process that had it open ended without closing it. */
  readonly status: 'open' | 'closed' | 'interrupted';
  /** True if only print mode has opened it. */
  readonly byPrint: boolean | undefined;
  /** What it did when it was last saved; undefined if nothing. */
  readonly doing: Doing;
  /** What it waited for when it was last saved, in one line. */
  readonly asks: string | undefined;
  /** What it ran or said last, in one line. */
  readonly says: string | undefined;
  /** Its cost so far, and what its last turn changed; undefined if unknown. */
  readonly cost: acp.Cost | undefined;
  readonly changes: LineCounts | undefined;
  /** When a window showed it last, in milliseconds since the epoch. */
  readonly readAt: number | undefined;
  /** The process that has it open, or had it when it was interrupted. */
  readonly openBy: ProcessIdentity | undefined;
}

/** The command of a session's agent. Its environment is not stored: it may contain secrets. */
export interface StoredAgent {
  /** The name by which the user started it; `demo` is the built-in one. */
  readonly label: string;
  readonly command: string;
  readonly args: readonly string[];
  /** The name it reported. */
  readonly name?: string | undefined;
}

/** The origin of a recorded session. */
export interface SessionOrigin {
  readonly agent: StoredAgent;
  /** Absolute. */
  readonly cwd: string;
  readonly additionalDirectories: readonly string[];
  /** acp-tui's id of a new session, from `newSessionId`; a random one by default. */
  readonly id?: string | undefined;
  /** The id of a stored session whose file is continued. */
  readonly continues?: string;
  /** acp-tui's id of a stored session that this one starts as a copy of. */
  readonly copies?: string;
  /** With either: the time passed to `restoredSession`, in milliseconds since the epoch; default now. */
  readonly restoredAt?: number;
}

/** The stored session that is resumed: recording continues in its file, or in a copy. */
export type ResumeOrigin = Pick<SessionOrigin, 'continues' | 'copies'>;

export function resumeOrigin(id: string | undefined, fork: boolean | undefined): ResumeOrigin {
  if (id === undefined) return {};
  return fork ? {copies: id} : {continues: id};
}

/** Filter of the list; by default all but deleted and archived sessions. */
export interface SessionFilter {
  readonly cwd?: string;
  readonly status?: StoredSession['status'];
  /** Only those that this process has opened. */
  readonly openIn?: number;
  /** Only those that a window has opened. */
  readonly ofWindows?: true;
  /** Archived ones too, or only archived or deleted ones. */
  readonly include?: 'archived' | 'archived_only' | 'deleted';
  readonly limit?: number;
}

/** A search result. */
export interface SearchHit {
  readonly session: StoredSession;
  /** Index of the entry in the session's transcript; undefined if the title matched. */
  readonly entry: number | undefined;
  readonly role: PassageRole;
  /** The name of the subagent in whose transcript it is. */
  readonly subagent?: string | undefined;
  readonly at: number;
  /** The text around the matches, in order. */
  readonly snippet: readonly SnippetPart[];
}

export type PassageRole = 'title' | 'user' | 'agent' | 'tool';

export interface SnippetPart {
  readonly text: string;
  /** True for a search match. */
  readonly found: boolean;
}
