import {execFileSync} from 'node:child_process';
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import {join} from 'node:path';
import * as fc from 'fast-check';
import {describe, expect, test} from 'vitest';
import type {Review, ReviewChange, ReviewOutcome} from '../../../src/session/review.ts';
import {createReviewer} from '../../../src/snapshots/review/reviewer.ts';
import {beginJournal, endJournal} from '../../../src/snapshots/restore-journal.ts';
import {listSnapshots, storeSnapshot} from '../../../src/snapshots/snapshot-log.ts';
import {snapshotFolder, type SnapshotFolder} from '../../support/folders/snapshot-folder.ts';

const SESSION = {session: 'session', turn: 1};

/** A folder whose first turn has started, with its review. */
async function begun(files: Readonly<Record<string, string | Buffer>>, prepare?: (folder: string) => void) {
  const opened = await snapshotFolder(prepare);
  opened.write(files);
  await stored(opened, 1, 'before');
  return {...opened, ...reviewing(opened)};
}

async function stored({repository, take}: SnapshotFolder, turn: number, when: 'before' | 'after') {
  await storeSnapshot(repository, await take(), {session: SESSION.session, turn, when, at: Date.now()});
}

/** As another window would. */
function reviewing({repository}: SnapshotFolder) {
  const reviewer = createReviewer(async () => repository);
  let shown: Review | undefined;
  const show = (outcome: ReviewOutcome) => {
    if (!outcome.ok) throw new Error(outcome.why);
    shown = outcome.review;
    return outcome.message;
  };
  const fileNamed = (path: string) => shown?.files.find((file) => file.path === path);
  return {
    reviewer,
    read: async () => show(await reviewer.read(SESSION, {kind: 'unreviewed'})),
    file: fileNamed,
    files: () => shown?.files ?? [],
    change: async (change: ReviewChange) => show(await reviewer.change(SESSION, change, shown?.id ?? '')),
    /** Acts on the hunk with that number, or on the whole file. */
    async act(kind: 'accept' | 'revert', path: string, number?: number) {
      const file = fileNamed(path);
      const open = file?.hunks.filter(({isAccepted}) => !isAccepted) ?? [];
      const hunk = number === undefined ? undefined : open[number - 1]?.id;
      return show(await reviewer.change(SESSION, {kind, file: file?.id ?? path, hunk}, shown?.id ?? ''));
    },
  };
}

const lines = (from: number, to: number) =>
  Array.from({length: to - from + 1}, (_, at) => `line ${from + at}\n`);
const LONG = lines(1, 40).join('');
const changedAt = (...at: readonly number[]) =>
  at.reduce((text, line) => text.replace(`line ${line}\n`, `changed ${line}\n`), LONG);
const text = ({folder}: {readonly folder: string}, name: string) => readFileSync(join(folder, name), 'utf8');

const git =
  (...args: readonly string[]) =>
  (folder: string) =>
    void execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@t', ...args], {cwd: folder});

