import {existsSync} from 'node:fs';
import {lstat} from 'node:fs/promises';
import {join} from 'node:path';
import type {Result} from '../shared/failure.ts';
import {pluralize} from '../text/format.ts';
import type {FileVersion} from '../snapshots/differences.ts';
import {restore} from '../snapshots/restore.ts';
import type {RestoreStep} from '../snapshots/restore-journal.ts';
import {bytesOf, textOf} from '../snapshots/repository.ts';
import {reasonsOf, refuseChanged, type Finished, type FinishOptions} from './apply-worktree.ts';
import {filteredPaths} from './filtered-paths.ts';
import {namedFiles, refused} from './create-worktree.ts';
import {findSource} from './find-source.ts';
import {differentFrom, lookAtWorktree} from './look-at-worktree.ts';
import {git, gitAnswer, storeInUsers, WorktreeProblem} from './worktree-git.ts';
import {beginStep, sourceSnapshots, stepFailed, writeRecord, type WorktreeRecord} from './worktree-record.ts';

/** What merging leads to. */
interface Merge {
  readonly branch: string;
  readonly from: string;
  readonly result: string;
  readonly isForward: boolean;
  readonly steps: readonly RestoreStep[];
}

/** Merges the branch of a worktree into the branch that its source has checked out: forwards, or with a merge commit. */
export async function mergeWorktree(
  record: WorktreeRecord,
  {state, onStep = () => {}}: FinishOptions,
): Promise<Result<Finished>> {
  let begun: WorktreeRecord | undefined;
  try {
    const {repository, now, notInHead, tips, ...looked} = await lookAtWorktree(state, record);
    // What was committed and is not in a file any more would come along unseen.
    const base = await mergeBase(record, tips[0]);
    const committed = new Set(
      base === undefined ? [] : await differentFrom(repository, {commit: base, tree: tips[0]}),
    );
    const unseen = notInHead.filter((path) => committed.has(path));
    const unfinished = [...new Set([...looked.unfinished, ...unseen])].sort();
    if (unfinished.length > 0)
      throw new WorktreeProblem(
        `it has changes that are not committed (${namedFiles(unfinished)}): commit them there, or apply it`,
      );
    if (tips.length > 1)
      throw new WorktreeProblem(`it has another commit checked out than that of ${record.branch}`);
    const merge = await planMerge(state, record, tips[0]);
    onStep('merge');
    const {branch, from, result, steps} = merge;
    const step = {kind: 'merging' as const, to: now, branch, from, result, steps: [...steps]};
    begun = beginStep(state, record, step);
    await finishMerge(begun, {state, onStep});
    const files = steps.map(({path}) => path);
    const how = merge.isForward ? 'Merged (fast-forward)' : 'Merged';
    const named = files.length > 0 ? `: ${namedFiles(files)}` : '';
    const sentence = `${how} ${record.branch} into ${branch}, ${pluralize(files.length, 'file')}${named}.`;
    return {ok: true, value: {sentence, files}};
  } catch (error) {
    const where = `What was written is in ${record.source}, where git status shows it`;
    const isPartial = begun && error instanceof WorktreeProblem;
    const shown = isPartial ? new WorktreeProblem(`${error.message}. ${where}`) : error;
    return stepFailed(state, begun, refused(shown, `merge the worktree ${record.name}`));
  }
}

/** Returns the last commit that a worktree and its source have in common: what differs from it would be merged. */
async function mergeBase({source}: WorktreeRecord, tip: string): Promise<string | undefined> {
  return existsSync(source) ? gitAnswer({folder: source}, ['merge-base', 'HEAD', tip]) : undefined;
}

/** Does what a record of merging says, also the rest of what a killed process began. Throws a WorktreeProblem. */
export async function finishMerge(
  record: WorktreeRecord,
  {state, onStep = () => {}}: FinishOptions,
): Promise<void> {
  const {step, source} = record;
  if (step.kind !== 'merging') return;
  const done = await restore(sourceSnapshots(state, record), step.steps);
  const failed = done.filter((file) => file.refused !== undefined);
  if (failed.length > 0) throw new WorktreeProblem(`some files were left unchanged: ${reasonsOf(failed)}`);
  onStep('merge files');
  const ref = `refs/heads/${step.branch}`;
  const at = await gitAnswer({folder: source}, ['rev-parse', '--verify', '--quiet', ref]);
  if (at === step.from) {
    // Only the index: the files are there.
    await git({folder: source}, ['read-tree', '-m', '-i', step.from, step.result]);
    onStep('merge index');
    await git({folder: source}, ['update-ref', '-m', `merge ${record.branch}`, ref, step.result, step.from]);
  } else if (at !== step.result) {
    writeRecord(state, record, {step: {kind: 'ready'}});
    throw new WorktreeProblem(`${step.branch} has moved meanwhile`);
  }
  onStep('merged');
  writeRecord(state, record, {base: step.to, step: {kind: 'ready'}});
}

/** What git calls that it is in the middle of. */
const UNDER_WAY = {
  MERGE_HEAD: 'a merge',
  'rebase-merge': 'a rebase',
  'rebase-apply': 'a rebase',
  CHERRY_PICK_HEAD: 'a cherry-pick',
  REVERT_HEAD: 'a revert',
  BISECT_LOG: 'a bisection',
  'index.lock': 'another git command',
} as const;

