import {homedir} from 'node:os';
import {join, resolve} from 'node:path';
import type {CommonOptions, WorktreeRequest} from '../../cli/options.ts';
import type {Result} from '../../shared/failure.ts';
import type {Paths} from '../../shared/files/paths.ts';
import {readProjectSettings} from '../../settings/project-settings.ts';
import type {Settings} from '../../settings/schema/settings-schema.ts';
import {isTrusted, trustFolder} from '../../settings/trusted-folders.ts';
import type {WorktreeRecord} from '../../worktrees/worktree-record.ts';

/** The worktree of a new session. */
export interface SessionWorktree {
  readonly record: WorktreeRecord;
  /** The session's folder. */
  readonly cwd: string;
  /** What the user should know, in sentences. */
  readonly notices: readonly string[];
  readonly problems: readonly string[];
  /** The session has ended. */
  readonly release: () => void;
}

/** Where worktrees are, and what they get. */
export interface WorktreePlaces {
  readonly paths: Paths;
  readonly settings: Settings;
}

/** Returns the folder for worktrees: beside acp-tui's data, which no agent may read. */
function worktreesRoot({paths, settings}: WorktreePlaces): string {
  const {folder} = settings.worktrees ?? {};
  if (folder === undefined) return `${paths.data}-worktrees`;
  return folder.startsWith('~/') ? join(homedir(), folder.slice(2)) : folder;
}

/** Creates the worktree of a session that would work in the folder of the options. */
export async function openWorktree(
  {cwd = '.'}: Pick<CommonOptions, 'cwd'>,
  {name, prompt}: WorktreeRequest,
  places: WorktreePlaces,
): Promise<Result<SessionWorktree>> {
  const {paths, settings} = places;
  const {state} = paths;
  const {copy, setup} = settings.worktrees ?? {};
  const folder = resolve(cwd);
  const {createWorktree} = await import('../../worktrees/create-worktree.ts');
  const root = worktreesRoot(places);
  const created = await createWorktree({state, root, cwd: folder, name, prompt, copy, setUp: setup});
  if (!created.ok) return created;
  keepTrust(state, folder, created.value.cwd);
  const {readRecord, writeRecord} = await import('../../worktrees/worktree-record.ts');
  return {
    ok: true,
    value: {
      ...created.value,
      release() {
        const record = readRecord(state, created.value.record.name);
        if (record?.lock?.pid === process.pid) writeRecord(state, record, {lock: undefined});
      },
    },
  };
}

/** Settings of the folder that the user has trusted are trusted in the worktree, too, where they are the same. */
function keepTrust(state: string, folder: string, copy: string): void {
  const [original, copied] = [readProjectSettings(folder), readProjectSettings(copy)];
  if (original && copied?.hash === original.hash && isTrusted(state, folder, original.hash))
    trustFolder(state, copy, copied.hash);
}
