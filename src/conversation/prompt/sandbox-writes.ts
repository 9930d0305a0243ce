import {isDeepStrictEqual} from 'node:util';
import {namedWrites, undoWrites} from '../../host/files/undo-writes.ts';
import {errorMessage} from '../../shared/failure.ts';
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
    const changedFiles = () => context.snapshots?.changedFiles();
    const changes = (await watch?.changes(changedFiles)) ?? [];
    if (!watch || changes.length === 0) return true;
    const named = namedWrites(changes, options.cwd);
    const writes = changes.map(({does, settings, ...change}) => ({
      ...change,
      what: [does, ...(change.isAlso === undefined ? [] : [change.isAlso]), ...(settings ?? [])].join(', '),
    }));
    const isKept = await host.keepWritten(writes, {sessionId, isTooLate: isClosed && options.hasUser});
    // A program that runs on may have written since it was shown.
    const isAsShown = isKept !== true || isDeepStrictEqual(await watch.changes(changedFiles), changes);
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
      const {sentence, text} = await undoWrites(watch, changes, options.cwd);
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
