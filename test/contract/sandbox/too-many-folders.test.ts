import {
  accessSync,
  constants,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import {dirname, join} from 'node:path';
import {describe, expect, onTestFinished, test, vi} from 'vitest';
import {undoWrites} from '../../../src/host/files/undo-writes.ts';
import {workspaceOf, type Workspace} from '../../../src/sandbox/mounts.ts';
import {knownPlaces} from '../../../src/sandbox/protected/known-places.ts';
import {unprotectedNotices} from '../../../src/sandbox/protected/unprotected.ts';
import {watchProtected} from '../../../src/sandbox/protected/watch.ts';
import {temporaryFolder} from '../../support/folders/temporary-folder.ts';
import {aPolicy, type PolicyOptions} from './sandboxes.ts';

const MEMORY = '/dev/shm';

/** A home folder with a workspace: in memory, if there is such a place, since some disks take ten seconds for so many folders. */
function aHomeInMemory() {
  const home = realpathSync(folderInMemory());
  const root = join(home, 'project');
  mkdirSync(root);
  return {home, root};
}

function folderInMemory(): string {
  try {
    accessSync(MEMORY, constants.W_OK);
  } catch {
    return temporaryFolder();
  }
  const folder = mkdtempSync(join(MEMORY, 'acp-tui-test-'));
  onTestFinished(() => rmSync(folder, {recursive: true, force: true}));
  return folder;
}

/** More folders than are searched. */
function flood(folder: string): void {
  for (let at = 0; at < 10_001; at++) mkdirSync(join(folder, String(at)), {recursive: true});
}

function put(folder: string, ...names: readonly string[]): void {
  for (const name of names) {
    mkdirSync(dirname(join(folder, name)), {recursive: true});
    writeFileSync(join(folder, name), 'mine\n');
  }
}

/** What is found before an agent starts. */
async function lookedUp(
  {home, root}: ReturnType<typeof aHomeInMemory>,
  options: Partial<PolicyOptions> = {},
) {
  const workspace = await workspaceOf(aPolicy({home, roots: [root], ...options}), {
    state: join(home, '.state'),
    isWritten: true,
  });
  return {...workspace, said: unprotectedNotices(workspace.places)};
}

/** What is compared after a turn, as if no mount held it. */
function watched(
  {home, root}: ReturnType<typeof aHomeInMemory>,
  {places, known}: Workspace,
  told: string[] = [],
) {
  const isHeld = () => false;
  return watchProtected(aPolicy({home, roots: [root]}), places, {
    isHeld,
    known,
    onWarning: (text) => told.push(text),
  });
}

test('the folders nearest to the top are searched first', async () => {
  const folders = aHomeInMemory();
  const {root} = folders;
  for (let at = 0; at < 100; at++)
    for (let inner = 0; inner < 110; inner++) mkdirSync(join(root, `a${at}/${inner}`), {recursive: true});
  put(root, 'a0/.envrc', 'z/.envrc', '.envrc', '.git/HEAD', '.git/objects/x', '.git/refs/x');
  const {readOnly} = await lookedUp(folders);
  const names = ['a0/.envrc', 'z/.envrc', '.envrc', '.git/hooks'].map((name) => join(root, name));
  expect(readOnly).toEqual(expect.arrayContaining(names));
});

test('it is said where there are too many, and other folders take nothing from the workspace', async () => {
  const folders = aHomeInMemory();
  const named = join(folders.home, 'named');
  flood(named);
  put(folders.root, 'one/two/three/.envrc');
  const few = await lookedUp(folders, {sandboxFolders: [named]});
  expect(few.readOnly).toEqual([join(folders.root, 'one/two/three/.envrc')]);
  expect(few.said).toEqual([expect.stringMatching(/^\S+\/named has too many folders/)]);
  flood(folders.root);
  expect((await lookedUp(folders)).said).toEqual([
    expect.stringContaining('The workspace has too many folders'),
  ]);
});

test('it is said where there are too many of dependencies, before the start and after a turn', async () => {
  const folders = aHomeInMemory();
  const {root} = folders;
  put(root, 'one/.envrc');
  const before = await lookedUp(folders);
  expect(before.said).toEqual([]);
  const told: string[] = [];
  const watch = await watched(folders, before, told);
  flood(join(root, 'node_modules'));
  await watch.changes();
  await watch.changes();
  const sentence = expect.stringMatching(/^There are too many folders of dependencies .* in node_modules\.$/);
  expect(told).toEqual([sentence]);
  put(root, 'one/.mcp.json');
  const after = await lookedUp(folders);
  expect(after.said).toEqual([sentence]);
  expect(after.readOnly).toEqual([join(root, 'one/.envrc'), join(root, 'one/.mcp.json')]);
});

test('what was found before is not forgotten, however many folders there are by then', async () => {
  const folders = aHomeInMemory();
  const {root} = folders;
  const module = 'pkg/app/.git/modules/libs/one';
  for (const git of ['pkg/app/.git', module, 'pkg/bare'])
    put(root, ...['HEAD', 'objects/x', 'refs/x'].map((name) => `${git}/${name}`));
  put(root, 'pkg/app/.envrc', 'pkg/app/.vscode/tasks.json', 'vendor/a/b/.mcp.json');
  const first = await lookedUp(folders);
  const watch = await watched(folders, first);
  flood(root);
  flood(join(root, 'vendor'));
  flood(join(root, 'pkg/app/.git/modules'));
  writeFileSync(join(root, 'pkg/app/.envrc'), 'theirs');
  expect(await watch.changes()).toMatchObject([
    {path: join(root, 'pkg/app/.envrc'), does: 'changed', before: 'mine\n'},
    {path: root, does: 'changed'},
  ]);
  const second = await lookedUp(folders);
  expect(second.said).toHaveLength(2);
  expect(second.readOnly).toEqual(first.readOnly);
  expect(first.readOnly).toEqual(
    expect.arrayContaining(
      ['pkg/app/.envrc', `${module}/hooks`, 'pkg/bare/hooks', 'vendor/a/b/.mcp.json'].map((name) =>
        join(root, name),
      ),
    ),
  );
});

test('of more than can be held, those nearest to the top are, also the next time', async () => {
  const folders = aHomeInMemory();
  const {root} = folders;
  for (let at = 0; at < 310; at++) put(root, `a/${at}/.envrc`);
  put(root, 'z/.envrc', ...['HEAD', 'objects/x', 'refs/x', 'hooks/x'].map((name) => `z/.git/${name}`));
  const first = await lookedUp(folders);
  expect(first.readOnly).toHaveLength(300);
  expect(first.readOnly).toEqual(
    expect.arrayContaining([join(root, 'z/.envrc'), join(root, 'z/.git/hooks')]),
  );
  expect((await lookedUp(folders)).readOnly).toEqual(first.readOnly);
});

test('nothing is remembered of a session that is not stored', async () => {
  const {home, root} = aHomeInMemory();
  put(root, '.envrc');
  const state = join(home, '.state');
  for (const isWritten of [false, true]) {
    await workspaceOf(aPolicy({home, roots: [root]}), {state, isWritten});
    expect(existsSync(state)).toBe(isWritten);
  }
});

test('what is remembered of a folder that is gone is forgotten, once another one is remembered', async () => {
  const {home} = aHomeInMemory();
  const state = join(home, '.state');
  const open = async (name: string) => {
    const root = join(home, name);
    put(root, 'inner/.envrc');
    await workspaceOf(aPolicy({home, roots: [root]}), {state, isWritten: true});
    return root;
  };
  const gone = await open('worktree');
  await open('stays');
  rmSync(gone, {recursive: true});
  await open('other');
  const folder = join(state, 'protected');
  const texts = readdirSync(folder).map((name) => readFileSync(join(folder, name), 'utf8'));
  const roots = texts.map((text) =>
    ['worktree', 'stays', 'other'].filter((name) => text.includes(`/${name}/inner`)),
  );
  expect(roots.flat().sort()).toEqual(['other', 'stays']);
});

describe('once there are too many folders', () => {
  test('you are asked, once', async () => {
    const folders = aHomeInMemory();
    const watch = await watched(folders, await lookedUp(folders));
    flood(folders.root);
    const asked = [
      {path: folders.root, does: 'changed', settings: [expect.stringContaining('too many folders')]},
    ];
    expect(await watch.changes()).toEqual(asked);
    expect(await watch.changes()).toEqual(asked);
    watch.keep();
    expect(await watch.changes()).toEqual([]);
  });

  test('what has changed is looked at, whatever is searched', async () => {
    const folders = aHomeInMemory();
    const {root} = folders;
    const watch = await watched(folders, await lookedUp(folders));
    flood(root);
    put(root, 'pkg/new/.envrc', 'pkg/new/deep/.mcp.json', 'pkg/new/text');
    put(root, ...['HEAD', 'objects/x', 'refs/x', 'hooks/pre-push'].map((name) => `pkg/module/.git/${name}`));
    const names = ['pkg/new/.envrc', 'pkg/new/deep/.mcp.json', 'pkg/new/text', 'pkg/module/'];
    const changed = new Map(names.map((name) => [join(root, name), true]));
    const changes = await watch.changes(async () => changed);
    const named = ['pkg/new/.envrc', 'pkg/new/deep/.mcp.json', 'pkg/module/.git/hooks/pre-push'];
    expect(changes.map(({path, does}) => [path, does])).toEqual(
      expect.arrayContaining(named.map((name) => [join(root, name), 'created'])),
    );
    expect(changes).toHaveLength(named.length + 1);
  });

  test('the folders of what has changed are looked at, however many are remembered, and no other a second time', async () => {
    const folders = aHomeInMemory();
    const {root} = folders;
    const workspace = await lookedUp(folders);
    const known = {
      folders: () => Array.from({length: 10_000}, (_, at) => join(root, `gone/${at}`)),
      note() {},
    };
    const watch = await watched(folders, {...workspace, known});
    flood(root);
    put(root, 'pkg/new/.envrc');
    const path = join(root, 'pkg/new/.envrc');
    const changes = await watch.changes(async () => {
      put(root, '0/.envrc');
      return new Map([[path, true]]);
    });
    expect(changes.map((each) => each.path)).toEqual([path, root]);
  });

  test('what is gone does not keep what is there from being remembered', async () => {
    const folders = aHomeInMemory();
    const {root} = folders;
    const found = {links: [], hidden: [], gitFiles: [], repositories: new Map(), unseenDependencies: []};
    const known = knownPlaces([root]);
    const note = (name: string) => {
      const all = Array.from({length: 10_000}, (_, at) => join(root, `${name}${at}/.envrc`));
      known.note({...found, found: all, unseen: [root]});
    };
    note('gone');
    note('new');
    expect(known.folders()).toHaveLength(10_000);
    expect(known.folders()).toContain(join(root, 'new9999'));
  });

  /** A file that is in none of the folders that were searched at the start. */
  async function unseen(name: string, secondsLater = 0) {
    const folders = aHomeInMemory();
    const {root} = folders;
    flood(root);
    put(root, name);
    vi.useFakeTimers({toFake: ['Date'], now: Date.now() + secondsLater * 1000});
    onTestFinished(() => void vi.useRealTimers());
    return {root, watch: await watched(folders, await lookedUp(folders))};
  }

  test('what was there before is not taken for new', async () => {
    const {root, watch} = await unseen('z/deep/.envrc', 10);
    for (let at = 0; at < 5000; at++) rmdirSync(join(root, String(at)));
    expect(await watch.changes()).toEqual([]);
    writeFileSync(join(root, 'z/deep/.envrc'), 'theirs');
    expect(await watch.changes()).toMatchObject([{does: 'changed', before: 'mine\n', after: 'theirs'}]);
  });

  test.each([false, true])(
    'nothing is deleted of which it is not known what it was: it is new: %s',
    async (isNew) => {
      const {root, watch} = await unseen('z/deep/.envrc');
      const path = join(root, 'z/deep/.envrc');
      writeFileSync(path, 'theirs');
      const changes = await watch.changes(async () => new Map([[path, isNew]]));
      expect(changes).toMatchObject([
        isNew
          ? {path, does: 'created'}
          : {path, does: 'changed', isAlso: 'it is not known what it was before'},
      ]);
      const {sentence} = await undoWrites(watch, changes, root);
      expect(sentence).toBe(
        isNew
          ? 'What was written in the sandbox was undone: z/deep/.envrc.'
          : 'Nothing of what was written in the sandbox could be undone.',
      );
      expect(existsSync(path)).toBe(!isNew);
    },
  );
});
