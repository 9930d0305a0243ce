import {execFileSync} from 'node:child_process';
import {existsSync, mkdirSync, readFileSync, readlinkSync, symlinkSync, writeFileSync} from 'node:fs';
import {dirname, join} from 'node:path';
import {describe, expect, onTestFinished, test, vi} from 'vitest';
import {aHome, aPolicy, aSandbox, hasNoSandbox, outputOf, type PolicyOptions} from './sandboxes.ts';

const git = (folder: string, ...args: readonly string[]) =>
  execFileSync('git', ['-C', folder, '-c', 'user.name=t', '-c', 'user.email=t@t', ...args], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
  });

/** Makes files with this text in a folder, and the folders above them. */
function put(folder: string, ...names: readonly string[]): void {
  for (const name of names) {
    mkdirSync(dirname(join(folder, name)), {recursive: true});
    writeFileSync(join(folder, name), 'mine\n');
  }
}

/** Where a repository and its submodules are found. */
function putRepository(folder: string): void {
  for (const name of ['objects', 'refs']) mkdirSync(join(folder, name), {recursive: true});
  put(folder, 'HEAD', 'config');
  writeFileSync(join(folder, 'config'), '');
}

/** Tries to write each of these files inside, and returns those that it could. */
async function written(
  root: string,
  home: string,
  names: readonly string[],
  options: Partial<PolicyOptions> = {},
): Promise<readonly string[]> {
  const sandbox = await aSandbox(aPolicy({home, roots: [root], ...options}));
  const each = names.map((name) => `mkdir -p '${dirname(name)}'; echo theirs >> '${name}'`);
  await outputOf(sandbox, `exec 2>&1; ${each.join('; ')}`);
  const text = (name: string) =>
    existsSync(join(root, name)) ? readFileSync(join(root, name), 'utf8') : 'nothing';
  return names.filter((name) => text(name).includes('theirs'));
}

describe.skipIf(hasNoSandbox)('what something runs later cannot be written inside', () => {
  test('hooks of submodules, whatever their names, of nested repositories and of those in folders of dependencies', async () => {
    const {home, root} = aHome();
    const repositories = [
      '.git',
      '.git/modules/flat',
      '.git/modules/libs/foo',
      '.git/modules/a/modules/b',
      '.git/modules/a',
      'bare.git',
      'one/two/three/four/five/.git',
      ...['vendor', 'target', '.cache', 'node_modules', 'venv'].map((name) => `${name}/package/.git`),
    ];
    for (const each of repositories) putRepository(join(root, each));
    const hooks = repositories.map((each) => `${each}/hooks/pre-commit`);
    await expect(written(root, home, hooks)).resolves.toEqual([]);
    await expect(written(root, home, ['.git/index', '.git/modules/a/HEAD'])).resolves.toHaveLength(2);
  });

  test('hooks whose folder is a link, hooks that are links, and the folders that settings of git name', async () => {
    const {home, root} = aHome();
    git(root, 'init', '-q');
    put(root, 'shared/pre-push', 'scripts/check.sh', 'own/pre-commit', 'more/settings', 'free');
    const module = join(root, '.git/modules/linked');
    putRepository(module);
    symlinkSync('../../../shared', join(module, 'hooks'));
    symlinkSync('../../scripts/check.sh', join(root, '.git/hooks/pre-commit'));
    git(root, 'config', 'core.hooksPath', 'own');
    git(root, 'config', 'include.path', '../more/settings');
    writeFileSync(join(root, 'more/settings'), '[include]\n\tpath = deeper/settings\n');
    put(root, 'more/deeper/settings');
    writeFileSync(join(root, 'more/deeper/settings'), '');
    const scripts = ['shared/pre-push', 'scripts/check.sh', 'own/pre-commit', 'own/new'];
    const names = [...scripts, 'more/settings', 'more/deeper/settings', 'free'];
    await expect(written(root, home, names)).resolves.toEqual(['free']);
  });

  test('what the settings of git that are your own include, and those that are a link', async () => {
    const {home, root} = aHome();
    git(root, 'init', '-q');
    put(root, 'dotfiles/gitconfig', 'work/gitconfig', 'work/more', 'free');
    writeFileSync(
      join(root, 'dotfiles/gitconfig'),
      `[includeIf "gitdir:/nowhere/"]\n\tpath = ${root}/work/gitconfig\n`,
    );
    writeFileSync(join(root, 'work/gitconfig'), '[include]\n\tpath = more\n');
    symlinkSync(join(root, 'dotfiles/gitconfig'), join(home, '.gitconfig'));
    vi.stubEnv('GIT_CONFIG_GLOBAL', join(home, '.gitconfig'));
    onTestFinished(() => void vi.unstubAllEnvs());
    const names = ['dotfiles/gitconfig', 'work/gitconfig', 'work/more'];
    await expect(written(root, home, [...names, 'free'])).resolves.toEqual(['free']);
  });

  test('what links of a workspace with such names lead to, in a folder of that name, too', async () => {
    const {home, root} = aHome();
    const names = ['.envrc', '.mcp.json', '.acp-tui.json'];
    for (const name of names) {
      put(root, `real/${name.slice(1)}`);
      symlinkSync(`real/${name.slice(1)}`, join(root, name));
    }
    put(root, 'editor/tasks.json', 'editor/other', 'husky/pre-commit', '.idea/a.xml', 'run.xml');
    symlinkSync('editor', join(root, '.vscode'));
    symlinkSync('husky', join(root, '.husky'));
    symlinkSync('../run.xml', join(root, '.idea/linked.xml'));
    const targets = [
      ...names.map((name) => `real/${name.slice(1)}`),
      'editor/tasks.json',
      'husky/pre-commit',
      'run.xml',
    ];
    await expect(written(root, home, [...targets, 'editor/other'])).resolves.toEqual(['editor/other']);
    expect(readlinkSync(join(root, '.envrc'))).toBe('real/envrc');
  });

  test("in other folders that it may write, as in the workspace, but not in the agent's own", async () => {
    const {home, root} = aHome();
    const places = ['../named', '../added', '../.demo'];
    for (const each of places) {
      putRepository(join(root, each, 'inner/.git'));
      put(root, `${each}/.envrc`);
    }
    const folders = {sandboxFolders: ['~/named', '~/.demo'], addedFolders: [join(home, 'added')]};
    const names = places.flatMap((each) => [`${each}/inner/.git/hooks/pre-commit`, `${each}/.envrc`]);
    await expect(written(root, home, [...names, '../named/free'], folders)).resolves.toEqual([
      '../.demo/inner/.git/hooks/pre-commit',
      '../.demo/.envrc',
      '../named/free',
    ]);
  });

  test('is said before anything is started, where it cannot be held', async () => {
    const {home, root} = aHome();
    put(root, 'real');
    symlinkSync('real', join(root, '.envrc'));
    symlinkSync('nowhere', join(root, '.mcp.json'));
    put(root, 'editor/tasks.json');
    symlinkSync('editor', join(root, '.vscode'));
    const told: string[] = [];
    await aSandbox(aPolicy({home, roots: [root]}), {
      onWarning: (text) => told.push(text),
    });
    expect(told).toEqual([
      'The sandbox cannot keep its programs from replacing what something runs later: .envrc, .mcp.json, .vscode.',
    ]);
  });

  test('a link that leads to the workspace itself makes nothing of it read-only', async () => {
    const {home, root} = aHome();
    symlinkSync('.', join(root, '.husky'));
    put(root, 'free');
    await expect(written(root, home, ['free'])).resolves.toEqual(['free']);
  });
});

