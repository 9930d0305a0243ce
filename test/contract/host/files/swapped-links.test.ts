import {spawn} from 'node:child_process';
import {once} from 'node:events';
import {mkdir, readFile, readdir, symlink, writeFile} from 'node:fs/promises';
import {describe, expect, onTestFinished, test} from 'vitest';
import {readIn, writeIn} from '../files.ts';
import {useHosts} from '../hosts.ts';

const {sandbox, at} = useHosts();
/** The first of them loses the race where nothing prevents it; `npm run fuzz` tries more. */
const ROUNDS = process.env['FUZZ_STREAMS'] === undefined ? 200 : 1000;

describe.runIf(process.platform === 'linux')('a link swapped between check and use', () => {
  test('leads no read and no write outside the workspace', async () => {
    await mkdir(at('dir'));
    await writeFile(at('dir/file'), 'inside');
    await writeFile(`${sandbox.outside}/file`, 'outside');
    await symlink(sandbox.outside, at('link'));
    const stop = await startSwapping();
    const seen = new Set<string | number>();
    for (let round = 0; round < ROUNDS; round += 1) {
      seen.add(await readIn(sandbox.root, at('dir/file')));
      seen.add(await writeIn(sandbox.root, at('dir/file'), 'inside'));
      seen.add(await writeIn(sandbox.root, at(`dir/new/${round}`), 'inside'));
    }
    await stop();
    expect(seen).not.toContain('outside');
    expect(await readIn(sandbox.root, at('dir/file'))).toBe('inside');
    expect(await readFile(`${sandbox.outside}/file`, 'utf8')).toBe('outside');
    expect(await readdir(sandbox.outside)).toEqual(['file']);
  });
});

/** Starts to swap `dir` and `link`; call the result to stop. */
async function startSwapping(): Promise<() => Promise<void>> {
  const swapper = spawn(process.execPath, ['-e', SWAPPER], {
    cwd: sandbox.root,
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  // However the test ends; first, so that the folder can be removed.
  onTestFinished(() => void swapper.kill('SIGKILL'));
  await once(swapper.stdout, 'data');
  return async () => {
    swapper.stdin.end();
    await once(swapper, 'exit');
  };
}

/** Swaps `dir` and `link` as fast as possible until its stdin closes, with pauses in which valid work can be done. */
const SWAPPER = `
  const {renameSync, rmSync} = require('node:fs');
  process.stdin.on('end', () => process.exit()).resume();
  console.log('ready');
  function put(from, to) {
    // A write may have created the folder again in between.
    for (;;) try { return renameSync(from, to); } catch { try { rmSync(to, {recursive: true, force: true}); } catch {} }
  }
  (function swap() {
    for (let round = 0; round < 200; round += 1) {
      put('dir', 'away'); put('link', 'dir'); put('dir', 'link'); put('away', 'dir');
    }
    setTimeout(swap, 50);
  })();
`;
