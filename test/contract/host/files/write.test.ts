import {execFileSync} from 'node:child_process';
import {
  chmod,
  chown,
  link,
  lstat,
  mkdir,
  readFile,
  readdir,
  stat,
  symlink,
  writeFile,
} from 'node:fs/promises';
import {describe, expect, test} from 'vitest';
import {createFileSystem} from '../../../../src/host/files/file-system.ts';
import {createRoots} from '../../../../src/host/files/roots.ts';
import {writeIn} from '../files.ts';
import {useSandbox} from '../sandbox.ts';

const sandbox = useSandbox();
const at = (name: string) => `${sandbox.root}/${name}`;
const write = (name: string, content: string) => writeIn(sandbox.root, at(name), content);
const isRoot = process.getuid?.() === 0;

function fileSystem(onWrittenInPlace?: (path: string, reason: string) => void) {
  return createFileSystem({roots: createRoots(sandbox.root, []), onWrittenInPlace});
}

describe('writing', () => {
  test('creates a file and its parent folders', async () => {
    expect(await write('new/deep/a.txt', 'text\r\n')).toBe('written');
    expect(await readFile(at('new/deep/a.txt'), 'utf8')).toBe('text\r\n');
    expect(await readdir(at('new/deep'))).toEqual(['a.txt']);
  });

  test('gives a new file the mode that the umask leaves', async () => {
    await write('a.txt', 'x');
    expect((await stat(at('a.txt'))).mode & 0o777).toBe(0o666 & ~process.umask());
  });

  test('replaces a file atomically and keeps its mode', async () => {
    await writeFile(at('run.sh'), 'old and longer');
    await chmod(at('run.sh'), 0o751);
    const before = await stat(at('run.sh'));
    expect(await write('run.sh', '\uFEFFnew')).toBe('written');
    const after = await stat(at('run.sh'));
    expect(await readFile(at('run.sh'), 'utf8')).toBe('\uFEFFnew');
    expect(after.mode).toBe(before.mode);
    expect(after.ino).not.toBe(before.ino);
  });

  test('writes through a link that stays inside, and keeps the link', async () => {
    await mkdir(at('sub'));
    await symlink('sub/target.txt', at('link'));
    expect(await write('link', 'one')).toBe('written');
    expect(await write('link', 'two')).toBe('written');
    expect((await lstat(at('link'))).isSymbolicLink()).toBe(true);
    expect(await readFile(at('sub/target.txt'), 'utf8')).toBe('two');
  });

  test('rejects a link that leads outside, and writes nothing there', async () => {
    await symlink(`${sandbox.outside}/a.txt`, at('link'));
    await symlink(sandbox.outside, at('folder'));
    expect(await write('link', 'x')).toBe(-32602);
    expect(await write('folder/b.txt', 'x')).toBe(-32602);
    expect(await readdir(sandbox.outside)).toEqual([]);
  });

  test('rejects what is not a regular file', async () => {
    execFileSync('mkfifo', [at('fifo')]);
    await mkdir(at('folder'));
    for (const name of ['', 'fifo', 'folder']) expect(await write(name, 'x')).toBe(-32602);
    expect((await lstat(at('fifo'))).isFIFO()).toBe(true);
  });

  test('keeps hard links together', async () => {
    await writeFile(at('a'), 'a longer text than the new one');
    await link(at('a'), at('b'));
    const written: string[][] = [];
    const answer = await fileSystem((...each) => void written.push(each)).write({
      sessionId: 's',
      path: at('a'),
      content: 'new',
    });
    expect(answer.ok).toBe(true);
    expect(await readFile(at('b'), 'utf8')).toBe('new');
    expect(written).toEqual([[at('a'), expect.stringContaining('hard links')]]);
  });

  test.runIf(isRoot)('keeps the owner of a file', async () => {
    await writeFile(at('a'), 'old');
    await chown(at('a'), 12_345, 12_345);
    expect(await write('a', 'new')).toBe('written');
    expect(await readFile(at('a'), 'utf8')).toBe('new');
    expect(await stat(at('a'))).toMatchObject({uid: 12_345, gid: 12_345});
    expect(await readdir(sandbox.root)).toEqual(['a']);
  });

  test('writes in place where the folder is read-only, and fails with a message for a new file', async () => {
    await asOrdinaryUser(async () => {
      await mkdir(at('closed'));
      await writeFile(at('closed/a'), 'old');
      await chmod(at('closed'), 0o555);
      expect(await write('closed/a', 'new')).toBe('written');
      expect(await readFile(at('closed/a'), 'utf8')).toBe('new');
      expect(await write('closed/b', 'new')).toBe(-32603);
      await chmod(at('closed'), 0o755);
    });
  });

  test('does not work around a read-only file', async () => {
    await asOrdinaryUser(async () => {
      await writeFile(at('a'), 'old');
      await chmod(at('a'), 0o444);
      expect(await write('a', 'new')).toBe(-32603);
      expect(await readFile(at('a'), 'utf8')).toBe('old');
    });
  });

  test('several at once are done in order', async () => {
    const files = fileSystem();
    const contents = ['one', 'two', 'three'];
    await Promise.all(contents.map((content) => files.write({sessionId: 's', path: at('a'), content})));
    expect(await readFile(at('a'), 'utf8')).toBe('three');
  });

  test('of two at once to one file keeps one or the other, also in place', async () => {
    const [long, short] = ['x'.repeat(3_000_000), 'y'.repeat(1_000_000)];
    await writeFile(at('a'), '');
    await link(at('a'), at('b'));
    const files = fileSystem();
    for (let round = 0; round < 5; round += 1) {
      await Promise.all([
        files.write({sessionId: 's', path: at('a'), content: long}),
        files.write({sessionId: 's', path: at('b'), content: short}),
      ]);
      expect([long, short]).toContain(await readFile(at('a'), 'utf8'));
    }
  });

  test('asks once if the file gets the same content before the write', async () => {
    await writeFile(at('a'), 'old');
    const files = fileSystem();
    let asked = 0;
    const answer = await files.write({sessionId: 's', path: at('a'), content: 'new'}, async ({place}) => {
      asked += 1;
      const {fingerprint} = await files.snapshot(place);
      await writeFile(at('a'), 'new');
      return {ok: true, base: fingerprint};
    });
    expect(answer.ok).toBe(true);
    expect(asked).toBe(1);
  });

  test('never shows a reader half of a file', async () => {
    const contents = ['x'.repeat(2_000_000), 'y'.repeat(2_000_000)];
    await write('a', contents[0]!);
    const files = fileSystem();
    const writes = Array.from({length: 20}, (_, round) =>
      files.write({sessionId: 's', path: at('a'), content: contents[round % 2]!}),
    );
    for (let round = 0; round < 40; round += 1) expect(contents).toContain(await readFile(at('a'), 'utf8'));
    await Promise.all(writes);
  });
});

/** File permissions do not apply to root: then the work is done as another user. */
async function asOrdinaryUser(work: () => Promise<void>): Promise<void> {
  if (!isRoot) return work();
  const nobody = 65_534;
  await chmod(`${sandbox.root}/..`, 0o755);
  await chown(sandbox.root, nobody, nobody);
  process.setegid!(nobody);
  process.seteuid!(nobody);
  try {
    await work();
  } finally {
    process.seteuid!(0);
    process.setegid!(0);
  }
}
