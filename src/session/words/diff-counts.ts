import type * as acp from '@agentclientprotocol/sdk/unstable';
import type {Diff} from '../../text/diff/diff.ts';
import {counted} from '../../text/format.ts';
import {placeOf} from '../diff-place.ts';

/** How much of a file changes: `new file, 1 line`, `deleted, 8 lines`, `+2 −1`. */
export function diffCounts(
  diff: acp.Diff,
  {stats, newFile}: Pick<Diff, 'stats' | 'newFile'>,
  {minus, kind}: {readonly minus: string; readonly kind?: acp.ToolKind | undefined},
): string {
  if (newFile) return `new file, ${counted(stats.added, 'line')}`;
  if (isDeletion(diff, kind)) return `deleted, ${counted(stats.removed, 'line')}`;
  return `+${stats.added} ${minus}${stats.removed}`;
}

/** True where a file goes: the protocol has only an empty new text for that, beside which agents tell it. */
function isDeletion(diff: acp.Diff, kind: acp.ToolKind | undefined): boolean {
  if (!diff.oldText || diff.newText !== '') return false;
  return kind === 'delete' || diff._meta?.['kind'] === 'delete' || placeOf(diff)?.isGone === true;
}
