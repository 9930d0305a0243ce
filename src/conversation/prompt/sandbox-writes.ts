import {randomBytes} from 'node:crypto';
import {rename, symlink, unlink, writeFile} from 'node:fs/promises';
import {relative} from 'node:path';
import {isDeepStrictEqual} from 'node:util';
import {openFolder} from '../../host/files/folder.ts';
import type {ProtectedWatch} from '../../sandbox/protected/watch.ts';
import {ignoreMissing} from '../../shared/files/safe-files.ts';
import {errorMessage} from '../../shared/failure.ts';
import {escapeHiddenLine} from '../../text/hidden.ts';
import {shownPath} from '../../text/format.ts';
import {warn, type ConversationContext} from '../context.ts';

/**
 * Asks about what was written in the sandbox although something runs it later, and undoes it on a no. Once the session is closed it is too late to ask: then it
 * is named for the user who resumes it. False if it is not decided: another sandbox would take it for what was there before.
 */
export async function reviewSandboxWrites(
  context: ConversationContext,
  {isClosed = false, isAgain = false}: {readonly isClosed?: boolean; readonly isAgain?: boolean} = {},
): Promise<boolean> {
  const {host, sink, options} = context;
  const sessionId = sink.state().sessionId ?? '';
  try {
    const watch = (await context.sandbox?.current())?.watch;
    const changes = (await watch?.changes()) ?? [];
    if (!watch || changes.length === 0) return true;
    const named = changes.map(({path}) => escapeHiddenLine(shownPath(path, options.cwd))).join(', ');
    const writes = changes.map(({does, settings, ...change}) => ({
      ...change,
      what: [does, ...(change.isAlso === undefined ? [] : [change.isAlso]), ...(settings ?? [])].join(', '),
    }));
    const isKept = await host.keepWritten(writes, {sessionId, isTooLate: isClosed && options.hasUser});
    // A program that runs on may have written since it was shown.
    const isAsShown = isKept !== true || isDeepStrictEqual(await watch.changes(), changes);
    if (!isAsShown && !isAgain) return await reviewSandboxWrites(context, {isClosed, isAgain: true});
    if (isKept === true && isAsShown) watch.keep();
    else if (isKept !== false) {
      warn(
        context,
        isClosed
          ? `${named}: written in the sandbox, and not decided before the session was closed. Something runs it later by itself: look at it first.`
          : `${named}: not decided, and left as it is. You are asked again after the next turn, or before the agent starts again.`,
      );
      return false;
    } else {
      const problems: string[] = [];
      for (const {path, settings, ...texts} of changes) {
        await putBack(path, watch.before(path)).catch((error: unknown) =>
          problems.push(`${path}, ${errorMessage(error)}`),
        );
        // The folder that they name is another one.
        if (settings && texts.before === texts.after) problems.push(`${path}, ${settings.join(', ')}`);
      }
      const sentence = `What was written in the sandbox was undone: ${named}.`;
      const text = [sentence, ...problems.map((problem) => `Not undone: ${problem}.`)].join(' ');
      sink.emit({type: 'notice', level: 'warning', text, restored: {sentence}, at: Date.now()});
    }
  } catch (error) {
    warn(
      context,
      `It is not known whether protected files were written in the sandbox: ${errorMessage(error)}.`,
    );
  }
  return true;
}

/** Below a folder that no link can replace meanwhile. */
async function putBack(path: string, {item, root}: ReturnType<ProtectedWatch['before']>): Promise<void> {
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
