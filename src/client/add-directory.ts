import {realpath, stat} from 'node:fs/promises';
import {absolutePath, isInside} from '../attachments/folders.ts';
import type {Result} from '../shared/failure.ts';
import {failed} from '../shared/file-failure.ts';
import {takesAdditionalDirectories} from '../protocol/capabilities.ts';
import {openingAgain} from '../session/open-again.ts';
import type {Opening} from '../session/opening-kinds.ts';
import type {SessionState} from '../session/state.ts';
import type {ClientContext} from './context.ts';

type OpenAnother = (opening: Exclude<Opening, {kind: 'later'}>) => Promise<Result<void>>;

/**
 * Adds a folder to those of the session: what the agent does through us may go there at once. The protocol tells an agent its folders
 * only when a session is opened ("Session Setup"), so it is opened again where the agent can do that; a notice says how it stands.
 */
export async function addDirectory(
  context: ClientContext,
  typed: string,
  openAnother: OpenAnother,
): Promise<Result<void>> {
  const {cwd, additionalDirectories} = context.options;
  const path = absolutePath(typed, cwd);
  try {
    if (!(await stat(path)).isDirectory()) return failed(typed, 'it is not a folder');
    if (await isInside(path, {cwd, additionalDirectories}))
      return failed(typed, 'it lies in a folder of this session already');
    const folder = await realpath(path);
    context.options = {...context.options, additionalDirectories: [...additionalDirectories, folder]};
    context.host.addRoot(folder);
    const how = await tellAgent(context.link.state(), openAnother);
    add(context, folder, how);
  } catch (error) {
    return failed(typed, error);
  }
  return {ok: true, value: undefined};
}

/** Opens the session again with all folders; what came of it, in words. */
async function tellAgent(state: SessionState, openAnother: OpenAnother): Promise<string> {
  if (!takesAdditionalDirectories(state.agent?.capabilities))
    return 'This agent takes no additional folders, so it is not told of it.';
  const later = 'The agent itself is told of it with the next session: /new opens one.';
  const opening = openingAgain(state);
  const opened = opening && (await openAnother(opening));
  return opened?.ok ? 'The agent knows it.' : later;
}

function add({link}: ClientContext, folder: string, how: string): void {
  if (!link.state().additionalDirectories.includes(folder))
    link.emit({type: 'folder_added', path: folder, at: Date.now()});
  const text = `${folder} is a folder of this session now: @ finds its files, and the agent may use them through acp-tui. ${how}`;
  link.emit({type: 'notice', level: 'info', text, at: Date.now()});
}