async function planMerge(state: string, record: WorktreeRecord, tip: string): Promise<Merge> {
  const {source, common, sourceBranch, branch: own} = record;
  if (!existsSync(source)) throw new WorktreeProblem(`${source} is gone`);
  const {top, branch, head, gitDir, common: itsCommon} = await findSource(source);
  if (top !== source || itsCommon !== common)
    throw new WorktreeProblem(`${source} is no longer a part of its repository`);
  for (const [file, what] of Object.entries(UNDER_WAY))
    if (existsSync(join(gitDir, file))) throw new WorktreeProblem(`${what} is under way in ${source}`);
  if (branch === undefined) throw new WorktreeProblem(`${source} has no branch checked out`);
  if (branch !== sourceBranch)
    throw new WorktreeProblem(
      `${source} has ${branch} checked out, not ${sourceBranch ?? 'the commit that it was made from'}`,
    );
  const base = await gitAnswer({folder: source}, ['merge-base', head, tip]);
  if (base === undefined) throw new WorktreeProblem(`${own} has no commit in common with ${branch}`);
  if (base === tip) throw new WorktreeProblem(`${own} has no commits that ${branch} does not have`);
  const isForward = base === head;
  const result = isForward ? tip : await mergeCommit(state, record, {head, tip, branch});
  const steps = await stepsBetween(state, record, {from: head, to: result});
  const filtered = await filteredPaths(
    source,
    steps.map(({path}) => path),
  );
  if (filtered.size > 0)
    throw new WorktreeProblem(
      `git converts ${namedFiles([...filtered])} by a filter, which acp-tui does not run: git merge ${own} does`,
    );
  await refuseChanged(state, record, steps);
  await git({folder: source}, ['read-tree', '-m', '-i', '--dry-run', head, result]).catch(() => {
    throw new WorktreeProblem(
      `files are staged in ${source} that the merge would change: commit or unstage them first`,
    );
  });
  return {branch, from: head, result, isForward, steps};
}

interface Heads {
  readonly head: string;
  readonly tip: string;
  readonly branch: string;
}

/** Stores the merge commit, which nothing refers to yet; throws a WorktreeProblem if there are conflicts. */
async function mergeCommit(
  state: string,
  record: WorktreeRecord,
  {head, tip, branch}: Heads,
): Promise<string> {
  const {common, source, branch: own} = record;
  const repository = sourceSnapshots(state, record);
  const tree = await storeInUsers({repository, common}, [
    'merge-tree',
    '--write-tree',
    '--no-messages',
    '--name-only',
    head,
    tip,
  ]).catch((error: unknown) => {
    if (!(error instanceof WorktreeProblem)) throw error;
    throw new WorktreeProblem(
      `${own} and ${branch} have conflicts: git merge ${own} in ${source} lets you resolve them`,
    );
  });
  const ident = await gitAnswer({folder: source}, ['var', 'GIT_COMMITTER_IDENT']);
  const [, name, email] = /^(.*) <([^>]*)>/.exec(ident ?? '') ?? [];
  if (name === undefined || email === undefined)
    throw new WorktreeProblem('git does not know who you are: set user.name and user.email');
  return storeInUsers({repository, common, identity: {name, email}}, [
    'commit-tree',
    tree,
    '-p',
    head,
    '-p',
    tip,
    '-m',
    `Merge branch '${own}'`,
  ]);
}

interface Commits {
  readonly from: string;
  readonly to: string;
}

const LINK = '120000';
const SUBMODULE = '160000';

/** Returns how the source's files get from one commit to another, as they are on the disk now. */
async function stepsBetween(
  state: string,
  record: WorktreeRecord,
  {from, to}: Commits,
): Promise<readonly RestoreStep[]> {
  const repository = sourceSnapshots(state, record);
  const printed = await repository.git([
    'diff-tree',
    '-r',
    '-z',
    '--raw',
    '--no-renames',
    '--no-abbrev',
    '--no-ext-diff',
    from,
    to,
  ]);
  const fields = printed.toString('latin1').split('\0');
  const steps: RestoreStep[] = [];
  const mask = process.umask();
  for (let at = 0; at + 1 < fields.length; at += 2) {
    const [modes = '', path = ''] = [fields[at]?.slice(1), fields[at + 1]];
    const [modeBefore = '', modeAfter = '', idBefore = '', idAfter = ''] = modes.split(' ');
    if ([modeBefore, modeAfter].includes(SUBMODULE))
      throw new WorktreeProblem(
        `it changes the submodule ${textOf(path)}: git merge ${record.branch} does that`,
      );
    const version = (mode: string, id: string, permissions: number): FileVersion | undefined =>
      /^0+$/.test(mode) ? undefined : {path, kind: mode === LINK ? 'link' : 'file', permissions, id};
    const usual = (mode: string) => (mode === '100755' ? 0o777 : 0o666) & ~mask;
    const stats = await lstat(bytesOf(`${record.source}/`, path)).catch(() => undefined);
    const isExecutable = stats && (stats.mode & 0o100) !== 0;
    const actual =
      stats && isExecutable === (modeBefore === '100755') ? stats.mode & 0o7777 : usual(modeBefore);
    const kept = modeBefore === modeAfter ? actual : usual(modeAfter);
    const [old, next] = [version(modeBefore, idBefore, actual), version(modeAfter, idAfter, kept)];
    steps.push({path, ...(old && {from: old}), ...(next && {to: next})});
  }
  return [...steps.filter((step) => !step.to).toReversed(), ...steps.filter((step) => step.to)];
}