describe('a hunk', () => {
  test('is reverted alone: the others stay', async () => {
    const folder = await begun({'a.txt': LONG});
    folder.write({'a.txt': changedAt(3, 20, 38)});
    await folder.read();
    expect(folder.file('a.txt')?.hunks).toHaveLength(3);
    expect(await folder.act('revert', 'a.txt', 2)).toBe('Reverted a hunk of a.txt.');
    expect(text(folder, 'a.txt')).toBe(changedAt(3, 38));
    expect(await folder.change({kind: 'undo'})).toBe('Restored a hunk of a.txt.');
    expect(text(folder, 'a.txt')).toBe(changedAt(3, 20, 38));
  });

  test('is accepted alone: it is shown as accepted, and no file changes', async () => {
    const folder = await begun({'a.txt': LONG});
    folder.write({'a.txt': changedAt(3, 20)});
    await folder.read();
    expect(await folder.act('accept', 'a.txt', 1)).toBe('Accepted a hunk of a.txt.');
    expect(folder.file('a.txt')).toMatchObject({isAccepted: false, added: 1, removed: 1});
    expect(folder.file('a.txt')?.hunks.map(({isAccepted}) => isAccepted)).toEqual([true, false]);
    await folder.act('revert', 'a.txt');
    expect(text(folder, 'a.txt')).toBe(changedAt(3));
    await folder.change({kind: 'undo'});
    expect(await folder.change({kind: 'undo'})).toBe('No longer accepted: a hunk of a.txt.');
    expect(folder.file('a.txt')?.hunks.map(({isAccepted}) => isAccepted)).toEqual([false, false]);
    expect(text(folder, 'a.txt')).toBe(changedAt(3, 20));
  });

  test('stays accepted after a restart, and later changes are shown against it', async () => {
    const folder = await begun({'a.txt': LONG});
    folder.write({'a.txt': changedAt(3, 20)});
    await folder.read();
    await folder.act('accept', 'a.txt', 1);
    folder.write({'a.txt': changedAt(3, 20).replace('changed 3', 'worse 3')});
    const later = reviewing(folder);
    await later.read();
    expect(
      later.file('a.txt')?.hunks.map((hunk) => hunk.lines.filter((line) => !line.startsWith(' '))),
    ).toEqual([
      ['-changed 3', '+worse 3'],
      ['-line 20', '+changed 20'],
    ]);
    await later.act('revert', 'a.txt', 1);
    expect(text(folder, 'a.txt')).toBe(changedAt(3, 20));
  });

  // What hunks do to bytes is tested without a review: differences.test.ts.
  test.each([
    [
      'bytes that are not UTF-8',
      Buffer.from(`\xff${LONG}`, 'latin1'),
      Buffer.from(`\xff${changedAt(3, 30)}\xfe`, 'latin1'),
    ],
    ['nothing before', '', 'only\n'],
  ])('with %s is reverted and accepted byte for byte', async (_what, before, after) => {
    const folder = await begun({'a.txt': before});
    folder.write({'a.txt': after});
    await folder.read();
    const hunks = folder.file('a.txt')?.hunks.length ?? 0;
    expect(hunks).toBeGreaterThan(0);
    const bytes = () => readFileSync(join(folder.folder, 'a.txt'));
    for (let left = hunks; left > 0; left--) await folder.act('revert', 'a.txt', left);
    expect(bytes()).toEqual(Buffer.from(before));
    expect(folder.files()).toEqual([]);
    for (let left = hunks; left > 0; left--) await folder.change({kind: 'undo'});
    expect(bytes()).toEqual(Buffer.from(after));
    for (let left = hunks; left > 0; left--) await folder.act('accept', 'a.txt', 1);
    expect(folder.file('a.txt')?.isAccepted).toBe(true);
    expect(bytes()).toEqual(Buffer.from(after));
  });

  test('accepted by another window meanwhile stays accepted', async () => {
    const folder = await begun({'a.txt': LONG});
    folder.write({'a.txt': changedAt(3, 20)});
    const other = reviewing(folder);
    await folder.read();
    await other.read();
    await other.act('accept', 'a.txt', 1);
    expect(await folder.act('accept', 'a.txt', 2)).toBe('It has changed since; its current state is shown.');
    expect(folder.file('a.txt')?.hunks.map(({isAccepted}) => isAccepted)).toEqual([true, false]);
    await folder.act('accept', 'a.txt', 1);
    // The last action of both windows.
    expect(await other.change({kind: 'undo'})).toBe('No longer accepted: a hunk of a.txt.');
    expect(other.file('a.txt')?.hunks.map(({isAccepted}) => isAccepted)).toEqual([true, false]);
  });

  test('is kept in a snapshot before it is reverted, one for all that are reverted in a row', async () => {
    const folder = await begun({'a.txt': LONG});
    folder.write({'a.txt': changedAt(3, 20, 38)});
    const before = await folder.take();
    await folder.read();
    for (let left = 3; left > 0; left--) await folder.act('revert', 'a.txt', 1);
    const saved = (await listSnapshots(folder.repository)).filter(({when}) => when === 'saved');
    expect(saved.map(({id}) => id)).toEqual([before]);
  });

  test('of what was edited between two reverts is kept in a snapshot, too', async () => {
    const folder = await begun({'a.txt': LONG, 'b.txt': LONG});
    folder.write({'a.txt': changedAt(3), 'b.txt': changedAt(20)});
    await folder.read();
    folder.write({'b.txt': changedAt(20, 38)});
    await folder.act('revert', 'a.txt', 1);
    const before = await folder.take();
    await folder.act('revert', 'b.txt');
    expect(text(folder, 'b.txt')).toBe(LONG);
    const saved = (await listSnapshots(folder.repository)).filter(({when}) => when === 'saved');
    expect(saved.map(({id}) => id)).toContain(before);
  });

  test('of a file that changed since it was shown is kept, and shown as it is now', async () => {
    const folder = await begun({'a.txt': LONG});
    folder.write({'a.txt': changedAt(3, 20)});
    await folder.read();
    folder.write({'a.txt': changedAt(3, 20, 30)});
    expect(await folder.act('revert', 'a.txt', 1)).toBe('a.txt is unchanged: it has changed since.');
    expect(text(folder, 'a.txt')).toBe(changedAt(3, 20, 30));
    expect(folder.file('a.txt')?.hunks).toHaveLength(3);
  });

  test('keeps the permission bits of its file', async () => {
    const folder = await begun({'run.sh': LONG});
    folder.write({'run.sh': changedAt(3, 20)});
    chmodSync(join(folder.folder, 'run.sh'), 0o750);
    await folder.read();
    expect(folder.file('run.sh')?.notes).toEqual(['mode 0644 → 0750']);
    await folder.act('revert', 'run.sh', 1);
    expect(lstatSync(join(folder.folder, 'run.sh')).mode & 0o777).toBe(0o750);
    await folder.act('revert', 'run.sh');
    expect(lstatSync(join(folder.folder, 'run.sh')).mode & 0o777).toBe(0o644);
    expect(text(folder, 'run.sh')).toBe(LONG);
  });
});

