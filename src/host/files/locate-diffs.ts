import {resolve} from 'node:path';
import type * as acp from '@agentclientprotocol/sdk/unstable';
import {isWithin} from '../../shared/files/folders.ts';
import type {Folders} from '../../shared/files/session-folders.ts';
import {withPosition, type DiffPosition} from '../../session/transcript/diffs.ts';
import {occurrences} from '../../text/diff/occurrences.ts';
import {readTextSync} from './read-file.ts';

/** Larger files are not searched, in bytes, because the update waits meanwhile. */
const MAX_BYTES = 2 * 1024 * 1024;

/**
 * Finds the line numbers of a tool call's diffs in their files, before or after the change was made. Synchronous, because the updates of a session must keep
 * their order.
 */
export function locateDiffs<Content extends readonly acp.ToolCallContent[] | null | undefined>(
  content: Content,
  {cwd, additionalDirectories}: Folders,
): Content {
  if (!content?.some(({type}) => type === 'diff')) return content;
  function fileAt(named: string): string | null | undefined {
    const path = resolve(cwd, named);
    // What is outside may be a device, or wait for a server.
    const isInside = [cwd, ...additionalDirectories].some((folder) => isWithin(path, folder));
    return isInside ? readTextSync(path, MAX_BYTES) : undefined;
  }
  return content.map((part) =>
    part.type === 'diff' ? withPosition(part, locateDiff(part, fileAt(part.path))) : part,
  ) as unknown as Content;
}

/**
 * Returns the position of a diff in a text; undefined if the diff is the whole file, or its text is not unique.
 * @param file null if there is no file, undefined if it is unreadable
 */
export function locateDiff(
  {oldText, newText}: Pick<acp.Diff, 'oldText' | 'newText'>,
  file: string | null | undefined,
): DiffPosition | undefined {
  if (!oldText) return undefined;
  if (file === null) return newText === '' ? {line: 1, isGone: true} : {line: null};
  const text = plain(file ?? '');
  // The longer text first: it may contain the shorter one, at a later line.
  const [long, short] = [plain(oldText), plain(newText)].toSorted((one, other) => other.length - one.length);
  const line = lineOf(long ?? '', text) ?? lineOf(short ?? '', text) ?? null;
  return line === 1 ? undefined : {line};
}

function plain(text: string): string {
  return text.replaceAll('\r\n', '\n');
}

/** Undefined if it does not occur exactly once. */
function lineOf(part: string, text: string): number | undefined {
  const [at, another] = occurrences(part, text, 2);
  if (at === undefined || another !== undefined) return undefined;
  return text.slice(0, at).split('\n').length;
}
