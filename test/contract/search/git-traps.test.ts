import {execFileSync} from 'node:child_process';
import {appendFileSync, mkdirSync, realpathSync, rmSync, symlinkSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {afterEach, expect, test, vi} from 'vitest';
import {gitBranch} from '../../../src/git/git-branch.ts';
import {createFileFinder} from '../../../src/search/finder.ts';
import {createRepository} from '../../../src/snapshots/repository.ts';
import {takeSnapshot} from '../../../src/snapshots/take/take-snapshot.ts';
import {temporaryFolder} from '../../support/folders/temporary-folder.ts';
import {trappedRepository} from '../../support/folders/trapped-repository.ts';

afterEach(() => void vi.unstubAllEnvs());

/** A repository with traps, and a place for more of them. */
interface Place {
  readonly folder: string;
  readonly git: string;
  readonly scratch: string;
}

const settings = (file: string, text: string) => appendFileSync(file, `\n${text}\n`);

/** Puts a named pipe in place of a file. */
function pipe(path: string): string {
  rmSync(path, {recursive: true, force: true});
  execFileSync('mkfifo', ['-m', '600', path]);
  return path;
}

function replaced(path: string, target: string): void {
  rmSync(path, {recursive: true, force: true});
  symlinkSync(target, path);
}

const TRAPS: Readonly<Record<string, (place: Place) => void>> = {
  'settings of a worktree': ({git}) => {
    settings(join(git, 'config'), '[extensions]\n\tworktreeConfig = true');
    execFileSync('cp', [join(git, 'config'), join(git, 'config.worktree')]);
  },
  'settings included by condition': ({git, folder}) => {
    for (const condition of ['gitdir:**', 'onbranch:**', 'hasconfig:remote.*.url:**'])
      settings(join(git, 'config'), `[includeIf "${condition}"]\n\tpath = ${join(folder, 'included')}`);
  },
  'included settings that are a pipe': ({git, scratch}) =>
    settings(join(git, 'config'), `[include]\n\tpath = ${pipe(join(scratch, 'settings'))}`),
  'included settings that never end': ({git}) =>
    settings(join(git, 'config'), '[include]\n\tpath = /dev/zero'),
  'ignore rules that are a pipe': ({git, scratch}) =>
    settings(join(git, 'config'), `[core]\n\texcludesFile = ${pipe(join(scratch, 'rules'))}`),
  'attributes that are a pipe': ({git, scratch}) =>
    settings(join(git, 'config'), `[core]\n\tattributesFile = ${pipe(join(scratch, 'rules'))}`),
  'ignore rules that never end': ({folder}) => replaced(join(folder, '.gitignore'), '/dev/zero'),
  'settings that are a pipe': ({git}) => void pipe(join(git, 'config')),
  'settings that never end': ({git}) => replaced(join(git, 'config'), '/dev/zero'),
  'an index that is a pipe': ({git}) => void pipe(join(git, 'index')),
  'an index that never ends': ({git}) => replaced(join(git, 'index'), '/dev/zero'),
  'a branch that is a pipe': ({git}) => void pipe(join(git, 'refs/heads/main')),
  'packed branches that are a pipe': ({git}) => {
    rmSync(join(git, 'refs/heads/main'));
    pipe(join(git, 'packed-refs'));
  },
  'objects elsewhere, which are a pipe': ({git, scratch}) =>
    writeFileSync(join(git, 'objects/info/alternates'), `${pipe(join(scratch, 'objects'))}\n`),
  'a list of objects elsewhere that is a pipe': ({git}) => void pipe(join(git, 'objects/info/alternates')),
  'a list of objects elsewhere that never ends': ({git}) =>
    replaced(join(git, 'objects/info/alternates'), '/dev/zero'),
  'a common folder that is a pipe': ({git}) => void pipe(join(git, 'commondir')),
  'a commit graph that is a pipe': ({git}) => {
    mkdirSync(join(git, 'objects/info'), {recursive: true});
    pipe(join(git, 'objects/info/commit-graph'));
  },
  'a .git that is a pipe': ({git}) => void pipe(git),
  'a .git that leads to a pipe': ({git, scratch}) => {
    rmSync(git, {recursive: true});
    writeFileSync(git, `gitdir: ${pipe(join(scratch, 'git'))}\n`);
  },
  'a .git that leads to itself': ({git}) => {
    rmSync(git, {recursive: true});
    writeFileSync(git, `gitdir: ${git}\n`);
  },
  'a shallow list that is a pipe': ({git}) => void pipe(join(git, 'shallow')),
  'a work tree of everything': ({git}) => settings(join(git, 'config'), '[core]\n\tworktree = /'),
  'a submodule with a pipe': ({folder}) => {
    mkdirSync(join(folder, 'module/.git'), {recursive: true});
    for (const name of ['HEAD', 'config', 'index']) pipe(join(folder, 'module/.git', name));
  },
  // Git trusts no repository of another user, unless the settings of its own user say so.
  'a repository of another user that says to trust it': ({git, folder}) => {
    settings(join(git, 'config'), '[safe]\n\tdirectory = *');
    if (process.getuid?.() === 0) execFileSync('chown', ['-R', '4321', folder]);
  },
  'variables of the environment': ({scratch}) => {
    const trap = join(scratch, 'marks/.core-fsmonitor.sh');
    for (const name of [
      'GIT_EXTERNAL_DIFF',
      'GIT_SSH_COMMAND',
      'GIT_ASKPASS',
      'GIT_EDITOR',
      'GIT_PAGER',
      'PAGER',
    ])
      vi.stubEnv(name, trap);
  },
};

test.each(Object.entries(TRAPS))(
  'nothing runs and nothing waits for %s',
  async (_name, set) => {
    const scratch = realpathSync(temporaryFolder());
    const folder = join(scratch, 'repository');
    const {sprung} = trappedRepository(folder, join(scratch, 'marks'));
    set({folder, scratch, git: join(folder, '.git')});
    vi.stubEnv('PATH', `.:${folder}:${process.env['PATH']}`);
    const began = performance.now();
    gitBranch(folder);
    const found = await createFileFinder({cwd: folder, additionalDirectories: []}).find('');
    expect(found.map(({path}) => path)).toContain('tracked.txt');
    const repository = await createRepository(folder, join(scratch, 'state'));
    const taken = await takeSnapshot(repository).catch((error: unknown) => String(error));
    expect(taken).toMatch(/^[0-9a-f]{40}$|is a named pipe$/);
    // Git that is not stopped is killed after 30 s.
    expect(performance.now() - began).toBeLessThan(25_000);
    expect(sprung()).toEqual([]);
  },
  60_000,
);