test('any mix of accepting and reverting keeps what was accepted, byte for byte', async () => {
  const folder = await begun({'a.txt': ''});
  const content = fc.array(fc.constantFrom('a', 'b', 'c\r', '', '\u00fc', '-', '+x', '\\ No newline'), {
    maxLength: 40,
  });
  await fc.assert(
    fc.asyncProperty(
      fc.record({one: content, other: content, choices: fc.array(fc.boolean(), {minLength: 20})}),
      async ({one, other, choices}) => {
        const [before, after] = [one.join('\n'), other.join('\n')];
        folder.write({'a.txt': before});
        const fresh = reviewing(folder);
        await fresh.read();
        if (fresh.file('a.txt')) await fresh.act('accept', 'a.txt');
        folder.write({'a.txt': after});
        await fresh.read();
        const chosen = choices.slice(0, fresh.file('a.txt')?.hunks.length ?? 0);
        for (const isAccepted of chosen) await fresh.act(isAccepted ? 'accept' : 'revert', 'a.txt', 1);
        expect(fresh.files().filter((file) => !file.isAccepted)).toEqual([]);
        const isMixed = chosen.includes(true) && chosen.includes(false);
        const expected = chosen.includes(true) ? after : before;
        expect(text(folder, 'a.txt')).toBe(isMixed ? text(folder, 'a.txt') : expected);
        for (const _ of chosen) await fresh.change({kind: 'undo'});
        expect(text(folder, 'a.txt')).toBe(after);
      },
    ),
    // Each takes a second; `npm run fuzz` tries more.
    {numRuns: Number(process.env['PROPERTY_RUNS'] ?? 3)},
  );
}, 300_000);

describe('a whole file', () => {
  test('that is added, deleted, renamed, binary, another mode or a link is accepted and reverted', async () => {
    const names = ['gone', 'old', 'run', 'to-link', 'to-folder'];
    const texts = names.map((name) => [name, `${name}\n${LONG}`.replaceAll('line', name)]);
    const folder = await begun({...Object.fromEntries(texts), bin: Buffer.from([0, 9])}, (at) => {
      git('init', '-q')(at);
      symlinkSync('somewhere', join(at, 'link'));
    });
    const at = (name: string) => join(folder.folder, name);
    const before = await folder.take();
    folder.write({'new/x.txt': 'x', bin: Buffer.from([0, 1, 2])});
    renameSync(at('old'), at('renamed'));
    chmodSync(at('run'), 0o755);
    for (const name of ['gone', 'to-link', 'to-folder', 'link']) rmSync(at(name));
    symlinkSync('nowhere', at('to-link'));
    symlinkSync('elsewhere', at('link'));
    folder.write({'to-folder/inside': 'x'});
    const after = await folder.take();
    await folder.read();
    const shown = folder.files().map(({path}) => path);
    expect(folder.files().map(({path, status}) => `${status} ${path}`)).toEqual([
      'modified bin',
      'deleted gone',
      'modified link',
      'added new/x.txt',
      'renamed renamed',
      'modified run',
      'deleted to-folder',
      'added to-folder/inside',
      'retyped to-link',
    ]);
    for (const path of shown.toReversed()) await folder.act('revert', path);
    expect(await folder.changes(before, await folder.take())).toEqual([]);
    for (const _ of shown) await folder.change({kind: 'undo'});
    expect(await folder.changes(after, await folder.take())).toEqual([]);
    await folder.read();
    for (const path of shown) await folder.act('accept', path);
    expect(folder.files().every(({isAccepted}) => isAccepted)).toBe(true);
    await folder.read();
    expect(folder.files()).toEqual([]);
  });

  test('with a name that is not UTF-8 is reverted', async () => {
    const folder = await begun({'a.txt': 'a'});
    const path = Buffer.concat([Buffer.from(`${folder.folder}/`), Buffer.from([0xff, 0x61])]);
    writeFileSync(path, 'x');
    await folder.read();
    const [file] = folder.files();
    await folder.change({kind: 'revert', file: file?.id ?? '', hunk: undefined});
    expect(existsSync(path)).toBe(false);
  });
});

