import {existsSync, writeFileSync} from 'node:fs';
import {homedir} from 'node:os';
import {dirname, join, resolve} from 'node:path';
import type {CommonOptions, WorktreeRequest} from '../../cli/options.ts';
import type {ConversationOptions} from '../../conversation/options.ts';
import {fail, type Result} from '../../shared/failure.ts';
import type {Paths} from '../../shared/files/paths.ts';
import {makeFolder} from '../../shared/files/safe-files.ts';
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
  /** It has not begun: its worktree is removed, unless something would be lost with it. */
  readonly discard: () => Promise<void>;
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

/** True if a folder is in a repository that worktrees can be made from, though one may fail to be made. */
export async function hasSource({cwd = '.'}: Pick<CommonOptions, 'cwd'>): Promise<boolean> {
  const {findSource, NoSource} = await import('../../worktrees/find-source.ts');
  return findSource(resolve(cwd)).then(
    () => true,
    (error: unknown) => !(error instanceof NoSource),
  );
}

/** Creates the worktree of a session that would work in the folder of the options, which say how its set-up command is confined. */
export async function openWorktree(
  {cwd: folder, ...session}: Pick<ConversationOptions, 'agent' | 'cwd' | 'environment' | 'sandbox'>,
  {name, prompt}: WorktreeRequest,
  places: WorktreePlaces,
): Promise<Result<SessionWorktree>> {
  const {paths, settings} = places;
  const {state} = paths;
  const {copy, link, setup} = settings.worktrees ?? {};
  const {createWorktree} = await import('../../worktrees/create-worktree.ts');
  const root = worktreesRoot(places);
  const setUp = setup === undefined ? undefined : {command: setup, session};
  const asked = {name, prompt, copy, link, setUp};
  const created = await createWorktree({state, root, cwd: folder, ...asked});
  if (!created.ok) return created;
  const {readRecord, writeRecord} = await import('../../worktrees/worktree-record.ts');
  if (!keepSettings(state, folder, created.value.cwd)) {
    const {discard: discardUnused} = await import('../../worktrees/discard-worktree.ts');
    await discardUnused(state, created.value.record);
    const why = 'the settings of this folder, which you trust, would not hold there';
    return fail({kind: 'not_offered', cannot: `create a worktree of ${folder}`, why});
  }
  const {record} = created.value;
  function release(): void {
    const current = readRecord(state, record.name);
    if (current?.lock?.pid === process.pid) writeRecord(state, current, {lock: undefined});
  }
  async function discard(): Promise<void> {
    const {removeWorktree} = await import('../../worktrees/remove-worktree.ts');
    release();
    await removeWorktree(record, {state, agreed: {uncommitted: [], commits: 0}});
  }
  return {ok: true, value: {...created.value, release, discard}};
}

/** Settings of the folder that the user has trusted are trusted in the worktree, too, which gets those that git ignores. False if they would not hold there. */
function keepSettings(state: string, folder: string, copy: string): boolean {
  const original = readProjectSettings(folder);
  if (!original || !isTrusted(state, folder, original.hash)) return true;
  try {
    for (const {name, text} of original.files) {
      const file = join(copy, name);
      makeFolder(dirname(file));
      if (!existsSync(file)) writeFileSync(file, text, {flag: 'wx'});
    }
  } catch {
    return false;
  }
  const {hash} = readProjectSettings(copy) ?? {};
  return hash === original.hash && trustFolder(state, copy, hash).ok;
}
