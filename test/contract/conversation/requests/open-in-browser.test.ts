import {chmodSync, readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {beforeEach, describe, expect, test} from 'vitest';
import {openInBrowser} from '../../../../src/window/desktop.ts';
import {temporaryFolder} from '../../../support/folders/temporary-folder.ts';

let folder = '';
beforeEach(() => {
  folder = temporaryFolder();
});

/** A program that records its arguments, one per line, and exits with this code. */
function browser(name: string, code = 0): string {
  const path = join(folder, name);
  writeFileSync(path, `#!/bin/sh\nprintf '%s\\n' "$@" > '${path}.args'\nexit ${code}\n`);
  chmodSync(path, 0o755);
  return path;
}

const argsOf = (path: string) => readFileSync(`${path}.args`, 'utf8').trimEnd().split('\n');
/** Longer than any busy machine needs to start a program. */
const timeoutMs = 20_000;
const HREF = 'https://example.com/a?b=$(touch%20x)&c=`d`;e';

describe('a URL is opened', () => {
  test('with the program in BROWSER, as one argument and without a shell', async () => {
    const path = browser('one');
    expect(await openInBrowser(HREF, {env: {BROWSER: path}, platform: 'linux', timeoutMs})).toBe(true);
    expect(argsOf(path)).toEqual([HREF]);
  });

  test('in place of the placeholder in BROWSER', async () => {
    const path = browser('two');
    await openInBrowser(HREF, {env: {BROWSER: `${path} --new %s --quiet`}, platform: 'linux', timeoutMs});
    expect(argsOf(path)).toEqual(['--new', HREF, '--quiet']);
  });

  test('with the next program if one is missing or fails', async () => {
    const path = browser('last');
    const env = {BROWSER: [join(folder, 'none'), browser('fails', 3), path].join(':')};
    expect(await openInBrowser(HREF, {env, platform: 'linux', timeoutMs})).toBe(true);
    expect(argsOf(path)).toEqual([HREF]);
  });
});

test.each([
  [{BROWSER: '/nowhere/browser'}, 'linux'],
  [{}, 'linux'],
  [{SSH_CONNECTION: '10.0.0.1 1 10.0.0.2 22'}, 'darwin'],
  [{SSH_TTY: '/dev/pts/1', WSL_DISTRO_NAME: 'Ubuntu'}, 'linux'],
] as const)('nothing is opened without a browser: %j', async (env, platform) => {
  expect(await openInBrowser(HREF, {env, platform})).toBe(false);
});
