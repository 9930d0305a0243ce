import {mkdirSync, mkdtempSync, rmSync} from 'node:fs';
import {join} from 'node:path';
import {fileURLToPath} from 'node:url';
import {describe, expect, onTestFinished, test} from 'vitest';
import {attempts, type Attempt} from '../../../fixtures/escape/attempt.ts';
import type {Way} from '../../../fixtures/escape/way.ts';
import {hasNoSandbox} from './sandboxes.ts';

/** What is tried has to be outside of the temporary folder, which a sandbox replaces. */
function emptyFolder(): string {
  const cache = fileURLToPath(new URL('../../../node_modules/.cache', import.meta.url));
  mkdirSync(cache, {recursive: true});
  const folder = mkdtempSync(join(cache, 'escape-'));
  onTestFinished(() => rmSync(folder, {recursive: true, force: true, maxRetries: 5}));
  return folder;
}

async function tried(isTried: (way: Way) => boolean, isConfined = true): Promise<readonly Attempt[]> {
  const all: Attempt[] = [];
  for await (const each of attempts(emptyFolder(), isTried, {isConfined})) all.push(each);
  return all;
}

/** Ways that do no harm to this computer. */
const HARMLESS = [
  'write by a link in the workspace',
  'hard link into the workspace',
  'git hook',
  'git hook of a submodule',
  'git hook where its settings say',
  'start file of a folder by its link',
  'tasks of an editor by a link',
  'settings of acp-tui',
  'ssh key by a link',
  'credentials of another agent',
  'secret variable',
  'memory of another process',
  'Unix socket',
  'datagrams to any path',
  'server of this computer, IPv4',
];

describe.skipIf(hasNoSandbox)('of the ways out of a sandbox', () => {
  test('none leads out', async () => {
    const all = await tried(({quick}) => quick === true);
    expect(all.filter(({left}) => left !== undefined)).toEqual([]);
    expect(all.length).toBeGreaterThan(25);
  });

  test('each would be noticed: without a sandbox they do', async () => {
    const all = await tried(({name}) => HARMLESS.includes(name), false);
    expect(all.filter(({left}) => left === undefined)).toEqual([]);
    expect(all).toHaveLength(HARMLESS.length);
  });
});
