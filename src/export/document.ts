import type {Entry} from '../session/entries.ts';
import {endPlans} from '../session/transcript/plans.ts';
import type {SessionState} from '../session/state.ts';

/** A session for export: the conversation, and facts about it. All text is sanitized. */
export interface SessionDocument {
  readonly facts: SessionFacts;
  readonly entries: readonly Entry[];
  /** Terminals of the entries, and possibly others. */
  readonly terminals: SessionState['terminals'];
  /** The subagents by session id, each with its own conversation. */
  readonly subagents: ReadonlyMap<string, SubagentDocument>;
  /** True if apparent credentials were masked. */
  readonly masked: boolean;
  /** Milliseconds since the epoch. */
  readonly exportedAt: number;
}

export interface SubagentDocument {
  readonly id: string;
  /** The parent subagent; undefined if the parent is the session itself. */
  readonly parent: string | undefined;
  readonly title: string | undefined;
  readonly entries: readonly Entry[];
}

export interface SessionFacts {
  readonly title: string;
  readonly agent: {readonly label: string; readonly name?: string; readonly version?: string};
  /** Absolute. */
  readonly cwd: string;
  readonly additionalDirectories: readonly string[];
  readonly branch?: string;
  /** Milliseconds since the epoch. */
  readonly createdAt: number;
  readonly updatedAt: number;
}

/** The name of a session without a title. */
export const UNTITLED_SESSION = 'Untitled session';

/** Returns the document of a session, including unfinished plans. */
export function documentOf(
  session: SessionState,
  facts: SessionFacts,
  {exportedAt}: Pick<SessionDocument, 'exportedAt'>,
): SessionDocument {
  const entries = endPlans(session, exportedAt).entries.slice();
  const subagents = Object.entries(session.subagents).map(([id, {parent, session: own}]) => {
    return [id, {id, parent, title: own.title, entries: own.entries.slice()}] as const;
  });
  const {terminals} = session;
  return {facts, entries, terminals, subagents: new Map(subagents), masked: false, exportedAt};
}

/** The location of an entry. */
export interface EntryPlace {
  readonly document: SessionDocument;
  readonly next: Entry | undefined;
  /** The subagent whose session it is in. */
  readonly within?: string;
}
