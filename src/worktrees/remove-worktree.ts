import {existsSync, rmSync} from 'node:fs';
import {join} from 'node:path';
import {fail, type Result} from '../shared/failure.ts';
import {pluralize} from '../text/format.ts';
import type {RawPath} from '../snapshots/repository.ts';
import {namedFiles, refused} from './create-worktree.ts';
import type {FinishOptions, Finished} from './apply-worktree.ts';
import {discard} from './discard-worktree.ts';
import {
  commitsOf,
  fileAt,
  lookAtWorktree,
  tipsOf,
  uncommittedIn,
  type WorktreeState,
} from './look-at-worktree.ts';
import {addRemoved} from './removed-worktrees.ts';
import {asInput, gitAnswer, storeInUsers} from './worktree-git.ts';
import {beginStep, forgetRecord, worktreeSnapshots, type WorktreeRecord} from './worktree-record.ts';

/** What would be lost with a worktree. */
interface Losses extends Pick<WorktreeState, 'unkept' | 'commits' | 'notInHead' | 'tips'> {
  /** What is neither committed nor in the source. */
  readonly uncommitted: readonly RawPath[];
  /** Names all of that; undefined if nothing is lost. */
  readonly sentence: string | undefined;
}

/** Returns what would be lost if a worktree was removed. */
export async function lossesOf(record: WorktreeRecord, state: string): Promise<Result<Losses>> {
  try {
    const isThere = existsSync(record.folder);
    const isPartial = isThere && record.base === undefined;
    const looked =
      isThere && !isPartial
        ? await lookAtWorktree(state, record)
        : {uncovered: [], unkept: [], notInHead: [], ...(await committedOf(record))};
    const uncommitted = await uncommittedIn(record, looked);
    const known = sentenceOf({...looked, uncommitted});
    const sentence = isPartial ? [UNKNOWN, known].join(' ').trimEnd() : known;
    return {ok: true, value: {...looked, uncommitted, sentence}};
  } catch (error) {
    return refused(error, `remove the worktree ${record.name}`);
  }
}

/** Of one whose creation was interrupted. */
const UNKNOWN = 'It was not created completely, so what was changed in it is unknown.';

async function committedOf(record: WorktreeRecord): Promise<Pick<WorktreeState, 'tips' | 'commits'>> {
  const tips = await tipsOf(record);
  return {tips, commits: await commitsOf(record, tips)};
}

function sentenceOf({
  uncommitted,
  unkept,
  commits,
}: Pick<Losses, 'uncommitted' | 'unkept' | 'commits'>): string | undefined {
  const parts = [
    ...(uncommitted.length > 0
      ? [`${pluralize(uncommitted.length, 'file')} with uncommitted changes: ${namedFiles(uncommitted)}`]
      : []),
    ...(commits > 0
      ? [`${pluralize(commits, 'commit')} that ${commits === 1 ? 'is' : 'are'} on no other branch`]
      : []),
  ];
  if (parts.length === 0) return undefined;
  const gone = unkept.length > 0 ? ` Nothing can bring back: ${namedFiles(unkept)}.` : '';
  return `It has ${parts.join('; ')}.${gone}`;
}

interface RemoveOptions extends FinishOptions {
  /** What the user knows to be lost; if it is more by now, the worktree is not removed. */
  readonly agreed: Pick<Losses, 'uncommitted' | 'commits'>;
}

/** True if the user knows of all that would be lost. */
export function isKnown(
  {uncommitted, commits}: RemoveOptions['agreed'],
  agreed: RemoveOptions['agreed'],
): boolean {
  const known = new Set(agreed.uncommitted);
  return commits <= agreed.commits && uncommitted.every((path) => known.has(path));
}

/** Removes a worktree and its branch; what would be lost is kept in a reference of its repository for some time. */
export async function removeWorktree(
  record: WorktreeRecord,
  {state, agreed, onStep = () => {}}: RemoveOptions,
): Promise<Result<Finished>> {
  const cannot = `remove the worktree ${record.name}`;
  const losses = await lossesOf(record, state);
  if (!losses.ok) return losses;
  const {uncommitted, commits, tips} = losses.value;
  if (!isKnown(losses.value, agreed))
    return fail({
      kind: 'not_offered',
      cannot,
      why: `it has changed meanwhile: ${losses.value.sentence ?? ''}`,
    });
  try {
    onStep('keep');
    const isEmpty = uncommitted.length === 0 && commits === 0;
    const kept = isEmpty ? undefined : await keepLastState(record, losses.value, state);
    onStep('remove');
    const tip = tips.at(-1) ?? record.head;
    const removing = beginStep(state, record, {kind: 'removing', tip});
    onStep('discard');
    const left = await discard(state, removing, tip);
    const back = kept === undefined ? '' : ` Its last state is kept for 14 days: ${kept}`;
    return {ok: true, value: {sentence: `Removed the worktree ${record.name}.${left}${back}`, files: []}};
  } catch (error) {
    return refused(error, cannot);
  }
}

/** Commits the last state of a worktree, with its commits as parents, for a reference. Returns the command that gets it back. */
async function keepLastState(
  record: WorktreeRecord,
  {uncommitted, unkept, notInHead, tips}: Losses,
  state: string,
): Promise<string> {
  const {name, folder, common, source} = record;
  let commit: string = tips[0];
  if (uncommitted.length > 0 || tips.length > 1) {
    const repository = await worktreeSnapshots(state, record);
    const index = join(repository.gitDir, 'removed-index');
    rmSync(index, {force: true});
    const place = {repository, common, index, workTree: folder};
    await storeInUsers(place, ['read-tree', tips[0]]);
    const paths = [...new Set([...notInHead, ...uncommitted])].filter((path) => !unkept.includes(path));
    const isThere = (path: RawPath) => fileAt(folder, path) !== undefined;
    const known = new Set(uncommitted);
    const gone = paths.filter((path) => known.has(path) && !isThere(path));
    await storeInUsers({...place, input: asInput(gone)}, ['update-index', '--force-remove', '-z', '--stdin']);
    const input = asInput(paths.filter(isThere));
    await storeInUsers({...place, input}, ['update-index', '--add', '--replace', '-z', '--stdin']);
    const tree = await storeInUsers(place, ['write-tree']);
    const parents = tips.flatMap((tip) => ['-p', tip]);
    commit = await storeInUsers(place, [
      'commit-tree',
      tree,
      ...parents,
      '-m',
      `Last state of the worktree ${name}`,
    ]);
  }
  return addRemoved(state, {name, common, source, at: Date.now()}, commit);
}

/** Ends acp-tui's part: the worktree and its branch stay, as git's own. */
export async function releaseWorktree(
  record: WorktreeRecord,
  {state, onStep = () => {}}: FinishOptions,
): Promise<Result<Finished>> {
  try {
    const {common, folder, branch, name} = beginStep(state, record, {kind: 'releasing'});
    onStep('release');
    // It fails if the user has unlocked it before.
    await gitAnswer({folder: common, gitDir: common}, ['worktree', 'unlock', folder]);
    onStep('released');
    forgetRecord(state, name);
    return {
      ok: true,
      value: {sentence: `${folder} stays, on branch ${branch}; git worktree lists it.`, files: []},
    };
  } catch (error) {
    return refused(error, `keep the worktree ${record.name}`);
  }
}
