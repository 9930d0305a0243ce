import type * as acp from '@agentclientprotocol/sdk/unstable';
import {fileChangeOf, applyDiff, type FileChange} from '../../session/transcript/diffs.ts';
import type {OutdatedFile} from '../../session/state.ts';
import {occurrences} from '../../text/diff/occurrences.ts';
import type {HostContext} from '../host-context.ts';
import type {KnownToolCall} from '../services.ts';
import {absolute} from './tool-call-facts.ts';

/** A file inside the roots that the diffs of a request change. */
export interface DiffedFile {
  /** The path from the agent. */
  readonly named: string;
  /** The fingerprint of its content when the diffs were shown. */
  readonly base: string;
  /** Its content with the diffs applied; undefined if they do not apply in exactly one way. */
  readonly content: string | undefined;
  /** False if its content does not match the old text of the diffs. */
  readonly fits: boolean;
}

/** Returns the files that a request's diffs change, by resolved path, with their current state on disk. */
export async function readDiffedFiles(
  {files, roots}: HostContext,
  {content, kind}: KnownToolCall,
): Promise<ReadonlyMap<string, DiffedFile>> {
  const found = new Map<string, DiffedFile & {readonly text: string | null | undefined}>();
  for (const each of content ?? []) {
    const place = each.type === 'diff' ? await roots.confine(absolute(each.path, roots)) : undefined;
    if (each.type !== 'diff' || !place?.ok) continue;
    const {path} = place.value;
    const earlier = found.get(path);
    const {fingerprint, text} = earlier
      ? {fingerprint: earlier.base, text: earlier.text}
      : await files.snapshot(place.value);
    const change = fileChangeOf(each, kind);
    const isEdit = change?.does === 'edit';
    const isKnown = text !== undefined && (earlier === undefined || earlier.content !== undefined);
    const after = isKnown && isEdit ? applyDiff(text, each) : undefined;
    found.set(path, {
      named: each.path,
      base: fingerprint,
      content: after,
      fits: (earlier?.fits ?? true) && (isAllGone(change, each) || startsFrom(text, each)),
      text: after ?? text,
    });
  }
  return found;
}

/** True for a deletion that does not show what it deletes. */
function isAllGone(change: FileChange | undefined, {oldText}: acp.Diff): boolean {
  return change?.does === 'delete' && (oldText ?? '') === '';
}

/** Returns the files that do not match the old text of the diffs, and those that changed since `before` was read. */
export function outdatedFiles(
  now: ReadonlyMap<string, DiffedFile>,
  before: ReadonlyMap<string, DiffedFile> = now,
): readonly OutdatedFile[] {
  return [...now].flatMap(([path, {named, base, fits}]): OutdatedFile[] => {
    if (before.get(path)?.base !== base) return [{path: named, why: 'changed'}];
    return fits ? [] : [{path: named, why: 'differs'}];
  });
}

/** True if a diff may apply to this text, ignoring line endings; also if it was already applied, if the text is unknown, or if there is no file, of which nothing can be lost. */
function startsFrom(before: string | null | undefined, {oldText, newText}: acp.Diff): boolean {
  if (before === undefined || before === null) return true;
  const [text, old, after] = [before, oldText ?? '', newText].map((each) =>
    each.replaceAll('\r\n', '\n'),
  ) as [string, string, string];
  return text === old || text === after || occurrences(old, text, 1).length > 0;
}
