import {resolve} from 'node:path';
import type * as acp from '@agentclientprotocol/sdk/unstable';
import {placed, type DiffPlace} from '../../session/transcript/diffs.ts';
import {readTextSync} from './read-file.ts';

/** Larger files are not searched, in bytes: it is done while the update waits. */
const MAX_BYTES = 2 * 1024 * 1024;

/**
 * Finds where the diffs of a tool call stand in their files, before or after the change was made. At once and not later: the
 * updates of a session must keep their order.
 */
export function locateDiffs<Content extends readonly acp.ToolCallContent[] | null | undefined>(
  content: Content,
  cwd: string,
): Content {
  if (!content?.some(({type}) => type === 'diff')) return content;
  return content.map((part) =>
    part.type === 'diff'
      ? placed(part, locateDiff(part, readTextSync(resolve(cwd, part.path), MAX_BYTES)))
      : part,
  ) as unknown as Content;
}

/**
 * The place of a diff in a text; undefined where it is the whole of it. Only what stands there once has a place.
 * @param file null where there is no file, undefined where it cannot be read
 */
export function locateDiff(
  {oldText, newText}: Pick<acp.Diff, 'oldText' | 'newText'>,
  file: string | null | undefined,
): DiffPlace | undefined {
  if (!oldText) return undefined;
  if (file === null) return newText === '' ? {line: 1, isGone: true} : {line: null};
  const text = plain(file ?? '');
  // The longer one first: it may hold the other, which stands further down then.
  const [long, short] = [plain(oldText), plain(newText)].toSorted((one, other) => other.length - one.length);
  const line = lineOf(long ?? '', text) ?? lineOf(short ?? '', text) ?? null;
  return line === 1 ? undefined : {line};
}

function plain(text: string): string {
  return text.replaceAll('\r\n', '\n');
}

/** Undefined where it does not stand there, or more than once. */
function lineOf(part: string, text: string): number | undefined {
  const at = part === '' ? -1 : text.indexOf(part);
  if (at === -1 || text.indexOf(part, at + 1) !== -1) return undefined;
  return text.slice(0, at).split('\n').length;
}