describe.skipIf(hasNoSandbox)('git in a sandbox', () => {
  test('commits, branches, stashes, rebases, fetches, clones, and has worktrees and submodules', async () => {
    const {home, root} = aHome();
    const library = join(home, 'library');
    git(home, 'init', '-q', '-b', 'main', library);
    put(library, 'code');
    git(library, 'add', '.');
    git(library, 'commit', '-qm', 'one');
    git(root, 'init', '-q', '-b', 'main');
    put(root, 'file', '.envrc');
    mkdirSync(join(root, '.githooks'));
    writeFileSync(join(root, '.githooks/pre-commit'), '#!/bin/sh\n', {mode: 0o755});
    git(root, 'config', 'core.hooksPath', '.githooks');
    git(root, '-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', library, 'libs/foo');
    git(root, 'add', '.');
    git(root, 'commit', '-qm', 'first');
    git(root, 'remote', 'add', 'upstream', library);
    const sandbox = await aSandbox(aPolicy({home, roots: [root]}));
    const script = `exec 2>&1; set -e
      export GIT_CONFIG_COUNT=3 GIT_CONFIG_KEY_0=user.name GIT_CONFIG_VALUE_0=t GIT_CONFIG_KEY_1=user.email GIT_CONFIG_VALUE_1=t@t
      export GIT_CONFIG_KEY_2=protocol.file.allow GIT_CONFIG_VALUE_2=always GIT_EDITOR=true
      git checkout -q -b topic; echo 2 >> file; git commit -qam second
      echo 3 >> file; git stash -q; git stash pop -q; git commit -qam third
      git checkout -q main; echo x > other; git add other; git commit -qm other
      git checkout -q topic; git rebase -q main; git commit -q --amend -m amended; git reset -q --hard HEAD
      git fetch -q upstream; git branch -q --track theirs upstream/main; git config user.nickname x
      git worktree add -q -b inner trees/inner; (cd trees/inner; echo 4 > new; git add new; git commit -qm inner)
      git worktree remove trees/inner; git branch -q -D inner; git merge -q --no-edit main; git tag one; git gc -q
      (cd libs/foo; git checkout -q -b mine; echo 5 >> code; git commit -qam module)
      git submodule --quiet update --init --recursive --force; git submodule --quiet foreach 'git status -s'
      git submodule --quiet add ${library} libs/bar; git commit -qm bar
      git clone -q ${library} clone; git init -q fresh
      git log --format=%s -4`;
    await expect(outputOf(sandbox, script)).resolves.toBe('bar\namended\nsecond\nother\n');
    expect(git(root, 'status', '--short').trim().split('\n')).toEqual(['?? clone/', '?? fresh/']);
  });
});
