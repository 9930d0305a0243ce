import {devNull} from 'node:os';
import {join} from 'node:path';
import {runOwnGit, runWorktreeGit} from '../git/git.ts';
import type {RawPath, SnapshotRepository} from '../snapshots/repository.ts';

/** Why something cannot be done with a worktree: the end of a sentence. */
export class WorktreeProblem extends Error {}

type Place = Parameters<typeof runWorktreeGit>[0];
type Command = Parameters<typeof runWorktreeGit>[1];

/** Runs git for a worktree; returns what it printed, each character a byte. Throws a WorktreeProblem. */
export async function git(place: Place, command: Command, input?: string | Buffer): Promise<string> {
  const done = await runWorktreeGit(place, command, {input, timeoutMs: 10 * 60_000});
  if (done.ok) return done.stdout.toString('latin1');
  throw new WorktreeProblem(done.isMissing ? 'git was not found' : done.problem);
}

/** Returns what git printed, without the line's end; undefined if it failed, which says no. */
export async function gitAnswer(place: Place, command: Command): Promise<string | undefined> {
  const done = await runWorktreeGit(place, command);
  return done.ok ? done.stdout.toString('utf8').trimEnd() : undefined;
}

/** Returns the commit that a reference names; undefined if there is none. */
export function commitAt(place: Place, reference: string): Promise<string | undefined> {
  return gitAnswer(place, ['rev-parse', '--verify', '--quiet', `${reference}^{commit}`]);
}

/** Returns paths as git reads them with `-z`. */
export function asInput(paths: readonly RawPath[]): Buffer {
  return Buffer.from(paths.map((path) => `${path}\0`).join(''), 'latin1');
}

interface Stored {
  readonly repository: SnapshotRepository;
  /** The git folder of the user's repository. */
  readonly common: string;
  readonly index?: string;
  readonly identity?: {readonly name: string; readonly email: string};
  readonly input?: string | Buffer;
  readonly workTree?: string;
}

type Plumbing = Parameters<typeof runOwnGit>[1]['command'];

/**
 * Runs git in acp-tui's own repository, where no setting of the user's applies, and stores what it makes in the user's repository. Returns the id that it
 * printed; throws a WorktreeProblem.
 */
export async function storeInUsers(
  {
    repository: {gitDir, folder},
    common,
    index = join(gitDir, 'no-index'),
    identity,
    input,
    workTree = folder,
  }: Stored,
  command: Plumbing,
): Promise<string> {
  const repository = {
    gitDir,
    workTree,
    index,
    settings: [`core.attributesFile=${devNull}`, 'core.sharedRepository=0'],
    objects: join(common, 'objects'),
    ...(identity && {identity}),
  };
  const done = await runOwnGit(gitDir, {repository, command}, {input, timeoutMs: 10 * 60_000});
  if (done.ok) return done.stdout.toString('latin1').trim();
  throw new WorktreeProblem(done.problem);
}
