import type {DiffContent} from '../../session/entries.ts';
import {commandIn} from '../../session/labels/command-label.ts';
import {holdsCommand} from '../../session/requests/command-fields.ts';
import {unsanitizedToolCall} from '../../session/sanitize-events.ts';
import {onlyEdits} from '../../session/transcript/diffs.ts';
import type {PendingPermission} from '../../session/state.ts';
import {isDeceptive} from './request-guard.ts';

interface ProposedContent {
  /** The file; undefined for a command. */
  readonly path: string | undefined;
  /** The whole file if acp-tui writes it, otherwise what the agent shows of it; or the line of a command. */
  readonly text: string;
}

/** True for a request that writes one file, and nothing else that can be seen, or runs a command here. */
export function isEditable(request: PendingPermission): boolean {
  return whyNotEditable(request) === undefined;
}

/** Returns why a request cannot be edited, as a sentence; undefined if it can. */
export function whyNotEditable(request: PendingPermission): string | undefined {
  const why = isCommandHere(request) ? undefined : whyNoFile(request);
  if (why !== undefined) return why;
  return isDeceptive(request)
    ? 'It contains hidden or control characters, which an editor could lose or add to: it cannot be edited.'
    : undefined;
}

function isCommandHere({call, isDoneHere}: PendingPermission): boolean {
  return isDoneHere === true && commandIn(call.rawInput) !== undefined;
}

function whyNoFile({call, options, isDoneHere, calledBy}: PendingPermission): string | undefined {
  if (calledBy !== undefined) return `The command is part of ${calledBy}; change it there.`;
  const [first, ...others] = diffsOf(call);
  const isOneFile = first !== undefined && others.every(({path}) => path === first.path);
  if (holdsCommand(call)) return 'The agent runs this command itself: only what acp-tui runs can be edited.';
  if (!isOneFile || !onlyEdits(call))
    return 'Only a request to write one file, or to run a command here, can be edited.';
  const canAnswer = isDoneHere === true || options.some(({kind}) => kind === 'reject_once');
  return canAnswer ? undefined : 'The agent offers no "reject once", so its change cannot be edited.';
}

/** Returns what an editable request would write or run. */
export function editableContent(request: PendingPermission): ProposedContent | undefined {
  if (!isEditable(request)) return undefined;
  const call = unsanitizedToolCall(request.call);
  // Editors end the last line.
  if (isCommandHere(request)) return {path: undefined, text: `${commandIn(call.rawInput) ?? ''}\n`};
  const last = diffsOf(call).at(-1);
  return last && {path: last.path, text: last.newText};
}

function diffsOf({content}: PendingPermission['call']): readonly DiffContent[] {
  return content.filter((part) => part.type === 'diff');
}
