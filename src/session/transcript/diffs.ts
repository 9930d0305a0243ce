import type * as acp from '@agentclientprotocol/sdk/unstable';
import type {ToolCallEntry} from '../entries.ts';
import type {Unreviewed, UnreviewedFile} from '../review.ts';
import type {SessionState} from '../state.ts';
import {isJsonObject, type JsonObject} from '../../text/json.ts';
import {type Diff, diffLines} from '../../text/diff/diff.ts';
import {holdsText, occurrences} from '../../text/diff/occurrences.ts';
import {shownPath} from '../../text/format.ts';
import {memoize} from '../memoize.ts';

/** The position of a diff in its file, located on arrival: agents send parts of files without a position. */
export interface DiffPosition {
  /** The number of its first line, from 1; null if unknown. */
  readonly line: number | null;
  /** True if the file no longer exists. */
  readonly isGone?: boolean;
}

const KEY = 'acp-tui';

/** Returns the position located for a diff; undefined for a diff of a whole file. */
export function diffPosition({_meta}: acp.Diff): DiffPosition | undefined {
  const position = _meta?.[KEY];
  return typeof position === 'object' && position !== null && 'line' in position
    ? (position as DiffPosition)
    : undefined;
}

/** Returns the diff with its position attached. */
export function withPosition<Part extends acp.Diff>(diff: Part, position: DiffPosition | undefined): Part {
  const {[KEY]: _, ...rest} = diff._meta ?? {};
  if (position === undefined && diff._meta?.[KEY] === undefined) return diff;
  return {...diff, _meta: position === undefined ? rest : {...rest, [KEY]: position}};
}

/** Unchanged lines around a change. */
const CONTEXT_LINES = 3;

/** Returns the change, line by line. Cached: comparing is expensive, and a running card is redrawn many times. */
export const comparedDiff = memoize((content: acp.Diff): Diff => {
  const firstLine = diffPosition(content)?.line;
  return diffLines(content.oldText, content.newText, {
    context: CONTEXT_LINES,
    ...(firstLine !== undefined && {firstLine}),
  });
});

/** What a part of a tool call's content does to a file. */
export interface FileChange {
  /** `other` is an operation that is not known here. */
  readonly does: 'edit' | 'delete' | 'move' | 'copy' | 'other';
  readonly path: string;
  /** The file that is moved or copied, if it is named. */
  readonly oldPath?: string | undefined;
}

/** What cannot be read may be about any file. */
export const ANY_FILE: FileChange = {does: 'other', path: '/'};

const CHANGE = 'change';

/** The path of a change that names none: it may be of any file. */
const ANYWHERE = '/';

/** Returns a part of content that says what it does to a file: a diff that does more than edit it, or a text in place of a diff. */
export function withFileChange<Part extends acp.ToolCallContent>(part: Part, change: FileChange): Part {
  return {...part, _meta: {...('_meta' in part ? part._meta : undefined), [CHANGE]: change}};
}

/**
 * Returns what a part of content does to a file; undefined if it shows no change of one. A diff without a word about it is an edit, and in a call of the kind
 * `move`, or of the kind `delete` with nothing left, that.
 */
export function fileChangeOf(
  part: acp.ToolCallContent,
  kind: acp.ToolKind | null | undefined,
): FileChange | undefined {
  const said = part.type === 'terminal' ? undefined : part._meta?.[CHANGE];
  const {does, path, oldPath} = isJsonObject(said) ? said : {};
  if (part.type !== 'diff') return isJsonObject(said) ? changeIn({does, path, oldPath}, ANYWHERE) : undefined;
  const hint = does ?? part._meta?.['kind'] ?? (kind === 'delete' && part.newText === '' ? kind : undefined);
  // What leaves a text is no deletion.
  if (hint === 'delete') return {does: part.newText === '' ? 'delete' : 'other', path: part.path};
  if (isJsonObject(said)) return changeIn({does, oldPath}, part.path);
  return {does: kind === 'move' || hint === 'move' ? 'move' : 'edit', path: part.path};
}

/** True for a part of content that shows a change of a file, with or without its lines. */
export function isChange(part: acp.ToolCallContent): boolean {
  return fileChangeOf(part, undefined) !== undefined;
}

/** Returns the changes of files in a call's content; of one that shows no lines, as a diff without any. */
export function changesIn({
  content,
  kind,
}: Pick<ToolCallEntry, 'content' | 'kind'>): readonly (acp.Diff & FileChange)[] {
  return content.flatMap((part): (acp.Diff & FileChange)[] => {
    const change = fileChangeOf(part, kind);
    if (!change || change.path === ANYWHERE) return [];
    if (part.type === 'diff') return [{...part, ...change}];
    return [{oldText: '', newText: '', _meta: {[CHANGE]: change}, ...change}];
  });
}

