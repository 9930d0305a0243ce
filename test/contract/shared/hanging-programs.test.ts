import {chmodSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {runTool} from '../../../src/attachments/clipboards/clipboard-tool.ts';
import {openNamespaces} from '../../../src/sandbox/mount-namespace.ts';
import {copyWithTools} from '../../../src/window/desktop.ts';
import {temporaryFolder} from '../../support/folders/temporary-folder.ts';

/** A program that ignores the usual signals and never ends. Returns its path. */
function hanging(name: string): string {
  const program = join(temporaryFolder(), name);
  writeFileSync(program, '#!/bin/sh\ntrap "" TERM INT HUP\nexec sleep 600\n');
  chmodSync(program, 0o755);
  return program;
}

test('a clipboard program that hangs is given up when it is read', async () => {
  expect(await runTool(process.env, 100)(hanging('xclip'), [])).toBeUndefined();
});

test('a clipboard program that hangs is given up when it is written', async () => {
  const program = hanging('xclip');
  const before = process.env['PATH'];
  process.env['PATH'] = `${join(program, '..')}:/usr/bin:/bin`;
  try {
    expect(await copyWithTools('text', {env: {DISPLAY: ':nowhere'}, platform: 'linux'})).toBe(false);
  } finally {
    process.env['PATH'] = before;
  }
});

test.runIf(process.platform === 'linux')(
  'a sandbox that does not start is given up, with the reason',
  async () => {
    const programs = {bwrap: hanging('bwrap')} as Parameters<typeof openNamespaces>[0];
    await expect(openNamespaces(programs, [], 100)).rejects.toThrow('it did not start within 0.1 s');
  },
);
