import {mkdirSync, realpathSync, symlinkSync, writeFileSync} from 'node:fs';
import {delimiter, join} from 'node:path';
import {afterEach, expect, test, vi} from 'vitest';
import {runTool} from '../../../src/attachments/clipboards/clipboard-tool.ts';
import {readWithGit} from '../../../src/git/git.ts';
import {ownPath} from '../../../src/shared/processes/executable.ts';
import {temporaryFolder} from '../../support/folders/temporary-folder.ts';

afterEach(() => void vi.unstubAllEnvs());

/** A repository with a folder of programs. */
function aProject(bin: string): {readonly folder: string; readonly bin: string} {
  const folder = realpathSync(temporaryFolder());
  mkdirSync(join(folder, '.git'));
  mkdirSync(join(folder, 'inner'));
  mkdirSync(join(folder, bin), {recursive: true});
  return {folder, bin: join(folder, bin)};
}

test('a PATH for own programs has no folder of a project that the process has worked in', () => {
  const [first, second] = [aProject('tools'), aProject('tools')];
  const link = join(realpathSync(temporaryFolder()), 'link');
  symlinkSync(second.bin, link);
  const path = ['/usr/bin', first.bin, second.bin, link, 'relative', ''].join(delimiter);
  expect(ownPath(path, join(first.folder, 'inner'))).toBe(['/usr/bin', second.bin, link].join(delimiter));
  // As in a service with sessions in both.
  expect(ownPath(path, second.folder)).toBe('/usr/bin');
  expect(ownPath(path, first.folder)).toBe('/usr/bin');
  expect(ownPath(path, '/')).toBe('/usr/bin');
});

test("no dependency of any project is taken for one of the user's programs", async () => {
  const other = aProject('node_modules/.bin');
  for (const name of ['git', 'xclip', 'env'])
    writeFileSync(join(other.bin, name), '#!/bin/sh\necho ran\n', {mode: 0o755});
  vi.stubEnv('PATH', [other.bin, process.env['PATH']].join(delimiter));
  const version = await readWithGit(realpathSync(temporaryFolder()), ['version']);
  expect(version.ok && String(version.stdout)).toMatch(/^git version/);
  const printed = await runTool(process.env)('env', []);
  expect(String(printed)).not.toBe('ran\n');
  expect(String(printed)).not.toContain(other.bin);
});
