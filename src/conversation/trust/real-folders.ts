import {existsSync} from 'node:fs';
import {isDeepStrictEqual} from 'node:util';
import {DONE, type Result} from '../../shared/failure.ts';
import {fileFailed} from '../../shared/files/file-failure.ts';
import {realpathOrItself} from '../../shared/files/folders.ts';
import {realFoldersOf} from '../../shared/files/session-folders.ts';
import {escapeHiddenLine} from '../../text/hidden.ts';
import type {SessionState} from '../../session/state.ts';
import type {ConversationContext} from '../context.ts';
import type {ConversationOptions} from '../options.ts';

/** Returns options that say where each folder of the session really is: as it was found before, in an earlier run of the session too, otherwise as it is now. */
export function withRealFolders(options: ConversationOptions, stored: SessionState): ConversationOptions {
  const known = {...options.realFolders, ...stored.realFolders};
  return {...options, realFolders: realFoldersOf({...options, realFolders: known})};
}

/** Returns the folders that lead elsewhere than they did. */
export function movedFolders(options: ConversationOptions) {
  return Object.entries(realFoldersOf(options))
    .map(([folder, before]) => ({folder, before, now: realpathOrItself(folder)}))
    .filter(({before, now}) => now !== before);
}

/** Asks about each folder that leads elsewhere than it did: another agent may have replaced it by a link. Fails without a yes, or if nothing is there, and stores where each is with one. */
export async function confirmFolders(context: ConversationContext): Promise<Result<void>> {
  const {host, sink} = context;
  // Looked at anew after each answer: another may be replaced meanwhile.
  for (let [moved] = movedFolders(context.options); moved; [moved] = movedFolders(context.options)) {
    const {folder, before, now} = moved;
    if (!existsSync(folder)) return fileFailed(folder, `it does not exist, and led to ${before} before`);
    const [shown, target, was] = [folder, now, before].map(escapeHiddenLine);
    const chosen = await host.askChoice(
      {
        title: `Use ${shown}, which leads to ${target} now?`,
        text: `When the session used this folder last, it was ${was}. If you did not make that link, an agent may have. The agent could read and write in ${target}.`,
        choices: [`Use ${target}`],
        no: 'Do not use it',
      },
      sink.state().sessionId ?? '',
    );
    if (chosen !== 0)
      return fileFailed(folder, `it leads to ${now} now, and was ${before} when the session used it last`);
    host.moveRoot(before, now);
    context.options = {...context.options, realFolders: {...context.options.realFolders, [folder]: now}};
  }
  const {realFolders: real = {}} = context.options;
  const stored = sink.state().realFolders;
  if (!isDeepStrictEqual(stored, {...stored, ...real}))
    sink.emit({type: 'folders_resolved', real, at: Date.now()});
  return DONE;
}
