import type {Entry} from '../session/entries.ts';
import {endPlans} from '../session/transcript/plans.ts';
import type {SessionState} from '../session/state.ts';

/** A session as it is exported: what was said and done, and what a reader wants to know of it. All text is sanitized. */
export interface SessionDocument {
  readonly facts: SessionFacts;
  readonly entries: readonly Entry[];
  /** Those that the entries name, and perhaps others. */
  readonly terminals: SessionState['terminals'];
  /** The subagents by the ids of their sessions, each with what was said and done in its own. */
  readonly subagents: ReadonlyMap<string, SubagentDocument>;
  /** True if what looked like a credential was taken out. */
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

/** The name of a session that has none. */
export const UNTITLED_SESSION = 'Untitled session';

/** Returns the document of a session, unfinished plans included. */
export function documentOf(
  session: SessionState,
  facts: SessionFacts,
  {exportedAt}: Pick<SessionDocument, 'exportedAt'>,
): SessionDocument {
  const entries = endPlans(session, exportedAt).entries.toJSON();
  const own = Object.entries(session.subagents);
  const subagents = own.map(
    ([
      id,
      {
        parent,
        session: {title, entries},
      },
    ]) => [id, {id, parent, title, entries: entries.toJSON()}] as const,
  );
  const {terminals} = session;
  return {facts, entries, terminals, subagents: new Map(subagents), masked: false, exportedAt};
}
