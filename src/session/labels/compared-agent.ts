import {compactNumber, cost as costText, duration} from '../../text/format.ts';

/** What an agent has left in its worktree. */
export interface ComparedChanges {
  /** Null, as are the lines, if the worktree cannot be examined. */
  readonly files: number | null;
  readonly added: number | null;
  readonly removed: number | null;
  /** Null without a check. */
  readonly check: 'passed' | 'failed' | null;
}

/** What an agent did with the prompt that several got. */
export interface ComparedAgent extends ComparedChanges {
  readonly agent: string;
  readonly worktree: string;
  readonly error: string | null;
  readonly durationMs: number;
  readonly tokens: number | null;
  readonly cost: {readonly amount: number; readonly currency: string} | null;
}

/** Returns the facts that agents are compared by, as texts; `?` is what is not known. */
export function comparedFacts({durationMs, tokens, cost, files, added, removed, check}: ComparedAgent) {
  return {
    time: duration(durationMs),
    tokens: tokens === null ? '?' : compactNumber(tokens),
    cost: cost ? costText(cost) : '?',
    files: files?.toString() ?? '?',
    lines: added === null ? '?' : `+${added} −${removed}`,
    check: check ?? '',
  };
}