/** Returns the files that a call's content changes: also where those were that it moved, and those of which it shows no lines. */
export function changedPaths(call: Pick<ToolCallEntry, 'content' | 'kind'>): readonly string[] {
  return changesIn(call).flatMap(({does, path, oldPath}) =>
    does === 'move' && oldPath !== undefined ? [oldPath, path] : [path],
  );
}

/** True if a change says what it does to its file, but shows no lines. */
export function isWithoutLines({oldText, newText, _meta}: acp.Diff): boolean {
  return oldText === '' && newText === '' && _meta?.[CHANGE] !== undefined;
}

/** True if nothing in a call does more to files than edit them. */
export function onlyEdits({content, kind}: Pick<ToolCallEntry, 'content' | 'kind'>): boolean {
  return content.every((part) => (fileChangeOf(part, kind)?.does ?? 'edit') === 'edit');
}

/** Read from a field of a message: an agent can send it, too. */
function changeIn({does, path, oldPath}: JsonObject, fallback: string): FileChange {
  const isKnown = does === 'edit' || does === 'delete' || does === 'move' || does === 'copy';
  return {
    does: isKnown ? does : 'other',
    path: typeof path === 'string' ? path : fallback,
    ...(typeof oldPath === 'string' && {oldPath}),
  };
}

/** Returns new content in which known diffs keep their line numbers. */
export function keepPositions(
  content: readonly acp.ToolCallContent[],
  before: readonly acp.ToolCallContent[],
): readonly acp.ToolCallContent[] {
  return content.map((part) => {
    if (part.type !== 'diff' || diffPosition(part)?.line !== null) return part;
    const known = before.find((other) => other.type === 'diff' && isSame(other, part));
    const place = known?.type === 'diff' ? diffPosition(known) : undefined;
    return place === undefined || place.line === null
      ? part
      : withPosition(part, {...diffPosition(part), ...place});
  });
}

function isSame(one: acp.Diff, other: acp.Diff): boolean {
  return one.path === other.path && one.oldText === other.oldText && one.newText === other.newText;
}

export interface ReportedDiff {
  readonly turn: number | undefined;
  readonly diff: acp.Diff;
  /** The tool call that reported it. */
  readonly kind: acp.ToolKind | undefined;
}

/** Returns the diffs of completed tool calls of the session and its subagents, oldest first. */
export function reportedDiffs(session: SessionState): readonly ReportedDiff[] {
  const prompts = session.entries.filter(({type, turn}) => type === 'user_message' && turn !== undefined);
  // A subagent has no turns: its activity belongs to the session's turn at that time.
  const turnAt = (at: number) => prompts.findLast((prompt) => prompt.at <= at)?.turn;
  const ofSubagents = Object.values(session.subagents).flatMap((subagent) =>
    completedCalls(subagent.session).map((call) => ({call, turn: turnAt(call.at)})),
  );
  return [...completedCalls(session).map((call) => ({call, turn: call.turn})), ...ofSubagents]
    .toSorted((one, other) => one.call.at - other.call.at)
    .flatMap(({call, turn}) => changesIn(call).map((diff) => ({turn, diff, kind: call.kind})));
}

function completedCalls({entries}: SessionState): readonly ToolCallEntry[] {
  return entries.filter(
    (entry): entry is ToolCallEntry => entry.type === 'tool_call' && entry.status === 'completed',
  );
}

/** Merges approved changes into the new content of a call; of two parts for the same change, the more complete one is kept. */
export function mergeApproved(
  content: readonly acp.ToolCallContent[],
  approved: readonly acp.ToolCallContent[],
): readonly acp.ToolCallContent[] {
  const kept = approved.filter((change) => !content.some((other) => holds(other, change)));
  if (kept.length === 0) return content;
  return [...kept, ...content.filter((part) => !kept.some((change) => holds(change, part)))];
}

/** Adds changes to the approved ones, without duplicates. */
export function addChanges(
  before: readonly acp.ToolCallContent[],
  more: readonly acp.ToolCallContent[],
): readonly acp.ToolCallContent[] {
  return [...before.filter((change) => !more.some((other) => holds(other, change))), ...more];
}

/** True if a change contains another one, and may show more of the file. */
function holds(whole: acp.ToolCallContent, part: acp.ToolCallContent): boolean {
  if (part.type !== 'diff') return isChange(part) && isSameChange(whole, part);
  return (
    whole.type === 'diff' &&
    whole.path === part.path &&
    holdsText(whole.oldText ?? '', part.oldText ?? '') &&
    holdsText(whole.newText, part.newText)
  );
}

