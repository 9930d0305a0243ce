import {createTwoFilesPatch} from 'diff';
import {fileChangeOf, type FileChange} from '../../session/transcript/diffs.ts';
import {clears, sentStatus, withoutMarks} from '../../session/transcript/patches.ts';
import {isJsonObject, type JsonObject} from '../../text/json.ts';
import {mapObjects} from '../v2/v2-config-options.ts';

/* Converts values of version 1 to version 2. What is not known is passed on as it is. */

export function commands(available: unknown): unknown {
  return mapObjects(available, ({input, ...command}) => ({
    ...command,
    type: 'command',
    ...(isJsonObject(input) && {input: {...input, type: 'text'}}),
  }));
}

/** The plan of an agent that has only one. */
const ONLY_PLAN = 'main';

export function planUpdate(update: JsonObject): JsonObject {
  const {entries, ...others} = update;
  const plan =
    update['sessionUpdate'] === 'plan' ? {type: 'items', planId: ONLY_PLAN, entries} : update['plan'];
  if (!isJsonObject(plan)) return update;
  return {
    ...others,
    sessionUpdate: 'plan_update',
    plan: {...plan, ...('entries' in plan && {entries: mapObjects(plan['entries'], withSentStatus)})},
  };
}

/** The fields of a tool call that are cleared by null. */
const FIELDS = ['title', 'name', 'rawInput', 'rawOutput', 'content', 'locations'] as const;

/** Returns a tool call or its update; both are patches in version 2. */
export function toolCall(call: JsonObject): JsonObject {
  const {content, kind} = call;
  const cleared = FIELDS.filter((field) => clears(call, field)).map((field) => [field, null]);
  return withoutOwnMeta({
    ...withSentStatus(call),
    ...(Array.isArray(content) && {content: content.map((part: unknown) => toolContent(part, kind))}),
    ...Object.fromEntries(cleared),
  });
}

function withSentStatus(part: JsonObject): JsonObject {
  const status = sentStatus(part as never);
  return withoutOwnMeta(status === undefined ? part : {...part, status});
}

/** Leaves out what only acp-tui says. */
export function withoutOwnMeta(part: JsonObject): JsonObject {
  const {_meta, ...others} = withoutMarks(part);
  const isEmpty = isJsonObject(_meta) && Object.keys(_meta).length === 0;
  return _meta === undefined || isEmpty ? others : {...others, _meta};
}

/** Returns a part of the content of a tool call of this kind. */
export function toolContent(part: unknown, kind: unknown): unknown {
  if (!isJsonObject(part)) return part;
  const change = fileChangeOf(part as never, kind as never);
  if (!change) return part;
  const {path, oldText, newText, _meta: _, type} = part;
  const texts = {oldText: asText(oldText), newText: asText(newText)};
  const isShown = type === 'diff' && typeof path === 'string';
  return {
    type: 'diff',
    changes: [fileChange(change, oldText)],
    ...(isShown && {patch: {format: 'git_patch', text: patchOf(change, texts)}}),
  };
}

function asText(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

function fileChange({does, path, oldPath}: FileChange, oldText: unknown): JsonObject {
  if ((does === 'move' || does === 'copy') && oldPath !== undefined) return {operation: does, oldPath, path};
  if (does === 'delete') return {operation: 'delete', path};
  return {operation: typeof oldText === 'string' ? 'modify' : 'add', path};
}

const NOWHERE = '/dev/null';
/** Lines that differ; of more, all are shown as removed and added. */
const MOST_EDITS = 2000;

interface Texts {
  readonly oldText: string | undefined;
  readonly newText: string | undefined;
}

/** Returns a git patch with all lines of both texts: what is approved is shown wholly. */
function patchOf({does, path, oldPath = path}: FileChange, {oldText, newText = ''}: Texts): string {
  const before = oldText === undefined ? NOWHERE : `a${oldPath}`;
  const after = does === 'delete' ? NOWHERE : `b${path}`;
  const options = {context: Number.MAX_SAFE_INTEGER, maxEditLength: MOST_EDITS};
  const patch =
    createTwoFilesPatch(before, after, oldText ?? '', newText, undefined, undefined, options) ??
    `--- ${before}\n+++ ${after}\n${wholeHunk(oldText ?? '', newText)}`;
  return `diff --git a${oldPath} b${path}\n${patch.replace(/^=+\n/, '')}`;
}

function wholeHunk(oldText: string, newText: string): string {
  const [removed, added] = [linesOf(oldText), linesOf(newText)];
  return [
    `@@ -1,${removed.length} +1,${added.length} @@`,
    ...removed.map((line) => `-${line}`),
    ...added.map((line) => `+${line}`),
    '',
  ].join('\n');
}

function linesOf(text: string): readonly string[] {
  return text === '' ? [] : text.replace(/\n$/, '').split('\n');
}

/** Returns a request for permission: its title is the one of its tool call. */
export function permissionRequest({toolCall: call, ...others}: JsonObject): JsonObject {
  if (!isJsonObject(call)) return others;
  const title = typeof call['title'] === 'string' ? call['title'] : 'Permission';
  return {...others, title, subject: {type: 'tool_call', toolCall: toolCall(call)}};
}

/** Returns the notification of an update. */
export function updateMessage(sessionId: string, update: JsonObject): JsonObject {
  return {method: 'session/update', params: {sessionId, update}};
}
