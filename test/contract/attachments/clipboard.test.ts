import {mkdirSync, readdirSync, readFileSync, statSync, utimesSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {beforeEach, describe, expect, test} from 'vitest';
import {takeClipboard} from '../../../src/attachments/attach.ts';
import {readClipboard} from '../../../src/attachments/clipboard.ts';
import {failureSentence} from '../../../src/shared/failure-messages.ts';
import {temporaryFolder} from '../../support/folders/temporary-folder.ts';

let folder: string;
beforeEach(() => void (folder = temporaryFolder()));

const PNG = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

/** A program of that name on PATH, as a shell script. */
function tool(name: string, script: string): void {
  mkdirSync(join(folder, 'bin'), {recursive: true});
  writeFileSync(join(folder, 'bin', name), `#!/bin/sh\n${script}\n`, {mode: 0o755});
}

/** The output of a tool, stored in a file. */
function printing(name: string, bytes: string | Buffer): string {
  writeFileSync(join(folder, name), bytes);
  return `/bin/cat '${join(folder, name)}'`;
}

function read(platform: NodeJS.Platform, env: NodeJS.ProcessEnv = {}) {
  return readClipboard({platform, env: {PATH: join(folder, 'bin'), ...env}});
}

/** The clipboard tools of Linux for Wayland and X11, with these contents by type. */
function offering(types: Readonly<Record<string, string | Buffer>>): void {
  const list = printing('types', Object.keys(types).join('\n'));
  const cases = Object.entries(types).map(
    ([type, bytes], index) => `'${type}') ${printing(`offer-${index}`, bytes)};;`,
  );
  tool('wl-paste', `case "$1" in --list-types) ${list}; exit;; esac\ncase "$3" in ${cases.join('\n')} esac`);
  tool('xclip', `case "$5" in TARGETS) ${list};; ${cases.join('\n')} esac`);
}

describe.each([
  ['Wayland', {WAYLAND_DISPLAY: 'wayland-0'}],
  ['X11', {DISPLAY: ':0'}],
])('with %s', (_display, env) => {
  test('reads an image and determines its type from its content', async () => {
    offering({'image/png': PNG, 'text/plain': 'alt text'});
    expect(await read('linux', env)).toEqual({kind: 'image', bytes: PNG, mimeType: 'image/png'});
    offering({'image/png': 'no image'});
    expect(await read('linux', env)).toEqual({kind: 'nothing'});
  });

  test('prefers copied files over their picture, and text last', async () => {
    offering({'text/uri-list': 'file:///tmp/a%20b.png\r\n', 'image/png': PNG});
    expect(await read('linux', env)).toEqual({kind: 'files', paths: ['file:///tmp/a%20b.png']});
    offering({'text/plain;charset=utf-8': 'grüße'});
    expect(await read('linux', env)).toEqual({kind: 'text', text: 'grüße'});
    offering({});
    expect(await read('linux', env)).toEqual({kind: 'nothing'});
  });
});

test('macOS distinguishes files, images and text', async () => {
  tool('pbpaste', printing('text', 'copied'));
  tool(
    'osascript',
    `case "$2" in *PNGf*) ${printing('image', `«data PNGf${PNG.toString('hex').toUpperCase()}»\n`)};; *) exit 1;; esac`,
  );
  expect(await read('darwin')).toEqual({kind: 'image', bytes: PNG, mimeType: 'image/png'});
  tool('osascript', `case "$2" in *furl*) echo '/tmp/a b.png';; *) exit 1;; esac`);
  expect(await read('darwin')).toEqual({kind: 'files', paths: ['/tmp/a b.png']});
  tool('osascript', 'exit 1');
  expect(await read('darwin')).toEqual({kind: 'text', text: 'copied'});
});

test.each([
  ['Windows', 'win32', {}],
  ['WSL', 'linux', {WSL_DISTRO_NAME: 'Ubuntu'}],
] as const)('asks %s through PowerShell', async (_name, platform, env) => {
  tool('powershell.exe', printing('out', `image\r\n${PNG.toString('base64')}\r\n`));
  expect(await read(platform, env)).toMatchObject({kind: 'image', mimeType: 'image/png'});
  tool('powershell.exe', printing('out', `text\r\n${Buffer.from('grüße').toString('base64')}\r\n`));
  expect(await read(platform, env)).toEqual({kind: 'text', text: 'grüße'});
});

test('files that were copied in Windows have their paths in WSL, each folder of which is asked for once', async () => {
  const photos = Array.from({length: 300}, (_, index) => `${index}.png`);
  const copied = [
    'C:\\Users\\me\\a b.png',
    'D:\\c.png',
    '\\\\server\\share\\d.png',
    ...photos.map((name) => `C:\\Users\\me\\${name}`),
  ].join('\n');
  const asked = join(folder, 'asked');
  tool('powershell.exe', printing('out', `files\r\n${Buffer.from(copied).toString('base64')}\r\n`));
  tool(
    'wslpath',
    String.raw`printf '%s\n' "$2" >> ${asked}; case "$1 $2" in '-u C:\Users\me\') echo '/mnt/c/Users/me/';; '-u \\server\share\') echo /net;; *) exit 1;; esac`,
  );
  expect(await read('linux', {WSL_DISTRO_NAME: 'Ubuntu'})).toEqual({
    kind: 'files',
    paths: [
      '/mnt/c/Users/me/a b.png',
      'D:\\c.png',
      '/net/d.png',
      ...photos.map((name) => `/mnt/c/Users/me/${name}`),
    ],
  });
  const lines = readFileSync(asked, 'utf8').split('\n').filter(Boolean);
  expect(lines.sort()).toEqual(['C:\\Users\\me\\', 'D:\\', '\\\\server\\share\\']);
});

test.each([
  ['over ssh', {SSH_CONNECTION: '1 2 3 4'}, /over SSH.*@/],
  ['without a display', {}, /neither a Wayland nor an X11/],
  ['without the Wayland tool', {WAYLAND_DISPLAY: 'wayland-0'}, /wl-clipboard/],
  ['without the X11 tool', {DISPLAY: ':0'}, /xclip is not installed/],
  ['in WSL without PowerShell', {WSL_INTEROP: '/run/x'}, /powershell\.exe/],
])('%s explains why and what to do', async (_where, env, why) => {
  expect(await read('linux', env)).toMatchObject({kind: 'unavailable', why: expect.stringMatching(why)});
});

describe('an image from the clipboard', () => {
  const options = () => ({cwd: folder, folder: join(folder, 'kept'), takesImages: true});
  const image = {kind: 'image' as const, bytes: PNG, mimeType: 'image/png'};

  test('is kept in a private file for as long as it may be needed', async () => {
    mkdirSync(join(folder, 'kept'));
    writeFileSync(join(folder, 'kept/old.png'), '');
    utimesSync(join(folder, 'kept/old.png'), 1, 1);
    const taken = await takeClipboard(image, options());
    const [file] = taken.ok && taken.value.kind === 'files' ? taken.value.files : [];
    expect(file).toMatchObject({kind: 'image', size: 8, isFromClipboard: true});
    expect(readFileSync(file?.path ?? '')).toEqual(PNG);
    expect(statSync(file?.path ?? '').mode & 0o777).toBe(0o600);
    expect(readdirSync(join(folder, 'kept'))).toHaveLength(1);
  });

  test.each([
    ['the agent does not support images', image, {takesImages: false}, /not accept images/],
    ['it is too large', {...image, bytes: Buffer.alloc(6 * 1024 * 1024)}, {}, /5 MiB/],
  ])('is rejected when %s', async (...row) => {
    const [, content, changes, reason] = row;
    const taken = await takeClipboard(content, {...options(), ...changes});
    expect(taken.ok ? '' : failureSentence(taken.failure)).toMatch(reason);
  });
});
