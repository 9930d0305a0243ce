import type * as acp from '@agentclientprotocol/sdk/unstable';
import type {DiffContent} from './entries.ts';

/** A call's new content with the changes that were approved before: of two that tell the same change, the one that tells more. */
export function withApproved(
  content: readonly acp.ToolCallContent[],
  approved: readonly DiffContent[],
): readonly acp.ToolCallContent[] {
  const told = content.filter((part) => part.type === 'diff');
  const kept = approved.filter((diff) => !told.some((other) => holds(other, diff)));
  if (kept.length === 0) return content;
  const others = content.filter((part) => part.type !== 'diff' || !kept.some((diff) => holds(diff, part)));
  return [...kept, ...others];
}

/** Adds changes to those that were approved; none twice. */
export function withDiffs(
  before: readonly DiffContent[],
  more: readonly DiffContent[],
): readonly DiffContent[] {
  return [...before.filter((diff) => !more.some((other) => holds(other, diff))), ...more];
}

/** True if a change is told in another, which may show more of the file. */
function holds(whole: acp.Diff, part: acp.Diff): boolean {
  return (
    whole.path === part.path &&
    (whole.oldText ?? '').includes(part.oldText ?? '') &&
    whole.newText.includes(part.newText)
  );
}
