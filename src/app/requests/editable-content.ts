import type {DiffContent} from '../../session/entries.ts';
import {holdsCommand} from '../../session/requests/command-fields.ts';
import {unsanitizedToolCall} from '../../session/sanitize-events.ts';
import {onlyEdits} from '../../session/transcript/diffs.ts';
import type {PendingPermission} from '../../session/state.ts';
import {isDeceptive} from './request-guard.ts';

interface ProposedContent {
  readonly path: string;
  /** The whole file if acp-tui writes it, otherwise what the agent shows of it. */
  readonly text: string;
}

/** True for a request that writes one file, and nothing else that can be seen. */
export function isEditable(request: PendingPermission): boolean {
  return whyNotEditable(request) === undefined;
}

/** Returns why a request cannot be edited, as a sentence; undefined if it can. */
export function whyNotEditable(request: PendingPermission): string | undefined {
  const {call, options, isWrittenHere} = request;
  const [first, ...others] = diffsOf(call);
  const isOneFile = first !== undefined && others.every(({path}) => path === first.path);
  const canAnswer = isWrittenHere === true || options.some(({kind}) => kind === 'reject_once');
  if (!isOneFile || !onlyEdits(call) || holdsCommand(call))
    return 'Only a request to write one file can be edited.';
  if (!canAnswer) return 'The agent offers no "reject once", so its change cannot be edited.';
  return isDeceptive(request)
    ? 'It contains hidden or control characters, which an editor could lose or add to: it cannot be edited.'
    : undefined;
}

/** Returns the content that an editable request would write. */
export function editableContent(request: PendingPermission): ProposedContent | undefined {
  const last = isEditable(request) ? diffsOf(unsanitizedToolCall(request.call)).at(-1) : undefined;
  return last && {path: last.path, text: last.newText};
}

function diffsOf({content}: PendingPermission['call']): readonly DiffContent[] {
  return content.filter((part) => part.type === 'diff');
}
