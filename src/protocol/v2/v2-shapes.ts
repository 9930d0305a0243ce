import {parsePatch, type StructuredPatch} from 'diff';
import type * as v1 from '@agentclientprotocol/sdk/unstable';
import type * as v2 from '@agentclientprotocol/sdk/experimental/v2';

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
  const shown = patches.filter(({hunks}) => hunks.length > 0).map((file) => diffOf(file, changes));
  const paths = new Set(shown.map(({path}) => path));
  const others = changes.filter((change) => !paths.has((change as v2.DiffPathChange).path));
  return [...shown, ...others.map((change) => textContent(changeLabel(change)))];
}

function parsedPatch(text: string): readonly StructuredPatch[] {
  try {
    return parsePatch(text);
  } catch {
    return [];
  }
}

/** Returns the parts of a file in its hunks, before and after. */
function diffOf(
  {oldFileName, newFileName, hunks}: StructuredPatch,
  changes: v2.Diff['changes'],
): v1.Diff & {type: 'diff'} {
  const lines = hunks.flatMap((hunk) => hunk.lines).filter((line) => !line.startsWith('\\'));
  const side = (mark: '+' | '-') =>
    lines
      .filter((line) => line.startsWith(mark) || line.startsWith(' '))
      .map((line) => `${line.slice(1)}\n`)
      .join('');
  const isNew = oldFileName === '/dev/null';
  const path = pathOf((newFileName === '/dev/null' ? oldFileName : newFileName) ?? '', changes);
  return {type: 'diff', path, oldText: isNew ? null : side('-'), newText: side('+')};
}

/** Returns the absolute path of a file that a patch names relative to the repository. */
function pathOf(inPatch: string, changes: v2.Diff['changes']): string {
  const relative = inPatch.replace(/^[ab]\//, '');
  const paths = changes.map((change) => (change as v2.DiffPathChange).path);
  return paths.find((path) => path === relative || path?.endsWith(`/${relative}`)) ?? paths[0] ?? relative;
}

const OPERATIONS: Readonly<Record<string, string>> = {
  add: 'Added',
  delete: 'Deleted',
  modify: 'Modified',
  move: 'Moved',
  copy: 'Copied',
};

function changeLabel(change: v2.DiffChange): string {
  const {operation, path, oldPath} = change as v2.DiffPathPairChange & {operation: string};
  const what = OPERATIONS[operation] ?? operation;
  return oldPath === undefined ? `${what} ${path}` : `${what} ${oldPath} to ${path}`;
}

function textContent(text: string): object {
  return {type: 'content', content: {type: 'text', text}};
}

/** Returns the request with version 1's tool call; title and description are shown to the user. */
export function permission(request: v2.RequestPermissionRequest, id: string): {readonly toolCall: Loose} {
  const {title, description, subject, ...others} = request;
  const reported = description ? [textContent(description)] : [];
  if (subject?.type === 'tool_call' && 'toolCall' in subject) {
    const {toolCall: of} = subject as v2.ToolCallPermissionSubject;
    const isTitled = of.title !== undefined && of.title !== null && of.title !== title;
    const words = isTitled ? [textContent(title), ...reported] : reported;
    const content = words.length > 0 ? {content: [...words, ...(of.content ?? []).flatMap(toolContent)]} : {};
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
