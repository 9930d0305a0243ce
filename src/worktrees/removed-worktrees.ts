import {existsSync} from 'node:fs';
import {join} from 'node:path';
import * as z from 'zod/mini';
import {readJson, writeJson} from '../shared/files/json-file.ts';
import {quoteWords} from '../text/shell-quote.ts';
import {git, gitAnswer} from './worktree-git.ts';

/** How long the last state of a removed worktree is kept. */
export const KEPT_DAYS = 14;

const removedWorktree = z.object({
  name: z.string(),
  /** The git folder of its repository. */
  common: z.string(),
  source: z.string(),
  at: z.number(),
  ref: z.string(),
});
type RemovedWorktree = z.infer<typeof removedWorktree>;

/** Returns the removed worktrees whose last state is kept, the newest first. */
export function readRemoved(state: string): readonly RemovedWorktree[] {
  return readJson(fileIn(state), z.array(removedWorktree)) ?? [];
}

/** Keeps a commit for some time; returns the command that gets it back. */
export async function addRemoved(
  state: string,
  removed: Omit<RemovedWorktree, 'ref'>,
  commit: string,
): Promise<string> {
  const at = new Date(removed.at).toISOString().slice(0, 19).replaceAll(/\D/g, '');
  const ref = `refs/acp-tui/removed/${removed.name}-${at}`;
  const {common} = removed;
  await git({folder: common, gitDir: common}, ['update-ref', ref, commit]);
  const kept = {...removed, ref};
  writeJson(fileIn(state), [kept, ...readRemoved(state)]);
  return commandToGetBack(kept);
}

export function commandToGetBack({source, name, ref}: RemovedWorktree): string {
  return quoteWords(['git', '-C', source, 'branch', name, ref]);
}

/** Removes the references that are older than they are kept. */
export async function pruneRemoved(state: string, now: number): Promise<void> {
  const all = readRemoved(state);
  const isOld = ({at}: RemovedWorktree) => now - at > KEPT_DAYS * 86_400_000;
  const old = all.filter(isOld);
  if (old.length === 0) return;
  for (const {common, ref} of old)
    if (existsSync(common)) await gitAnswer({folder: common, gitDir: common}, ['update-ref', '-d', ref]);
  writeJson(
    fileIn(state),
    readRemoved(state).filter((each) => !isOld(each)),
  );
}

function fileIn(state: string): string {
  return join(state, 'removed-worktrees.json');
}
