import {access, constants, stat} from 'node:fs/promises';
import {join, resolve} from 'node:path';
import {readWithGit} from './git.ts';

/** A program that git runs when it commits, or a file that names such programs. */
export interface CommitProgram {
  readonly path: string;
  readonly kind: 'hook' | 'settings';
  /** True if it was changed since a time. */
  readonly isNew: boolean;
}

const HOOKS = [
  'pre-commit',
  'prepare-commit-msg',
  'commit-msg',
  'post-commit',
  'post-index-change',
  'reference-transaction',
];

/** Returns the hooks that git would run for a commit, and the repository's settings, which may name filters and other programs. Runs none of them. */
export async function commitPrograms(folder: string, since: number): Promise<readonly CommitProgram[]> {
  const [common, top] = await Promise.all(
    ['--git-common-dir', '--show-toplevel'].map((what) => lines(folder, ['rev-parse', what])),
  );
  const git = resolve(folder, common?.[0] ?? '.git');
  // The last one is that with which acp-tui turns hooks off for itself.
  const named = (await lines(folder, ['config', '--type=path', '--get-all', 'core.hooksPath'])).slice(0, -1);
  const hooks = resolve(top?.[0] ?? folder, named.at(-1) ?? join(git, 'hooks'));
  const places = [
    ...HOOKS.map((name) => ({path: join(hooks, name), kind: 'hook' as const})),
    ...['config', 'config.worktree', 'info/attributes'].map((name) => ({
      path: join(git, name),
      kind: 'settings' as const,
    })),
  ];
  const found = await Promise.all(places.map((place) => programAt(place, since)));
  return found.filter((program) => program !== undefined);
}

async function programAt(
  {path, kind}: Omit<CommitProgram, 'isNew'>,
  since: number,
): Promise<CommitProgram | undefined> {
  try {
    if (kind === 'hook') await access(path, constants.X_OK);
    // The time of its last change of any kind, which nobody can set.
    const {ctimeMs} = await stat(path);
    return {path, kind, isNew: ctimeMs >= since};
  } catch {
    return undefined;
  }
}

async function lines(
  folder: string,
  command: readonly ['rev-parse' | 'config', ...string[]],
): Promise<readonly string[]> {
  const printed = await readWithGit(folder, command);
  return printed.ok ? printed.stdout.toString('utf8').split('\n').filter(Boolean) : [];
}

/** Returns which of these files, relative to the folder, git sees as changed; undefined without a repository. */
export async function changedForGit(
  folder: string,
  paths: readonly string[],
): Promise<readonly string[] | undefined> {
  const printed = await readWithGit(folder, [
    'ls-files',
    '-z',
    '--modified',
    '--deleted',
    '--others',
    '--exclude-standard',
  ]);
  if (!printed.ok) return undefined;
  const changed = new Set(printed.stdout.toString('utf8').split('\0'));
  return paths.filter((path) => changed.has(path));
}
