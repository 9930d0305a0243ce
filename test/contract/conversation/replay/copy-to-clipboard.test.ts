import {chmodSync, readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {copyWithTools} from '../../../../src/window/desktop.ts';
import {temporaryFolder} from '../../../support/folders/temporary-folder.ts';

/** Which programs get the text if those in `working` succeed. */
async function fed(
  env: NodeJS.ProcessEnv,
  {working = [] as readonly string[], platform = 'linux' as const} = {},
) {
  const asked: string[] = [];
  const feed = async (file: string) => {
    asked.push(file);
    return working.includes(file);
  };
  const isCopied = await copyWithTools('text', {env, platform, feed});
  return {asked, isCopied};
}

test('stops at the first program that accepts the text', async () => {
  const env = {WAYLAND_DISPLAY: 'w', DISPLAY: ':0'};
  expect(await fed(env, {working: ['wl-copy', 'xclip']})).toEqual({asked: ['wl-copy'], isCopied: true});
  expect(await fed(env, {working: ['xsel']})).toEqual({asked: ['wl-copy', 'xclip', 'xsel'], isCopied: true});
  expect(await fed(env)).toEqual({asked: ['wl-copy', 'xclip', 'xsel'], isCopied: false});
});

test('over SSH no local program is used, and tmux is used anywhere', async () => {
  const env = {DISPLAY: ':0', SSH_TTY: '/dev/pts/1'};
  expect(await fed(env)).toEqual({asked: [], isCopied: false});
  expect(await fed({...env, TMUX: '/tmp/x'}, {working: ['tmux']})).toEqual({asked: ['tmux'], isCopied: true});
});

test('a program gets the text unchanged', async () => {
  const folder = temporaryFolder();
  const [tool, output] = [join(folder, 'xclip'), join(folder, 'output')];
  writeFileSync(tool, `#!/bin/sh\ncat > ${output}\n`);
  chmodSync(tool, 0o755);
  const before = process.env['PATH'];
  process.env['PATH'] = `${folder}:${before}`;
  try {
    const text = 'Grüße\n'.repeat(50_000);
    expect(await copyWithTools(text, {env: {DISPLAY: ':0'}, platform: 'linux'})).toBe(true);
    expect(readFileSync(output, 'utf8')).toBe(text);
  } finally {
    process.env['PATH'] = before;
  }
});
