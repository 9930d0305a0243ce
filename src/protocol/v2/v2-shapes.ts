import {parsePatch, type StructuredPatch} from 'diff';
import type * as v1 from '@agentclientprotocol/sdk/unstable';
import {patchedFiles} from '../../session/requests/patched-files.ts';
import {ANY_FILE, withFileChange, type FileChange} from '../../session/transcript/diffs.ts';
import {withCancel, withCleared, wordsOfRequest} from '../../session/transcript/patches.ts';
import {isJsonObject, type JsonObject} from '../../text/json.ts';
import {textPart} from '../../session/transcript/content.ts';

/*
 * Converts values of version 2 to version 1. They are not validated before: extensible values and malformed ones are passed on unchanged, and version 1's
 * reader shows or reports what it does not know.
 */

/** Returns a list that is sent as a patch: null clears it, one item is a list of one, and undefined changes nothing. */
export function listOf(value: unknown): readonly unknown[] | undefined {
  if (value === undefined) return undefined;
  if (Array.isArray(value)) return value;
  return value === null ? [] : [value];
}

/** Commands and skills: a skill is called like a command. */
export function commands(available: unknown): unknown {
  if (!Array.isArray(available)) return available;
  return available.flatMap((command) =>
    isJsonObject(command) && (command['type'] === 'command' || command['type'] === 'skill')
      ? [commandOf(command)]
      : [],
  );
}

function commandOf({type, name, description, input}: JsonObject): JsonObject {
  const hint = isJsonObject(input) && input['type'] === 'text' ? {input: {hint: input['hint']}} : {};
  return {name, description, ...hint, ...(type === 'skill' && {_meta: {[SKILL]: true}})};
}

/** Marks a command that is a skill. */
const SKILL = 'acp-tui/skill';

/** Converts a tool call or its update, except for its content. Null clears what is a list. */
export function toolCall({capabilities, ...update}: JsonObject): JsonObject {
  const locations = listOf(update['locations']);
  const call = {...update, ...(locations && {locations})};
  if (capabilities === undefined) return call;
  return withCancel(call, isJsonObject(capabilities) && isJsonObject(capabilities['cancel']));
}

/** Converts a part of the content of a tool call; a diff becomes one diff per file. */
export function toolContent(part: unknown): readonly unknown[] {
  if (!isJsonObject(part) || part['type'] !== 'diff') return [part];
  const {changes, patch, path, newText} = part;
  const isOfVersion1 = changes === undefined && patch === undefined && typeof newText === 'string';
  if (isOfVersion1 && typeof path === 'string') return [part];
  if (!Array.isArray(changes)) return [withFileChange(textPart(JSON.stringify(part)), ANY_FILE)];
  return diffs(changes, textOfPatch(patch));
}

/** Returns a git patch; its text is called `diff` in the proposal, and `text` in the schema. */
function textOfPatch(patch: unknown): string {
  const {format, text, diff = text} = isJsonObject(patch) ? patch : {};
  return format === 'git_patch' && typeof diff === 'string' ? diff : '';
}

function diffs(changes: readonly unknown[], patch: string): readonly object[] {
  // A patch names a file without its folder: of several with its name, the one with the shortest path.
  const shortest = changes.toSorted((one, other) => pathLength(one) - pathLength(other));
  const shown = parsedPatch(patch)
    .filter(({hunks}) => hunks.length > 0)
    .map((file) => {
      const change = shortest.find((each) => isChangeOf(file, pathsOf(each)));
      return {file, change, does: patchedChange(file, change)};
    });
  const others = changes.filter((change) => !shown.some((each) => each.change === change));
  const said = [...shown.map(({does}) => does), ...others.map(fileChange)];
  return [
    ...shown.map(({file, does}) => diffOf(file, does)),
    ...others.map((change) => withFileChange(textPart(changeLabel(change)), fileChange(change))),
    ...unsaid(patch, said).map((change) =>
      withFileChange(textPart(changeLabel(asOperation(change))), change),
    ),
  ];
}

function asOperation(change: FileChange): object {
  return {...change, operation: change.does === 'edit' ? 'modify' : change.does};
}

/** Returns what a patch does without a part that shows it, such as to a file without lines. */
function unsaid(patch: string, said: readonly FileChange[]): readonly FileChange[] {
  return patchedFiles(patch).filter((change) => !said.some((part) => says(part, change)));
}

/** True if a part shows a change in a patch: what edits a file may also move it. */
function says(part: FileChange, {does, path, oldPath}: FileChange): boolean {
  if (does === 'edit' && part.does === 'move' && isPathOf(part.oldPath, path)) return true;
  const isSame = does === part.does || (does === 'edit' && part.does !== 'delete');
  return isSame && isPathOf(part.path, path) && (oldPath === undefined || isPathOf(part.oldPath, oldPath));
}

function parsedPatch(text: string): readonly StructuredPatch[] {
  try {
    return parsePatch(text);
  } catch {
    return [];
  }
}

const NOWHERE = '/dev/null';

interface Paths {
  readonly path?: string | undefined;
  readonly oldPath?: string | undefined;
}

/** Returns the paths of a change, as far as it has any. */
function pathsOf(change: unknown): Paths {
  const {path, oldPath} = isJsonObject(change) ? change : {};
  return {
    ...(typeof path === 'string' && {path}),
    ...(typeof oldPath === 'string' && {oldPath}),
  };
}

function pathLength(change: unknown): number {
  return pathsOf(change).path?.length ?? 0;
}

/** True if a patch, which names files relative to the repository, is about this change. */
function isChangeOf({oldFileName, newFileName}: StructuredPatch, {path, oldPath = path}: Paths): boolean {
  const sides = [[newFileName, path] as const, [oldFileName, oldPath] as const].filter(
    ([name]) => name !== undefined && name !== NOWHERE,
  );
  return sides.length > 0 && sides.every(([name, absolute]) => isPathIn(absolute, name ?? ''));
}

