import {accessSync, constants, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync} from 'node:fs';
import {dirname, join} from 'node:path';
import {expect, onTestFinished, test} from 'vitest';
import {workspaceOf} from '../../../src/sandbox/mounts.ts';
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
  const workspace = await workspaceOf(aPolicy({home, roots: [root], ...options}));
  return {...workspace, said: unprotectedNotices(workspace.places)};
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
  put(root, 'node_modules/near/.envrc', 'one/.envrc');
  const before = await lookedUp(folders);
  expect(before.said).toEqual([]);
  const told: string[] = [];
  const policy = aPolicy({...folders, roots: [root]});
  const watch = await watchProtected(policy, before.places, {
    isHeld: () => false,
    onWarning: (text) => told.push(text),
  });
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
