import {shownPath} from '../../text/format.ts';
import type {ToolCallEntry} from '../entries.ts';
import {holdsCommand} from '../requests/command-fields.ts';
import {requestedChanges} from '../requests/patched-files.ts';
import type {PendingRequest, SessionState} from '../state.ts';
import {ANY_FILE, type FileChange} from '../transcript/diffs.ts';
import {isOpenedLink} from '../selectors.ts';
import {oneLine} from './activity-line.ts';
import {commandIn} from './command-label.ts';

/** Returns what a session waits for, in one line that cannot control a terminal, and how many requests more there are; undefined if it does not wait. */
export function pendingRequestLine({
  pending,
  connection,
  cwd,
}: Pick<SessionState, 'pending' | 'connection' | 'cwd'>) {
  const [asked, ...others] = pending.filter((request) => !isOpenedLink(request));
  if (!asked) return connection.kind === 'authentication_required' ? 'Sign in' : undefined;
  const text = oneLine(textOf(asked, cwd));
  return others.length === 0 ? text : `${text} (+${others.length})`;
}

/** A command, or what is deleted or moved, rather than what the agent calls it. */
function textOf(request: PendingRequest, cwd: string): string {
  switch (request.kind) {
    case 'permission': {
      const {title, kind, rawInput} = request.call;
      const command = kind === 'execute' ? commandIn(rawInput)?.trim() : undefined;
      return `Allow ${command || removalsOf(request.call, cwd) || title}?`;
    }
    case 'form':
      return request.message;
    case 'url':
      return `Open ${request.link.href}? ${request.message}`;
  }
}

const DOING: Readonly<Record<FileChange['does'], string>> = {
  delete: 'deleting',
  move: 'moving',
  copy: 'copying',
  edit: 'editing',
  other: 'changing',
};

/** Returns what a call does to files if it deletes or moves one, that first; else ''. */
function removalsOf(call: ToolCallEntry, cwd: string): string {
  const {kind, locations} = call;
  const said = requestedChanges(call);
  const isClaimed = said.length === 0 && (kind === 'delete' || kind === 'move');
  const changes = isClaimed ? locations.map(({path}): FileChange => ({does: kind, path})) : said;
  const [removals, others] = [true, false].map((isRemoval) =>
    changes.filter(({does}) => (does === 'delete' || does === 'move') === isRemoval),
  );
  if (!removals?.length || holdsCommand(call)) return '';
  const nameOf = (path: string) => (path === ANY_FILE.path ? 'any file' : shownPath(path, cwd));
  const words = [...removals, ...(others ?? [])].map(({does, path, oldPath}) =>
    [DOING[does], ...(oldPath === undefined ? [] : [nameOf(oldPath), 'to']), nameOf(path)].join(' '),
  );
  // The content and a patch in the input may have the same.
  return [...new Set(words)].join(', ');
}
