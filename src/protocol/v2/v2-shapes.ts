import {parsePatch, type StructuredPatch} from 'diff';
import type * as v1 from '@agentclientprotocol/sdk/unstable';
import type * as v2 from '@agentclientprotocol/sdk/experimental/v2';
import {patchedFiles} from '../../session/requests/command-fields.ts';
import {withFileChange, type FileChange} from '../../session/transcript/diffs.ts';

/** Converts version 2 types to version 1. Extensible values are passed on unchanged: the normalizer shows unknown ones. */

type Loose = Readonly<Record<string, unknown>>;

export function configOptions(options: readonly v2.SessionConfigOption[]): readonly object[] {
  return options.map(({configId, ...option}) => ({
    ...option,
    id: configId,
    ...('options' in option && Array.isArray(option.options) && {options: option.options.map(optionGroup)}),
  }));
}

function optionGroup(option: Loose): object {
  const {groupId, ...others} = option;
  return groupId === undefined ? option : {...others, group: groupId};
}

export function commands(available: readonly v2.AvailableCommand[]): readonly object[] {
  return available.filter(({type}) => type === 'command').map((command) => commandOf(command as v2.Command));
}

function commandOf({name, description, input}: v2.Command): object {
  return {name, description, ...(input?.type === 'text' && {input: {hint: input.hint}})};
}

/** Converts a tool call or its update; a diff becomes one diff per file. */
export function toolCall(update: Partial<v2.ToolCallUpdate>): object {
  const {content, status, capabilities: _, ...others} = update;
  return {
    ...others,
    ...(status !== undefined && {status: status === 'paused' ? 'in_progress' : status}),
    ...(content !== undefined && {content: content?.flatMap(toolContent) ?? null}),
  };
}

function toolContent(content: v2.ToolCallContent): readonly object[] {
  return content.type === 'diff' && 'changes' in content ? diffs(content as v2.Diff) : [content];
}

function diffs({changes, patch}: v2.Diff): readonly object[] {
  const patches = patch?.format === 'git_patch' ? parsedPatch(patch.text) : [];
  const shown = patches
    .filter(({hunks}) => hunks.length > 0)
    .map((file) => {
      const change = changes.find((each) => isChangeOf(file, each));
      return {file, change, does: patchedChange(file, change)};
    });
  const others = changes.filter((change) => !shown.some((each) => each.change === change));
  const said = [...shown.map(({does}) => does), ...others.map(fileChange)];
  return [
    ...shown.map(({file, does}) => diffOf(file, does)),
    ...others.map((change) => withFileChange(textContent(changeLabel(change)), fileChange(change))),
    ...unsaid(patch?.text ?? '', said).map(({does, path}) =>
      withFileChange(textContent(`${does === 'delete' ? 'Deleted' : 'Moved'} ${path}`), {does, path}),
    ),
  ];
}

/** Deletions and moves in a patch without a part that shows them, such as of a file that is only renamed. */
function unsaid(patch: string, said: readonly FileChange[]): readonly Pick<FileChange, 'does' | 'path'>[] {
  return patchedFiles(patch).filter(
    ({path, does}) =>
      does !== 'edit' &&
      !said.some(
        (each) => each.does === does && [each.path, each.oldPath].some((name) => isPathIn(name, path)),
      ),
  );
}

function parsedPatch(text: string): readonly StructuredPatch[] {
  try {
    return parsePatch(text);
  } catch {
    return [];
  }
}

const NOWHERE = '/dev/null';

/** True if a patch, which names files relative to the repository, is about this change. */
function isChangeOf({oldFileName, newFileName}: StructuredPatch, change: v2.DiffChange): boolean {
  const {path, oldPath = path} = change as Partial<v2.DiffPathPairChange>;
  const sides = [[newFileName, path] as const, [oldFileName, oldPath] as const].filter(
    ([name]) => name !== undefined && name !== NOWHERE,
  );
  return sides.length > 0 && sides.every(([name, absolute]) => isPathIn(absolute, name ?? ''));
}

function isPathIn(path: string | undefined, inPatch: string): boolean {
  const name = withoutPrefix(inPatch);
  return path !== undefined && (path === inPatch || path === name || path.endsWith(`/${name}`));
}

function withoutPrefix(inPatch: string): string {
  return inPatch.replace(/^[ab]\//, '');
}

/** Returns what a patch of a file does: what its change says, unless the patch does more. */
function patchedChange(
  {oldFileName, newFileName}: StructuredPatch,
  change: v2.DiffChange | undefined,
): FileChange {
  const isGone = newFileName === NOWHERE;
  const [old, name = ''] = [oldFileName, isGone ? oldFileName : newFileName].map((each) =>
    each === undefined ? undefined : withoutPrefix(each),
  );
  const said = change && fileChange(change);
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

const DOES: Readonly<Record<string, FileChange['does']>> = {
  add: 'edit',
  modify: 'edit',
  delete: 'delete',
  move: 'move',
  copy: 'copy',
};

/** A change without a path may be about any file. */
function fileChange(change: v2.DiffChange): FileChange {
  const {operation, path = '/', oldPath} = change as Partial<v2.DiffPathPairChange> & {operation: string};
  return {does: DOES[operation] ?? 'other', path, ...(oldPath !== undefined && {oldPath})};
}

const OPERATIONS: Readonly<Record<string, string>> = {
  add: 'Added',
  delete: 'Deleted',
  modify: 'Modified',
  move: 'Moved',
  copy: 'Copied',
};

function changeLabel(change: v2.DiffChange): string {
  const {
    operation,
    path = 'a file',
    oldPath,
  } = change as Partial<v2.DiffPathPairChange> & {operation: string};
  const what = OPERATIONS[operation] ?? operation;
  return oldPath === undefined ? `${what} ${path}` : `${what} ${oldPath} to ${path}`;
}

function textContent(text: string): v1.ToolCallContent {
  return {type: 'content', content: {type: 'text', text}};
}

/** What a request is translated with. */
interface RequestFacts {
  /** The ID of a tool call for a request that is about none. */
  readonly id: string;
  /** The content of a tool call so far; empty if it is not known. */
  readonly contentOf: (toolCallId: string) => readonly v2.ToolCallContent[];
}

/** Returns the request with version 1's tool call; title and description are shown to the user beside the content. */
export function permission(
  request: v2.RequestPermissionRequest,
  {id, contentOf}: RequestFacts,
): {readonly toolCall: Loose} {
  const {title, description, subject, ...others} = request;
  const reported = description ? [textContent(description)] : [];
  if (subject?.type === 'tool_call' && 'toolCall' in subject) {
    const {toolCall: of} = subject as v2.ToolCallPermissionSubject;
    const isTitled = of.title !== undefined && of.title !== null && of.title !== title;
    const words = isTitled ? [textContent(title), ...reported] : reported;
    const shown = of.content === undefined ? contentOf(of.toolCallId) : (of.content ?? []);
    const content = words.length > 0 ? {content: [...words, ...shown.flatMap(toolContent)]} : {};
    return {...others, toolCall: {...toolCall(of), title: isTitled ? of.title : title, ...content}};
  }
  if (subject?.type === 'command' && 'command' in subject) {
    const {command, cwd, toolCallId} = subject as v2.CommandPermissionSubject;
    const of = {
      toolCallId: toolCallId ?? id,
      title,
      kind: 'execute',
      rawInput: {command, cwd},
      content: reported,
    };
    return {...others, toolCall: of};
  }
  const raw = subject ? {rawInput: subject} : {};
  return {...others, toolCall: {toolCallId: id, title, kind: 'other', content: reported, ...raw}};
}
