import {existsSync, mkdirSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import type * as Module from 'node:module';
import {join} from 'node:path';
import {beforeEach, describe, expect, test, vi} from 'vitest';
import {findRequirements} from '../../../src/sandbox/sandbox.ts';
import {trySandbox} from '../../../src/sandbox/set-up.ts';
import {failureSentence} from '../../../src/shared/failure-messages.ts';
import {temporaryFolder} from '../../support/folders/temporary-folder.ts';
import {makeConversation} from '../conversation/open-conversation.ts';
import {hasNoSandbox} from './sandboxes.ts';

const LIBRARY = '@anthropic-ai/sandbox-runtime';

/** Where the library is looked for; undefined: where it is. */
const place = vi.hoisted(() => ({folder: undefined as string | undefined}));

vi.mock('node:module', async (original) => {
  const module = await original<Pick<typeof Module, 'createRequire'>>();
  return {
    ...module,
    createRequire: (from: string) => module.createRequire(place.folder ? `${place.folder}/main.js` : from),
  };
});

/** The files of the library that acp-tui loads. */
const FILES = [
  ...readFileSync('src/sandbox/network.ts', 'utf8').matchAll(
    /sandbox-runtime\/(dist\/sandbox\/[\w-]+\.js)'/g,
  ),
].map(([, file = '']) => file);

/** Pretends that the library is installed in this version. */
function anInstallation(version: string): string {
  place.folder = temporaryFolder();
  const library = join(place.folder, 'node_modules', LIBRARY);
  mkdirSync(join(library, 'dist/sandbox'), {recursive: true});
  for (const file of FILES) writeFileSync(join(library, file), '');
  writeFileSync(join(library, 'package.json'), JSON.stringify({name: LIBRARY, version}));
  return library;
}

beforeEach(() => {
  place.folder = undefined;
});

const requirements = () => findRequirements({roots: [], writable: []});

describe.skipIf(hasNoSandbox)('the package of sandboxes', () => {
  test.each(['0.0.83', '0.0.84', '0.1.0', '1.0.0'])('is accepted in version %s', (version) => {
    anInstallation(version);
    expect(requirements()).toMatchObject({ok: true});
  });

  test.each(['0.0.82', '0.0.9'])('is refused in an older version: %s', (version) => {
    anInstallation(version);
    const failure = {kind: 'sandbox', reason: 'old_package', detail: version};
    expect(requirements()).toEqual({ok: false, failure});
    expect(failureSentence(failure as never)).toContain('npm install');
  });

  test('consists of the files that acp-tui loads', () => {
    expect(FILES).toHaveLength(6);
  });

  test.each([...FILES, 'package.json'])('is refused without %s', (file) => {
    rmSync(join(anInstallation('0.0.83'), file));
    expect(requirements()).toMatchObject({failure: {kind: 'sandbox', reason: 'package'}});
  });

  test('starts no agent if it is missing, and says what to install', async () => {
    place.folder = temporaryFolder();
    const cwd = temporaryFolder();
    const agent = {label: 'x', command: '/bin/sh', args: ['-c', 'echo started > started'], env: {}};
    const sandbox = {network: 'ask', networkHosts: [], sandboxSockets: 'none', sandboxFolders: []} as const;
    const {conversation} = makeConversation(['script', '{}'], {cwd, agent, sandbox});
    const opened = await conversation.open();
    expect(opened).toMatchObject({failure: {kind: 'sandbox', reason: 'package'}});
    expect(!opened.ok && failureSentence(opened.failure)).toContain('Install acp-tui again');
    expect(existsSync(join(cwd, 'started'))).toBe(false);
  });

  test('is loaded by the doctor, which reports that something it needs is missing', async () => {
    await expect(trySandbox()).resolves.toEqual({ok: true, value: undefined});
    vi.doMock('@anthropic-ai/sandbox-runtime/dist/sandbox/http-proxy.js', () => {
      throw new Error("Cannot find package 'node-forge'");
    });
    await expect(trySandbox()).resolves.toMatchObject({failure: {kind: 'sandbox', reason: 'package'}});
  });
});
