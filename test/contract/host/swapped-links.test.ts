import {spawn} from 'node:child_process';
import {once} from 'node:events';
import {mkdir, readFile, readdir, symlink, writeFile} from 'node:fs/promises';
import {describe, expect, test} from 'vitest';
import {readIn, writeIn} from './files.ts';
import {useSandbox} from './sandbox.ts';

const sandbox = useSandbox();
const at = (name: string) => `${sandbox.root}/${name}`;

describe.runIf(process.platform === 'linux')('a link swapped between check and use', () => {
  test('leads no read and no write out of the roots', async () => {
    await mkdir(at('dir'));
    await writeFile(at('dir/file'), 'inside');
    await writeFile(`${sandbox.outside}/file`, 'outside');
    await symlink(sandbox.outside, at('link'));
    const swapper = spawn(process.execPath, ['-e', SWAPPER], {
      cwd: sandbox.root,
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    await once(swapper.stdout, 'data');
    const seen = new Set<string | number>();
    for (let round = 0; round < 300; round += 1) {
      seen.add(await readIn(sandbox.root, at('dir/file')));
      seen.add(await writeIn(sandbox.root, at('dir/file'), 'inside'));
      seen.add(await writeIn(sandbox.root, at(`dir/new/${round}`), 'inside'));
    }
    swapper.stdin.end();
    await once(swapper, 'exit');
    expect(seen).toContain('inside');
    expect(seen).not.toContain('outside');
    expect(await readFile(`${sandbox.outside}/file`, 'utf8')).toBe('outside');
    expect(await readdir(sandbox.outside)).toEqual(['file']);
  });
});

/** Exchanges `dir` and `link` as fast as it can, until its stdin ends. */
const SWAPPER = `
  const {renameSync, rmSync} = require('node:fs');
  process.stdin.on('end', () => process.exit()).resume();
  console.log('ready');
  function put(from, to) {
    // A write may have made the folder anew while there was none.
    for (;;) try { return renameSync(from, to); } catch { try { rmSync(to, {recursive: true, force: true}); } catch {} }
  }
  (function swap() {
    for (let round = 0; round < 500; round += 1) {
      put('dir', 'away'); put('link', 'dir'); put('dir', 'link'); put('away', 'dir');
    }
    setImmediate(swap);
  })();
`;