function isPathIn(path: string | undefined, inPatch: string): boolean {
  return path === inPatch || isPathOf(path, withoutPrefix(inPatch));
}

function isPathOf(path: string | undefined, name: string): boolean {
  return path !== undefined && (path === name || path.endsWith(`/${name}`));
}

function withoutPrefix(inPatch: string): string {
  return inPatch.replace(/^[ab]\//, '');
}

/** Returns what a patch of a file does: what its change says, unless the patch does more. */
function patchedChange({oldFileName, newFileName}: StructuredPatch, change: unknown): FileChange {
  const isGone = newFileName === NOWHERE;
  const [old, name = ''] = [oldFileName, isGone ? oldFileName : newFileName].map((each) =>
    each === undefined ? undefined : withoutPrefix(each),
  );
  const said = change === undefined ? undefined : fileChange(change);
  if (said && said.does !== 'edit') return said;
  const path = said?.path ?? name;
  if (isGone) return {does: 'delete', path};
  const isMove = old !== undefined && oldFileName !== NOWHERE && old !== name;
  return isMove ? {does: 'move', path, oldPath: old} : {does: 'edit', path};
}

/** Returns the parts of a file in its hunks, before and after. A patch for none of the changes keeps its own name. */
function diffOf({oldFileName, hunks}: StructuredPatch, does: FileChange): v1.Diff & {type: 'diff'} {
  const lines = hunks.flatMap((hunk) => hunk.lines).filter((line) => !line.startsWith('\\'));
  const side = (mark: '+' | '-') =>
    lines
      .filter((line) => line.startsWith(mark) || line.startsWith(' '))
      .map((line) => `${line.slice(1)}\n`)
      .join('');
  const diff = {
    type: 'diff' as const,
    path: does.path,
    oldText: oldFileName === NOWHERE ? null : side('-'),
    newText: side('+'),
  };
  return does.does === 'edit' ? diff : withFileChange(diff, does);
}

const OPERATIONS: Readonly<Record<string, {readonly does: FileChange['does']; readonly label: string}>> = {
  add: {does: 'edit', label: 'Added'},
  modify: {does: 'edit', label: 'Modified'},
  delete: {does: 'delete', label: 'Deleted'},
  move: {does: 'move', label: 'Moved'},
  copy: {does: 'copy', label: 'Copied'},
};

/** A change without a path, or one that cannot be read, may be about any file. */
function fileChange(change: unknown): FileChange {
  const {path, oldPath} = pathsOf(change);
  if (path === undefined) return ANY_FILE;
  return {
    does: OPERATIONS[operationOf(change)]?.does ?? 'other',
    path,
    ...(oldPath !== undefined && {oldPath}),
  };
}

function operationOf(change: unknown): string {
  const operation = isJsonObject(change) ? change['operation'] : undefined;
  return typeof operation === 'string' ? operation : '';
}

function changeLabel(change: unknown): string {
  const {path, oldPath} = pathsOf(change);
  const operation = operationOf(change);
  if (path === undefined || operation === '') return JSON.stringify(change);
  const what = OPERATIONS[operation]?.label ?? operation;
  return oldPath === undefined ? `${what} ${path}` : `${what} ${oldPath} to ${path}`;
}

/** What a request is translated with. */
interface RequestFacts {
  /** The ID of a tool call for a request that is about none. */
  readonly id: string;
  /** What is known of a tool call. */
  readonly callOf: (toolCallId: string) => KnownCall;
}

/** What the updates of a tool call have said so far. */
export interface KnownCall {
  readonly title?: string;
  /** As it was sent. */
  readonly content?: readonly unknown[];
}

/** Returns the request with version 1's tool call; title and description are shown to the user beside the content. */
export function permission(
  {title, description, subject, toolCall: sent, ...others}: JsonObject,
  {id, callOf}: RequestFacts,
): {readonly toolCall: JsonObject} {
  const call = requestedCall(subject, sent);
  const toolCallId = call['toolCallId'] ?? id;
  const known: KnownCall = typeof toolCallId === 'string' ? callOf(toolCallId) : {};
  const own = (call['title'] === undefined ? known.title : call['title']) || title;
  const words = [own === title ? undefined : title, description].flatMap((text, index) =>
    typeof text === 'string' ? wordsOfRequest(text, index === 0) : [],
  );
  const content = listOf(call['content']) ?? (words.length > 0 ? (known.content ?? []) : undefined);
  const shown = content && [...words, ...content.flatMap(toolContent)];
  return {...others, toolCall: {...call, toolCallId, title: own, ...(shown && {content: shown})}};
}

/** Returns the tool call that a request is about, which may be that of version 1; a command is its input, and so is what cannot be read. */
function requestedCall(subject: unknown, sent: unknown): JsonObject {
  if (!isJsonObject(subject) && isJsonObject(sent))
    return Object.fromEntries(Object.entries(sent).filter(([, field]) => field !== null));
  const {type, toolCall: of, command, cwd, toolCallId} = isJsonObject(subject) ? subject : {};
  if (type === 'tool_call' && isJsonObject(of) && typeof of['toolCallId'] === 'string')
    return withCleared(toolCall(of));
  if (type === 'command' && typeof command === 'string')
    return {...(typeof toolCallId === 'string' && {toolCallId}), kind: 'execute', rawInput: {command, cwd}};
  const rawInput = isJsonObject(sent) ? {subject, toolCall: sent} : subject;
  return {kind: 'other', ...(rawInput !== undefined && rawInput !== null && {rawInput})};
}
