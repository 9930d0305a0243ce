import {lstatSync, readdirSync} from 'node:fs';
import {basename, join} from 'node:path';
import type {SubcommandIo} from '../../../cli/terminal-io.ts';
import type {SessionStore} from '../../../storage/sessions/session-store.ts';
import {tableLines, type Column} from '../../../cli/table.ts';
import {failureSentence} from '../../../shared/failure-messages.ts';
import {age, bytes, pluralize} from '../../../text/format.ts';
import {jsonText} from '../../../text/json.ts';
import {sanitizeLine} from '../../../text/sanitize.ts';
import {textOf} from '../../../snapshots/repository.ts';
import {pathOf} from '../../../snapshots/differences.ts';
import {lookAtWorktree, uncommittedIn} from '../../../worktrees/look-at-worktree.ts';
import {commandToGetBack, KEPT_DAYS, readRemoved} from '../../../worktrees/removed-worktrees.ts';
import {readRecords, type WorktreeRecord} from '../../../worktrees/worktree-record.ts';
import {sessionsOf, whyInUse} from '../../../worktrees/worktree-sessions.ts';
import type {WorktreesCommand} from './worktrees-arguments.ts';

export interface WorktreesContext extends Pick<SubcommandIo, 'stdout' | 'stderr' | 'confirm'> {
  readonly state: string;
  readonly store: SessionStore;
  readonly now: () => number;
}

interface ListedWorktree {
  readonly name: string;
  readonly branch: string;
  readonly folder: string;
  readonly source: string;
  readonly sourceBranch: string | null;
  readonly createdAt: string;
  /** A sentence if it cannot be examined. */
  readonly state: 'open' | 'changed' | 'unchanged' | 'unknown';
  readonly problem: string | null;
  readonly bytes: number;
  readonly files: number;
  readonly added: number;
  readonly removed: number;
  readonly uncommitted: readonly string[];
  readonly commits: number;
  readonly session: string | null;
}

/** Lists the worktrees, and those that can be got back. */
export async function listWorktrees(
  {json}: Extract<WorktreesCommand, {kind: 'list'}>,
  context: WorktreesContext,
): Promise<number> {
  const {state, stdout, stderr} = context;
  const worktrees: ListedWorktree[] = [];
  for (const record of readRecords(state)) worktrees.push(await examined(record, context));
  worktrees.sort((one, other) => (one.createdAt < other.createdAt ? 1 : -1));
  const removed = readRemoved(state);
  if (json) {
    const kept = removed.map((each) => ({
      ...each,
      at: new Date(each.at).toISOString(),
      command: commandToGetBack(each),
    }));
    stdout.write(`${jsonText({v: 1, worktrees, removed: kept}, 2)}\n`);
    return 0;
  }
  if (worktrees.length === 0) stderr('No worktrees.\n');
  for (const line of tableLines(columnsOf(worktrees, context), stdout)) stdout.write(`${line}\n`);
  for (const {name, problem} of worktrees) if (problem !== null) stderr(`acp-tui: ${name}: ${problem}\n`);
  if (removed.length === 0) return 0;
  stderr(`\nRemoved; the last state is kept for ${KEPT_DAYS} days:\n`);
  for (const each of removed) stderr(`  ${sanitizeLine(commandToGetBack(each))}\n`);
  return 0;
}

async function examined(record: WorktreeRecord, {state, store}: WorktreesContext): Promise<ListedWorktree> {
  const {name, branch, folder, source, sourceBranch = null, createdAt} = record;
  const [session] = sessionsOf(record, store);
  const common = {
    name,
    branch,
    folder,
    source,
    sourceBranch,
    createdAt: new Date(createdAt).toISOString(),
    bytes: sizeOf(folder),
    session: session?.id ?? null,
  };
  try {
    const looked = await lookAtWorktree(state, record);
    const {difference, commits} = looked;
    const uncommitted = await uncommittedIn(record, looked);
    const lines = difference.files.map((file) => file.lines ?? {added: 0, removed: 0});
    const isChanged = uncommitted.length > 0 || commits > 0 || difference.files.length > 0;
    return {
      ...common,
      state: whyInUse(record, store) !== undefined ? 'open' : isChanged ? 'changed' : 'unchanged',
      problem: null,
      files: difference.files.map(pathOf).length,
      added: lines.reduce((sum, {added}) => sum + added, 0),
      removed: lines.reduce((sum, {removed}) => sum + removed, 0),
      uncommitted: uncommitted.map(textOf),
      commits,
    };
  } catch (error) {
    const problem =
      error instanceof Error ? error.message : failureSentence({kind: 'internal', problem: String(error)});
    const none = {files: 0, added: 0, removed: 0, uncommitted: [], commits: 0};
    return {...common, ...none, state: 'unknown', problem: sanitizeLine(problem)};
  }
}

function columnsOf(worktrees: readonly ListedWorktree[], {now, stdout}: WorktreesContext): readonly Column[] {
  const {bold, dim} = stdout.style;
  const column = (text: (worktree: ListedWorktree) => string) => worktrees.map(text);
  return [
    {head: 'NAME', texts: column(({name}) => name), style: bold, most: 32},
    {head: 'STATE', texts: column((worktree) => worktree.state)},
    {head: 'CHANGES', texts: column(changes)},
    {
      head: 'FROM',
      texts: column((worktree) => `${basename(worktree.source)} ${worktree.sourceBranch ?? ''}`.trim()),
      most: 24,
      isExtra: true,
    },
    {head: 'SIZE', texts: column((worktree) => bytes(worktree.bytes)), isExtra: true},
    {head: 'AGE', texts: column(({createdAt}) => age(now() - Date.parse(createdAt))), style: dim},
    {head: 'SESSION', texts: column(({session}) => session ?? '')},
  ];
}

function changes({files, added, removed, uncommitted, commits}: ListedWorktree): string {
  const parts = [
    ...(files > 0 ? [`${pluralize(files, 'file')} +${added} −${removed}`] : []),
    ...(commits > 0 ? [pluralize(commits, 'commit')] : []),
    ...(uncommitted.length > 0 ? [`${uncommitted.length} uncommitted`] : []),
  ];
  return parts.join(', ') || 'none';
}

/** Returns how many bytes its files have, without those of the repository. */
function sizeOf(folder: string): number {
  let sum = 0;
  const folders = [folder];
  for (const each of folders) {
    let entries;
    try {
      entries = readdirSync(each, {withFileTypes: true});
    } catch {
      continue;
    }
    for (const entry of entries) {
      const path = join(each, entry.name);
      if (entry.isDirectory()) folders.push(path);
      else sum += lstatSync(path, {throwIfNoEntry: false})?.size ?? 0;
    }
  }
  return sum;
}
