import type * as acp from '@agentclientprotocol/sdk/unstable';
import type {SessionState} from './state.ts';

export interface ToldDiff {
  readonly turn: number | undefined;
  readonly diff: acp.Diff;
  /** Of the call that told it. */
  readonly kind: acp.ToolKind | undefined;
}

/** What completed tool calls told of changed files, oldest first. */
export function toldDiffs({entries}: SessionState): readonly ToldDiff[] {
  return entries.flatMap((entry) => {
    if (entry.type !== 'tool_call' || entry.status !== 'completed') return [];
    const diffs = entry.content.filter((content) => content.type === 'diff');
    return diffs.map((diff) => ({turn: entry.turn, diff, kind: entry.kind}));
  });
}
