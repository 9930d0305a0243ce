import {cpSync, chmodSync, renameSync, rmSync, symlinkSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {storeSnapshot} from '../../../../src/snapshots/snapshot-log.ts';
import {runHere} from '../../../support/program/run-program.ts';
import {temporaryFolder} from '../../../support/folders/temporary-folder.ts';
import {git, snapshotFolder} from '../../../support/folders/snapshot-folder.ts';

/** A folder with a turn that changed files, and with changes made after it. */
async function changedFolder() {
  const opened = await snapshotFolder();
  const {folder, repository, write, take} = opened;
  const long = Array.from({length: 30}, (_, line) => `line ${line}\n`);
  write({
    'a.txt': long.join(''),
    'b.txt': 'b\n',
    'gone.bin': Buffer.from([0, 1]),
    'old name.txt': 'same\n'.repeat(9),
  });
  const original = temporaryFolder();
  cpSync(folder, original, {recursive: true});
  const record = {session: 'agent-1', turn: 1, at: Date.now() - 5000};
  await storeSnapshot(repository, await take(), {...record, when: 'before'});
  write({'a.txt': long.with(2, 'two\n').with(25, 'LATIN \xe9\n').join(''), 'new\u202e.txt': 'new\n'});
  await storeSnapshot(repository, await take(), {...record, when: 'after', at: record.at + 1});
  rmSync(join(folder, 'gone.bin'));
  renameSync(join(folder, 'old name.txt'), join(folder, 'new name.txt'));
  chmodSync(join(folder, 'b.txt'), 0o755);
  symlinkSync('b.txt', join(folder, 'link'));
  write({'.ssh/id_rsa': 'key', 'latin.txt': Buffer.from('caf\xe9\n', 'latin1')});
  const state = join(repository.gitDir, '../..');
  const review = (...args: readonly string[]) =>
    runHere(['review', ...args], {cwd: folder, env: {ACP_TUI_STATE_DIR: state}});
  return {...opened, original, review};
}

test('lists the changes since the first turn, and what is not covered', async () => {
  const {review} = await changedFolder();
  expect(await review()).toEqual({
    stdout: [
      'M  +2 −2   a.txt',
      'M  +0 −0   b.txt (mode 0644 → 0755)',
      'D  binary  gone.bin',
      'A  +1 −0   latin.txt',
      'A  +1 −0   link',
      'R  +0 −0   old name.txt → new name.txt',
      'A  +1 −0   new⟨U+202E⟩.txt',
      '7 files +5 −2',
      '',
    ].join('\n'),
    stderr: 'Not covered: .ssh/id_rsa (may hold credentials)\n',
    exitCode: 0,
  });
});

test('lists the changes since the end of the first turn if that turn is not covered', async () => {
  const {repository, write, take, folder} = await snapshotFolder();
  const record = {session: 'agent-1', at: Date.now() - 5000};
  write({'a.txt': 'a\n'});
  await storeSnapshot(repository, await take(), {...record, turn: 1, when: 'after'});
  write({'a.txt': 'b\n'});
  await storeSnapshot(repository, await take(), {...record, turn: 2, when: 'before', at: record.at + 1});
  const env = {ACP_TUI_STATE_DIR: join(repository.gitDir, '../..')};
  const {stdout, stderr} = await runHere(['review'], {cwd: folder, env});
  expect(stdout).toBe('M  +1 −1  a.txt\n1 file +1 −1\n');
  expect(stderr).toBe('Not covered: turn 1 (no snapshot)\n');
  const json = await runHere(['review', '--json'], {cwd: folder, env});
  expect(JSON.parse(json.stdout)).toMatchObject({turnsWithoutSnapshot: [1]});
});

test('shows a single turn', async () => {
  const {review} = await changedFolder();
  const {stdout} = await review('--turn', '1');
  expect(stdout).toBe('M  +2 −2  a.txt\nA  +1 −0  new⟨U+202E⟩.txt\n2 files +3 −2\n');
  expect(await review('--turn', '2')).toMatchObject({
    exitCode: 4,
    stderr: expect.stringContaining('No snapshots of a turn 2'),
  });
});

test('prints JSON with hunks, modes and what is not covered', async () => {
  const {review} = await changedFolder();
  const {files, ...rest} = JSON.parse((await review('--json')).stdout) as {files: {path: string}[]};
  expect(rest).toMatchObject({
    v: 1,
    session: 'agent-1',
    uncovered: [{path: '.ssh/id_rsa', reason: 'credentials'}],
  });
  expect(files.find(({path}) => path === 'a.txt')).toMatchObject({
    status: 'modified',
    added: 2,
    removed: 2,
    hunks: [
      {oldStart: 1, oldLines: 6, newStart: 1, newLines: 6},
      {
        oldStart: 23,
        oldLines: 7,
        newStart: 23,
        newLines: 7,
        lines: expect.arrayContaining(['-line 25', '+LATIN é']),
      },
    ],
  });
  expect(files.find(({path}) => path === 'new name.txt')).toMatchObject({
    status: 'renamed',
    oldPath: 'old name.txt',
  });
  expect(files.find(({path}) => path === 'link')).toMatchObject({before: null, after: {kind: 'link'}});
});

test('prints a patch from the old folder to the current one', async () => {
  const {review, folder, original, repository} = await changedFolder();
  const {stdout} = await review('--patch', '--turn', '1');
  git(original, 'init', '-q');
  git(original, 'add', '-A');
  writeFileSync(join(original, '../turn.patch'), stdout);
  git(original, 'apply', '--index', '../turn.patch');
  git(original, 'add', '-A');
  const turn = git(original, 'write-tree').trim();
  const after = String(await repository.git(['for-each-ref', '--format=%(tree)', '--sort=-refname'])).split(
    '\n',
  )[0];
  expect(turn).toBe(String(await repository.git(['ls-tree', '-d', after ?? '', 'files'])).split(/\s/)[2]);
  expect(folder).not.toBe(original);
});

test('reports a folder without snapshots, and conflicting options', async () => {
  const cwd = temporaryFolder();
  expect(await runHere(['review'], {cwd})).toMatchObject({
    exitCode: 4,
    stderr: `acp-tui: No snapshots of a turn in ${cwd}. The window takes them; see acp-tui help review.\n`,
  });
  expect(await runHere(['review', '--json', '--patch'], {cwd})).toMatchObject({exitCode: 2});
  expect(await runHere(['review', '--turn', 'x'], {cwd})).toMatchObject({
    exitCode: 2,
    stderr: expect.stringContaining('--turn must be a whole number.'),
  });
});
