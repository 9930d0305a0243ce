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

/** True if a folder leads elsewhere than it did. */
export function haveMoved(options: ConversationOptions): boolean {
  return Object.entries(realFoldersOf(options)).some(([folder, real]) => realpathOrItself(folder) !== real);
}

/** Asks about each folder that leads elsewhere than it did: another agent may have replaced it by a link. Fails without a yes, and stores where each is with one. */
export async function confirmFolders(context: ConversationContext): Promise<Result<void>> {
  const {host, sink} = context;
  for (const [folder, before] of Object.entries(realFoldersOf(context.options))) {
    const now = realpathOrItself(folder);
    if (now === before) continue;
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
