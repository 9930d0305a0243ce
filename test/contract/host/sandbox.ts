import {mkdtemp, mkdir, realpath, rm} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {afterEach, beforeEach} from 'vitest';

/** A new folder for each test, with a session's root in it and a folder outside of that. */
export function useSandbox(): {readonly root: string; readonly outside: string} {
  const sandbox = {root: '', outside: ''};
  let base: string;
  beforeEach(async () => {
    base = await realpath(await mkdtemp(join(tmpdir(), 'acp-tui-host-')));
    sandbox.root = join(base, 'project');
    sandbox.outside = join(base, 'outside');
    await mkdir(sandbox.root);
    await mkdir(sandbox.outside);
  });
  afterEach(() => rm(base, {recursive: true, force: true, maxRetries: 5}));
  return sandbox;
}
