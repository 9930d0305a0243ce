import type * as acp from '@agentclientprotocol/sdk/unstable';
import type {ToolCallEntry} from '../../src/session/entries.ts';

/** Whether a part is cut to what matters, drawn in full (in a viewer), or exactly: in full and nothing smoothed, before an approval. */
export type Extent = 'folded' | 'whole' | 'exact';

export interface ContentContext {
  readonly entry: ToolCallEntry;
  readonly extent: Extent;
}

/** What is worth seeing of a kind without asking for more: the result of a change or a command, not of a look around. */
const linesByKind: Readonly<Record<acp.ToolKind, number>> = {
  read: 0,
  edit: 16,
  delete: 4,
  move: 4,
  search: 4,
  execute: 8,
  think: 3,
  fetch: 3,
  switch_mode: 6,
  other: 6,
};

const LINES_OF_A_FAILURE = 10;
const LINES_OF_A_DIFF = 20;

/** How many lines of text are shown of a tool call's content. */
export function mostLines({entry, extent}: ContentContext): number {
  if (extent !== 'folded') return Infinity;
  return entry.status === 'failed' ? LINES_OF_A_FAILURE : (linesByKind[entry.kind] ?? linesByKind.other);
}

export function mostDiffLines(extent: Extent): number {
  return extent === 'folded' ? LINES_OF_A_DIFF : Infinity;
}