describe('the review names', () => {
  test('files that are not covered', async () => {
    const folder = await begun({'a.txt': 'a'});
    folder.write({'.env': 'KEY=1', 'a.txt': 'b'});
    mkdirSync(join(folder.folder, 'inner'));
    git('init', '-q')(join(folder.folder, 'inner'));
    folder.write({'inner/x': 'x'});
    const outcome = await folder.reviewer.read(SESSION, {kind: 'session'});
    expect(outcome.ok && outcome.review.uncovered).toEqual(
      expect.arrayContaining([{path: 'inner/', reason: 'a repository of its own'}]),
    );
  });

  test('a folder without a covered turn', async () => {
    const opened = await snapshotFolder();
    const {reviewer} = reviewing(opened);
    expect(await reviewer.read(SESSION, {kind: 'unreviewed'})).toEqual({
      ok: false,
      why: 'No review: no snapshot of a turn of this session yet.',
    });
  });

  test('files that are too long', async () => {
    const folder = await begun({'a.txt': 'a\n'});
    folder.write({'a.txt': 'b\n'.repeat(20_000)});
    await folder.read();
    expect(folder.file('a.txt')).toMatchObject({hunks: [], notes: ['too long to show here']});
    await folder.act('revert', 'a.txt');
    expect(text(folder, 'a.txt')).toBe('a\n');
  });
});

test('one turn is reviewed alone', async () => {
  const folder = await begun({'a.txt': LONG});
  folder.write({'a.txt': changedAt(3)});
  await stored(folder, 1, 'after');
  await stored(folder, 2, 'before');
  folder.write({'a.txt': changedAt(3, 20), 'b.txt': 'b'});
  await stored(folder, 2, 'after');
  const outcome = await folder.reviewer.read(SESSION, {kind: 'turn', turn: 1});
  expect(outcome.ok && outcome.review.turns).toEqual([1, 2]);
  expect(outcome.ok && outcome.review.files.map(({path, added}) => `${path} ${added}`)).toEqual(['a.txt 1']);
});

test('if the first turn is not covered, later changes are reviewed', async () => {
  const opened = await snapshotFolder();
  const folder = {...opened, ...reviewing(opened)};
  await stored(folder, 1, 'after');
  folder.write({'a.txt': 'a'});
  await folder.read();
  expect(folder.files().map(({path}) => path)).toEqual(['a.txt']);
});

test('accepted and reverted hunks can be undone after a restart, the last one first', async () => {
  const folder = await begun({'a.txt': LONG, 'b.txt': 'b'});
  folder.write({'a.txt': changedAt(3, 20), 'b.txt': 'B'});
  await folder.read();
  await folder.act('accept', 'a.txt', 1);
  await folder.act('revert', 'a.txt', 1);
  await folder.act('revert', 'b.txt');
  const later = reviewing(folder);
  await later.read();
  expect(await later.change({kind: 'undo'})).toBe('Restored b.txt.');
  const other = reviewing(folder);
  await other.read();
  expect(await other.change({kind: 'undo'})).toBe('Restored a hunk of a.txt.');
  expect([text(folder, 'a.txt'), text(folder, 'b.txt')]).toEqual([changedAt(3, 20), 'B']);
  expect(await later.change({kind: 'undo'})).toBe('No longer accepted: a hunk of a.txt.');
  expect(await other.change({kind: 'undo'})).toBe('Nothing to undo.');
});

test('an undo that fails can be repeated', async () => {
  const opened = await begun({'a.txt': 'old'});
  const {repository, folder} = opened;
  writeFileSync(join(folder, 'a.txt'), 'new');
  await opened.read();
  await opened.act('revert', 'a.txt');
  beginJournal(repository, []);
  const failing = await createReviewer(async () => repository).change(SESSION, {kind: 'undo'}, '');
  expect(failing).toMatchObject({ok: false, why: expect.stringContaining('another window is restoring')});
  endJournal(repository);
  expect(await opened.change({kind: 'undo'})).toBe('Restored a.txt.');
  expect(readFileSync(join(folder, 'a.txt'), 'utf8')).toBe('new');
});

test('of two hunks that two windows accept at the same time, none is reported as accepted and is not', async () => {
  const folder = await begun({'a.txt': 'a\n', 'b.txt': 'b\n'});
  folder.write({'a.txt': 'A\n', 'b.txt': 'B\n'});
  const [one, other] = [reviewing(folder), reviewing(folder)];
  await Promise.all([one.read(), other.read()]);
  const said = await Promise.all([one.act('accept', 'a.txt', 1), other.act('accept', 'b.txt', 1)]);
  const later = reviewing(folder);
  await later.read();
  const accepted = said.filter((each) => each?.startsWith('Accepted'));
  expect(later.files()).toHaveLength(2 - accepted.length);
  for (const {path} of later.files()) await later.act('accept', path, 1);
  await later.read();
  expect(later.files()).toEqual([]);
});
