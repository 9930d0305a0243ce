import {mkdir, rename, symlink, writeFile} from 'node:fs/promises';
import {describe, expect, test} from 'vitest';
import {createRoots} from '../../../../src/host/files/roots.ts';
import {useSandbox} from '../sandbox.ts';

const sandbox = useSandbox();

async function confine(path: string, additional: readonly string[] = []) {
  const place = await createRoots(sandbox.root, additional).confine(path);
  return place.ok ? place.value.path : place.code;
}

describe('a path inside the workspace', () => {
  test('is a file, a folder or a root itself', async () => {
    await writeFile(`${sandbox.root}/a.txt`, '');
    expect(await confine(`${sandbox.root}/a.txt`)).toBe(`${sandbox.root}/a.txt`);
    expect(await confine(sandbox.root)).toBe(sandbox.root);
    expect(await confine(`${sandbox.root}/`)).toBe(sandbox.root);
  });

  test('need not exist yet, nor need its parents', async () => {
    expect(await confine(`${sandbox.root}/x/./y//z.txt`)).toBe(`${sandbox.root}/x/y/z.txt`);
  });

  test('may be in an additional directory', async () => {
    expect(await confine(`${sandbox.outside}/b`, [sandbox.outside])).toBe(`${sandbox.outside}/b`);
  });

  test('is resolved through links, even to what does not exist yet', async () => {
    await mkdir(`${sandbox.root}/real`);
    await symlink('real', `${sandbox.root}/link`);
    await symlink('real/../real/new.txt', `${sandbox.root}/dangling`);
    expect(await confine(`${sandbox.root}/link/new/file`)).toBe(`${sandbox.root}/real/new/file`);
    expect(await confine(`${sandbox.root}/dangling`)).toBe(`${sandbox.root}/real/new.txt`);
  });

  test('is found when the root was given by a link', async () => {
    await symlink(sandbox.root, `${sandbox.outside}/root-link`);
    const roots = createRoots(`${sandbox.outside}/root-link`, []);
    const place = await roots.confine(`${sandbox.outside}/root-link/a`);
    expect(place).toMatchObject({ok: true, value: {path: `${sandbox.root}/a`, names: ['a']}});
  });

  test('may contain ".." if that really leads inside', async () => {
    await mkdir(`${sandbox.root}/sub`);
    expect(await confine(`${sandbox.root}/sub/../a`)).toBe(`${sandbox.root}/a`);
  });
});

describe('rejected with -32602 is', () => {
  test('a relative path, an empty one, and one with a NUL byte', async () => {
    for (const path of ['a.txt', './a.txt', '', `${sandbox.root}/a\0b`])
      expect(await confine(path)).toBe(-32602);
  });

  test('a path outside, beside a root, or leaving by ".."', async () => {
    const paths = [
      '/',
      '/etc/passwd',
      sandbox.outside,
      `${sandbox.root}-2/a`,
      `${sandbox.root}/../outside/a`,
      `${sandbox.root}/missing/../../outside/a`,
    ];
    for (const path of paths) expect(await confine(path)).toBe(-32602);
  });

  test('a link that leads outside, even if its target does not exist', async () => {
    await symlink(sandbox.outside, `${sandbox.root}/out`);
    await symlink(`${sandbox.outside}/none`, `${sandbox.root}/dangling`);
    await symlink('dangling', `${sandbox.root}/chain`);
    for (const name of ['out', 'out/a', 'out/x/y', 'dangling', 'dangling/a', 'chain'])
      expect(await confine(`${sandbox.root}/${name}`)).toBe(-32602);
  });

  test('a dangling link that leads outside, with any trailing slashes', async () => {
    await symlink(`${sandbox.outside}/none`, `${sandbox.root}/dangling`);
    await symlink('dangling//', `${sandbox.root}/chain`);
    for (const name of ['dangling/', 'dangling//a', 'dangling///a//b/', 'chain', 'chain/a', 'chain//a'])
      expect(await confine(`${sandbox.root}/${name}`)).toBe(-32602);
  });

  test('".." after a link, which is not the folder that the text suggests', async () => {
    await mkdir(`${sandbox.outside}/deep`);
    await symlink(`${sandbox.outside}/deep`, `${sandbox.root}/link`);
    expect(await confine(`${sandbox.root}/link/../a`)).toBe(-32602);
  });

  test('a loop of links', async () => {
    await symlink('b', `${sandbox.root}/a`);
    await symlink('a', `${sandbox.root}/b`);
    expect(await confine(`${sandbox.root}/a`)).toBe(-32602);
    expect(await confine(`${sandbox.root}/a/c`)).toBe(-32602);
  });

  test('a root that was replaced with a link', async () => {
    const roots = createRoots(sandbox.root, []);
    await rename(sandbox.root, `${sandbox.root}-old`);
    await symlink(sandbox.outside, sandbox.root);
    expect(await roots.confine(`${sandbox.root}/a`)).toMatchObject({code: -32602});
  });
});
