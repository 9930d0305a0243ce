import type * as acp from '@agentclientprotocol/sdk/unstable';
import type {ToolCallEntry} from '../../session/entries.ts';
import {commandIn, isTitleOf} from '../../session/labels/command-label.ts';
import {holdsCommand} from '../../session/requests/command-fields.ts';
import {requestedChanges} from '../../session/requests/patched-files.ts';
import {hidesText, mixesDirections} from '../../session/requests/hidden-text.ts';
import type {
  OutdatedFile,
  PendingElicitation,
  PendingPermission,
  PendingRequest,
} from '../../session/state.ts';
import {shownPath} from '../../text/format.ts';
import {onOneLine} from '../../text/hidden.ts';
import {sanitizeLine} from '../../text/sanitize.ts';
import type {ShownRequest} from './shown-request.ts';

/** Returns what is asked, derived from the content of a call: its kind and title are only claims of the agent. */
export function questionOf({call}: PendingPermission): string {
  if (holdsCommand(call)) return 'Allow this command?';
  const {kind, content} = call;
  if (kind === 'switch_mode' && content.length > 0 && content.every(({type}) => type === 'content'))
    return 'Approve this plan?';
  const [only, ...others] = new Set(requestedChanges(call).map(({does}) => does));
  if (only === undefined) return QUESTIONS[kind] ?? 'Allow this tool call?';
  return (others.length === 0 ? QUESTIONS[only] : undefined) ?? 'Allow this change?';
}

const QUESTIONS: Readonly<Partial<Record<string, string>>> = {
  delete: 'Allow this deletion?',
  move: 'Allow this move?',
};

/** Returns warnings about a request: it has changed, or its diffs do not match the files. */
export function changeWarnings(
  {request, view, entry}: Pick<ShownRequest<PendingPermission>, 'request' | 'view' | 'entry'>,
  cwd: string,
): readonly string[] {
  const news = new Set(diffsOf(entry).flatMap(({path, oldText}) => (oldText == null ? [path] : [])));
  const files = (request.outdated ?? []).map((file) => outdatedLabel(file, news.has(file.path), cwd));
  return view.changed === 'agent' ? [CHANGED, ...files] : files;
}

const CHANGED = 'The agent changed this request after it was shown. Read it again.';

function outdatedLabel({path, why}: OutdatedFile, isCalledNew: boolean, cwd: string): string {
  const file = onOneLine(shownPath(path, cwd));
  if (why === 'changed')
    return `${file} has changed since you were asked; the diff shows the old version. Read it again.`;
  return `${file} ${isCalledNew ? 'already exists' : 'does not match this diff'}: its current content may be lost.`;
}

/** Returns the diffs of a call. */
export function diffsOf(entry: ToolCallEntry | undefined): readonly acp.Diff[] {
  return entry?.content.filter((item) => item.type === 'diff') ?? [];
}

/** True for a call whose title is its command, however quoted. */
export function isCommandTitle({title, rawInput}: ToolCallEntry): boolean {
  const command = commandIn(rawInput);
  return command !== undefined && isTitleOf(title, command);
}

const HIDDEN = 'Contains hidden or control characters, shown as ⟨U+200B⟩ or ␛.';
const MIXED =
  'Contains right-to-left letters: a terminal may show words, numbers and signs around them in another order.';

/** Returns notes on text that does not look as it is: hidden characters, and what terminals put in another order. */
export function textNotes(request: PendingRequest): readonly string[] {
  return [...(hidesText(request) ? [HIDDEN] : []), ...(mixesDirections(request) ? [MIXED] : [])];
}

/** Returns the title of a request, and who asks. An agent can have any name, so the title itself marks it as an agent's, even if the screen cuts the rest. */
export function headingOf(
  {request: {asker, isForNone}, agentName, others}: ShownRequest<PendingElicitation>,
  question: string,
) {
  const isOwn = asker !== undefined;
  const words = [...(isForNone ? ['for any session'] : []), ...(isOwn ? [] : [sanitizeLine(agentName)])];
  return {title: isOwn ? `${asker} asks` : question, aside: asideOf(words, others), isOwn};
}

/** Returns who asks, and how many requests are pending. */
export function asideOf(words: readonly string[], others: number): string {
  return [...words, ...(others === 0 ? [] : [`1 of ${others + 1}`])].join(' · ');
}
