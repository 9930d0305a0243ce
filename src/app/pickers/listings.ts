import type {SessionScope} from '../state.ts';

/** State of the registry; its agents are in the rows. */
export type RegistryView =
  | {readonly kind: 'not_asked'}
  | {readonly kind: 'asking'}
  | {readonly kind: 'known'; readonly checkedAt: number}
  /** It did not answer, for a reason; `checkedAt` is when it did before. */
  | {readonly kind: 'failed'; readonly why: string; readonly checkedAt: number | undefined};

/** An agent that can be chosen. Its texts may come from others, and are cleaned. */
export interface AgentRow {
  /** What `--agent` takes. */
  readonly id: string;
  readonly name: string;
  /** Where it is known from, in words. */
  readonly origins: string;
  /** What it is, or what it starts. */
  readonly about: string;
  readonly version: string | undefined;
  /** Who makes it, on what terms, and where more is to be found: a line each. */
  readonly details: readonly string[];
  /** False if it must be installed first. */
  readonly canStart: boolean;
  /** What a well-known agent that is not installed lacks besides, or ''; undefined for any other. */
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

/** A session that can be gone on with: one that we stored, one that the agent lists, or both in one. */
export interface SessionRow {
  /** Unique in the list. */
  readonly id: string;
  /** What the user or the agent calls it. */
  readonly title: string | undefined;
  readonly firstPrompt: string | undefined;
  /** When something last happened in it, in milliseconds since the epoch. */
  readonly at: number | undefined;
  /** Absolute. */
  readonly cwd: string;
  readonly branch: string | undefined;
  readonly agent: string;
  readonly bytes: number | undefined;
  /** `interrupted`: it was not closed, and is not open anywhere. */
  readonly status: 'open' | 'closed' | 'interrupted';
}

export interface SessionList {
  readonly scope: SessionScope;
  /** True while the agent still lists. */
  readonly isGrowing: boolean;
  /** Which other agents are asked, and what came of it. */
  readonly note?: string | undefined;
  readonly rows: readonly SessionRow[];
  /** Now, in milliseconds since the epoch. */
  readonly at: number;
}