/** True if two parts say the same about the same file, with or without lines. What is not known here may be anything. */
function isSameChange(one: acp.ToolCallContent, other: acp.ToolCallContent): boolean {
  const [change, same] = [fileChangeOf(one, undefined), fileChangeOf(other, undefined)];
  if (change?.does === 'other') return JSON.stringify(one) === JSON.stringify(other);
  return change?.does === same?.does && change?.path === same?.path && change?.oldPath === same?.oldPath;
}

/** A write of a whole file. */
interface FileWrite {
  /** True for a path of the file. */
  readonly isOf: (path: string) => boolean;
  /** Null if there was no file, undefined if it is unknown. */
  readonly before: string | null | undefined;
  readonly after: string;
}

/** True if the diffs of a call are this write and nothing else. */
export function isWrite(
  content: readonly acp.ToolCallContent[] | null | undefined,
  {isOf, before, after}: FileWrite,
): boolean {
  const diffs = (content ?? []).filter((part) => part.type === 'diff');
  const [first, ...others] = diffs;
  if (!first || !diffs.every(({path}) => isOf(path))) return false;
  if (others.length === 0 && first.newText === after) return true;
  const made = diffs.reduce<typeof before>(
    (text, diff) => (text === undefined ? undefined : applyDiff(text, diff)),
    before,
  );
  return made === after;
}

/**
 * Returns the content of a file with a diff applied, which shows the whole file or a part of it. Undefined if the diff does not apply in exactly one way.
 * @param before null if there is no file
 */
export function applyDiff(before: string | null, {oldText, newText}: acp.Diff): string | undefined {
  const old = oldText ?? '';
  if ((before ?? '') === old) return newText;
  if (before === null || old === '') return undefined;
  const [at, another] = occurrences(old, before, 2);
  if (at === undefined || another !== undefined) return undefined;
  return before.slice(0, at) + newText + before.slice(at + old.length);
}

/** What tool calls reported for the running or last turn, and for all turns. */
export interface Changes {
  readonly isRunning: boolean;
  readonly turn: readonly ReportedDiff[];
  /** Undefined if no other turn changed anything. */
  readonly session: readonly ReportedDiff[] | undefined;
}

export function reportedChanges(session: SessionState): Changes {
  const {turn: now, lastTurn} = session;
  const isRunning = now.kind !== 'idle';
  const current = isRunning ? now.turn : lastTurn?.turn;
  const all = reportedDiffs(session);
  const turn = all.filter((each) => current !== undefined && each.turn === current);
  return {isRunning, turn, session: all.length > turn.length ? all : undefined};
}

/** Returns what a review would show, with the files that calls of the running turn have changed: those have no figures before its end. */
export function unreviewedNow(session: SessionState): Unreviewed {
  const {files, listed} = session.unreviewed ?? {files: 0, listed: []};
  const running = editedNow(session);
  const before = listed.map((file) => (running.has(file.path) ? {...file, added: 0, removed: 0} : file));
  const known = new Set(listed.map(({path}) => path));
  const begun = Array.from(running, ([path, status]) => ({path, status, added: 0, removed: 0})).filter(
    ({path}) => !known.has(path),
  );
  return {files: files + begun.length, listed: [...before, ...begun]};
}

/** Number of newest entries that are searched in each frame. */
const MAX_SEARCHED = 300;

/** Returns the files that calls of the running turn have changed, relative to the folder. */
function editedNow({turn, entries, cwd}: SessionState): ReadonlyMap<string, UnreviewedFile['status']> {
  const files = new Map<string, UnreviewedFile['status']>();
  if (turn.kind === 'idle') return files;
  for (const entry of entries.slice(-MAX_SEARCHED))
    if (entry.type === 'tool_call' && entry.turn === turn.turn && entry.status === 'completed')
      for (const change of changesIn(entry)) files.set(shownPath(change.path, cwd), statusOf(change));
  return files;
}

function statusOf(change: ReturnType<typeof changesIn>[number]): UnreviewedFile['status'] {
  if (change.does === 'delete') return 'deleted';
  if (change.does === 'move') return 'renamed';
  return change.oldText || isWithoutLines(change) ? 'modified' : 'added';
}

/** The effect of an undo on a file. */
export interface UndoneFile {
  /** Absolute. */
  readonly path: string;
  /** A file that did not exist before is deleted. */
  readonly does: 'restore' | 'delete';
  /** Why it is left unchanged. */
  readonly refused?: string;
  /** Why something else may have changed it. */
  readonly doubt?: Doubt;
  /** The lines that would change, for display. */
  readonly preview?: string;
}

/** It changed between turns, or no tool call of the turns names it. */
type Doubt = 'outside_turns' | 'not_named';

export interface UndoPlan {
  readonly turn: number;
  readonly files: readonly UndoneFile[];
  /** Files that snapshots do not cover; undefined where there are no snapshots. */
  readonly uncovered?: readonly {readonly path: string; readonly reason: string}[];
}
