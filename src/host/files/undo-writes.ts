import {randomBytes} from 'node:crypto';
import {rename, symlink, unlink, writeFile} from 'node:fs/promises';
import {relative} from 'node:path';
import type {ProtectedWatch} from '../../sandbox/protected/watch.ts';
import {errorMessage} from '../../shared/failure.ts';
import {ignoreMissing} from '../../shared/files/safe-files.ts';
import {shownPath} from '../../text/format.ts';
import {escapeHiddenLine} from '../../text/hidden.ts';
import {openFolder} from './folder.ts';

type Changes = Awaited<ReturnType<ProtectedWatch['changes']>>;

/** Returns their paths, as they are shown in a folder. */
export function namedWrites(changes: Changes, cwd: string): string {
  return changes.map(({path}) => escapeHiddenLine(shownPath(path, cwd))).join(', ');
}

/** Undoes what was written in a sandbox although something runs it later; returns what to say of it: a sentence, and what could not be undone behind it. */
export async function undoWrites(
  watch: ProtectedWatch,
  changes: Changes,
  cwd: string,
): Promise<{readonly sentence: string; readonly text: string}> {
  const problems = new Map<string, string>();
  for (const {path, settings, ...texts} of changes) {
    // The folder that they name is another one, or there is more than is compared.
    if (settings && texts.before === texts.after) problems.set(path, settings.join(', '));
    else await putBack(path, watch).catch((error: unknown) => problems.set(path, errorMessage(error)));
  }
  const undone = changes.filter(({path}) => !problems.has(path));
  const sentence =
    undone.length === 0
      ? 'Nothing of what was written in the sandbox could be undone.'
      : `What was written in the sandbox was undone: ${namedWrites(undone, cwd)}.`;
  const left = Array.from(problems, ([path, why]) => `Not undone: ${path}, ${why}.`);
  return {sentence, text: [sentence, ...left].join(' ')};
}

/** Below a folder that no link can replace meanwhile. */
async function putBack(path: string, watch: ProtectedWatch): Promise<void> {
  const {item, root} = watch.before(path);
  if (item && item.content === undefined) throw new Error('it was too large to be kept');
  const names = relative(root, path).split('/');
  const name = names.pop() ?? '';
  const folder = await openFolder(root, names, item !== undefined);
  const fresh = folder.at(`.acp-tui-${randomBytes(8).toString('hex')}.tmp`);
  try {
    if (item?.kind === 'link') await symlink(item.content ?? '', fresh);
    else if (item) await writeFile(fresh, item.content ?? '', {flag: 'wx', mode: item.mode});
    // What was written is there until what replaces it is.
    if (item) await rename(fresh, folder.at(name));
    else await unlink(folder.at(name)).catch(ignoreMissing);
  } catch (error) {
    await unlink(fresh).catch(ignoreMissing);
    throw error;
  } finally {
    await folder.close();
  }
}
