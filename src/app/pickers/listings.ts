import type * as acp from '@agentclientprotocol/sdk/unstable';
import type {LineCounts} from '../../session/line-counts.ts';
import type {ListedState} from '../../session/labels/session-states.ts';

/** State of the registry; its agents are in the rows. */
export type RegistryView =
  | {readonly kind: 'not_asked'}
  | {readonly kind: 'asking'}
  | {readonly kind: 'known'; readonly checkedAt: number}
  /** It could not be fetched; `checkedAt` is the time of the last success. */
  | {readonly kind: 'failed'; readonly why: string; readonly checkedAt: number | undefined};

/** An agent in the list. Its texts may be untrusted, and are sanitized. */
export interface AgentRow {
  /** The name that `--agent` accepts. */
  readonly id: string;
  readonly name: string;
  /** Its sources, as a label. */
  readonly origins: string;
  /** Its description or start command. */
  readonly about: string;
  readonly version: string | undefined;
  /** Author, license and links, one per line. */
  readonly details: readonly string[];
  /** False if it must be installed first. */
  readonly canStart: boolean;
  /** Other requirements of a well-known agent that is not installed, or ''; undefined for any other agent. */
  readonly missing?: string | undefined;
}

export interface AgentList {
  readonly rows: readonly AgentRow[];
  readonly registry: RegistryView;
  /** Without credentials. */
  readonly address: string;
  /** Now, in milliseconds since the epoch. */
  readonly at: number;
}

/** A session that can be resumed: stored, listed by an agent, or both. */
export interface SessionRow {
  /** Unique in the list. */
  readonly id: string;
  /** The user's title, or the agent's. */
  readonly title: string | undefined;
  readonly firstPrompt: string | undefined;
  /** Its last activity, in milliseconds since the epoch. */
  readonly at: number | undefined;
  /** Absolute. */
  readonly cwd: string;
  /** The folder that its worktree was made from, if it works in one. */
  readonly source?: string | undefined;
  readonly branch: string | undefined;
  readonly agent: string;
  readonly bytes: number | undefined;
  readonly status: ListedState;
  /** What a waiting one asks, in one line. */
  readonly asks?: string;
  /** What an open one ran or said last, in one line. */
  readonly says?: string;
  /** Its cost so far, and what its last turn changed. */
  readonly spent?: acp.Cost;
  readonly changes?: LineCounts;
  /** True if only print mode has opened it. */
  readonly byPrint: boolean;
  /** The key of its session in this window, if it has one. */
  readonly key?: string | undefined;
}

export interface SessionList {
  readonly scope: SessionScope;
  /** True while agents are still being queried. */
  readonly isGrowing: boolean;
  /** Progress and results of querying other agents. */
  readonly note?: string | undefined;
  readonly rows: readonly SessionRow[];
  /** Now, in milliseconds since the epoch. */
  readonly at: number;
}

export type SessionScope = 'folder' | 'everywhere' | 'archived';

/** What a list of sessions is opened for. */
export interface SessionListing {
  /** Print-mode runs are listed, too. */
  readonly withPrint?: boolean | undefined;
  /** The selected session is forked rather than resumed. */
  readonly fork?: boolean | undefined;
}

/** Where the words of a filter were said. */
export interface TranscriptMatches {
  readonly filter: string;
  /** By the id of the item, in order. */
  readonly places: ReadonlyMap<string, TranscriptMatch>;
}

interface TranscriptMatch {
  /** The text around it, in one line. */
  readonly text: string;
  /** What was found, as it was said. */
  readonly match: string;
  /** Index in the session's transcript; undefined if the title matched. */
  readonly entry: number | undefined;
}
