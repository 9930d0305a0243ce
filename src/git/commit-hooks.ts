import {access, constants, stat} from 'node:fs/promises';
import {basename, dirname, join, resolve} from 'node:path';
import {HOOK_SETTINGS} from '../shared/hook-settings.ts';
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
  'pre-auto-gc',
];

const SETTINGS_OF_HOOKS = new Set(
  HOOK_SETTINGS.flatMap((path) => ['yml', 'yaml', 'toml', 'json'].map((format) => path.replace('*', format))),
);

/** Where a folder's repository is. */
interface RepositoryPlace {
  /** The folder of its settings and hooks. */
  readonly git: string;
  /** That of the work tree, which may have settings of its own; of the main one, the same. */
  readonly own: string;
  readonly top: string;
}

export async function repositoryOf(folder: string): Promise<RepositoryPlace> {
  const [common, own, top] = await Promise.all(
    ['--git-common-dir', '--git-dir', '--show-toplevel'].map((what) => lines(folder, ['rev-parse', what])),
  );
  const git = resolve(folder, common?.[0] ?? '.git');
  return {git, own: resolve(folder, own?.[0] ?? git), top: top?.[0] ?? folder};
}

interface CommitPlaces extends RepositoryPlace {
  /** Other files of settings: the user's, and those that are included. */
  readonly named: readonly string[];
}

/** Returns the hooks that git would run for a commit, and the settings, which may name filters and other programs. Runs none of them. */
export async function commitPrograms(
  folder: string,
  since: number,
  {git, own, top, named: others}: CommitPlaces,
): Promise<readonly CommitProgram[]> {
  // The last one is that with which acp-tui turns hooks off for itself.
  const named = (await lines(folder, ['config', '--type=path', '--get-all', 'core.hooksPath'])).slice(0, -1);
  const hooks = resolve(top, named.at(-1) ?? join(git, 'hooks'));
  const places = [
    ...HOOKS.map((name) => ({path: join(hooks, name), kind: 'hook' as const})),
    ...[
      ...['config', 'info/attributes'].map((name) => join(git, name)),
      join(own, 'config.worktree'),
      ...others.filter((path) => path !== hooks),
      ...Array.from(SETTINGS_OF_HOOKS, (name) => join(top, name)),
      // The hooks of husky run those beside their folder, which need no permission to be run.
      ...(basename(hooks) === '_' ? HOOKS.map((name) => join(dirname(hooks), name)) : []),
    ].map((path) => ({path, kind: 'settings' as const})),
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
