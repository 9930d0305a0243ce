import {createHash} from 'node:crypto';
import {existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync} from 'node:fs';
import type {ServerResponse} from 'node:http';
import {join} from 'node:path';
import {beforeEach, describe, expect, test} from 'vitest';
import {consentTo} from '../../../../src/agents/install/consent.ts';
import {install, type InstallOptions} from '../../../../src/agents/install/install.ts';
import type {InstallStep, InstallPlan} from '../../../../src/agents/install/plan.ts';
import {
  installedAgents,
  installedStart,
  installedVersions,
  uninstall,
} from '../../../../src/agents/install/installed.ts';
import {failureSentence} from '../../../../src/shared/failure-messages.ts';
import {serve} from '../../../support/servers/servers.ts';
import {temporaryFolder} from '../../../support/folders/temporary-folder.ts';
import {tarGz, type TarEntry} from '../../../support/servers/archives.ts';

let agents: string;
let address: string;
let answer: (response: ServerResponse) => void;
let clock: number;

const archive = (...more: readonly TarEntry[]) =>
  tarGz([{path: 'agent', content: '#!/bin/sh\necho agent\n'}, ...more]);

beforeEach(async () => {
  agents = join(temporaryFolder(), 'agents');
  answer = (response) => void response.end(archive());
  address = `${await serve((_, response) => answer(response))}/agent.tar.gz`;
  clock = 0;
});

type BinaryPlan = Extract<InstallPlan, {kind: 'binary'}>;

function planOf(given: Partial<BinaryPlan> = {}): BinaryPlan {
  const version = given.version ?? '1.0.0';
  const facts = {id: 'x', name: 'X', version, license: 'MIT', folder: join(agents, 'x', version)};
  return {...facts, kind: 'binary', archive: address, cmd: './agent', args: ['acp'], env: {A: 'b'}, ...given};
}

function installing(given: Partial<BinaryPlan> = {}, options: Partial<InstallOptions> = {}) {
  return install(consentTo(planOf(given)), {agents, now: () => ++clock, ...options});
}

async function problemOf(installing_: ReturnType<typeof install>): Promise<string> {
  const result = await installing_;
  expect(readdirSync(agents).filter((name) => name.startsWith('.'))).toEqual([]);
  return result.ok ? 'none' : failureSentence(result.failure);
}

const used = () => installedAgents(agents).map(({id, version}) => `${id} ${version}`);

describe('a program', () => {
  test('is downloaded, unpacked, and starts from the manifest beside it', async () => {
    const steps: InstallStep[] = [];
    const result = await installing({}, {onStep: (step) => steps.push(step)});
    const folder = join(agents, 'x/1.0.0');
    const sha256 = createHash('sha256').update(archive()).digest('hex');
    const start = {command: join(folder, 'files/agent'), args: ['acp'], env: {A: 'b'}};
    const facts = {id: 'x', name: 'X', version: '1.0.0', kind: 'binary', installedAt: 1};
    expect(result).toEqual({ok: true, value: {...facts, from: address, sha256, folder, start}});
    expect(installedStart(agents)('x')).toEqual(start);
    expect(statSync(start.command).mode & 0o111).toBe(0o111);
    expect(steps.at(-1)).toEqual({kind: 'unpack', bytes: '#!/bin/sh\necho agent\n'.length});
    expect(readdirSync(agents)).toEqual(['x']);
  });

  test('is checked against the checksum of the registry, in either case', async () => {
    const sha256 = createHash('sha256').update(archive()).digest('hex').toUpperCase();
    expect(await installing({sha256})).toMatchObject({ok: true});
  });

  test('is discarded when it does not match the checksum of the registry', async () => {
    expect(await problemOf(installing({sha256: 'a'.repeat(64)}))).toContain(
      'does not match the checksum in the registry',
    );
    expect(used()).toEqual([]);
  });

  test('may come without an archive', async () => {
    answer = (response) => void response.end('#!/bin/sh\n');
    const result = await installing({archive: address.replace('.tar.gz', '-linux'), cmd: 'agent'});
    expect(result).toMatchObject({ok: true});
    expect(readFileSync(join(agents, 'x/1.0.0/files/agent'), 'utf8')).toBe('#!/bin/sh\n');
  });

  test('is found in a folder of its archive, also with Windows path separators', async () => {
    answer = (response) => void response.end(tarGz([{path: 'package/agent', content: 'x'}]));
    expect(await installing({cmd: '.\\package\\agent'})).toMatchObject({ok: true});
  });

  test.each(['./other', '../../../../../bin/sh', '/bin/sh', '.', './outside'])(
    'that the archive does not contain (%s) is rejected',
    async (cmd) => {
      expect(await problemOf(installing({cmd}))).toContain('does not contain the program');
    },
  );

  test.each([
    [
      'a web page instead of the archive',
      (response: ServerResponse) => void response.end('<html>'),
      'not an archive',
    ],
    ['an error', (response: ServerResponse) => void response.writeHead(404).end(), '404'],
    [
      'half of it',
      (response: ServerResponse) => {
        response.writeHead(200, {'content-length': '100000'});
        response.write(archive(), () => response.destroy());
      },
      'closed before the end',
    ],
    [
      'an archive that leads outside',
      (response: ServerResponse) => void response.end(archive({path: '../out', content: 'x'})),
      'is outside the target folder',
    ],
  ])('keeps the installed version when the server sends %s', async (_, broken, words) => {
    await installing();
    answer = broken;
    expect(await problemOf(installing({version: '2.0.0'}))).toContain(words);
    expect(used()).toEqual(['x 1.0.0']);
    expect(readdirSync(join(agents, 'x'))).toEqual(['1.0.0']);
  });
});

describe('with several versions', () => {
  test('runs the one installed last and keeps the one before', async () => {
    for (const version of ['1.0.0', '2.0.0', '3.0.0']) await installing({version});
    expect(used()).toEqual(['x 3.0.0']);
    expect(installedVersions(agents, 'x').map(({version}) => version)).toEqual(['3.0.0', '2.0.0']);
    expect(readdirSync(join(agents, 'x')).sort()).toEqual(['2.0.0', '3.0.0']);
  });

  test('reuses an installed version without downloading it', async () => {
    for (const version of ['1.0.0', '2.0.0']) await installing({version});
    answer = (response) => void response.writeHead(500).end();
    expect(await installing({version: '1.0.0'})).toMatchObject({ok: true});
    expect(used()).toEqual(['x 1.0.0']);
  });

  test('uninstalls all of them', async () => {
    for (const version of ['1.0.0', '2.0.0']) await installing({version});
    expect(await uninstall(agents, 'x')).toMatchObject({value: [{version: '2.0.0'}, {version: '1.0.0'}]});
    expect(readdirSync(agents)).toEqual([]);
    expect(await uninstall(agents, 'x')).toEqual({ok: true, value: []});
  });
});

test('two concurrent installations leave one complete version', async () => {
  const results = await Promise.all([installing(), installing(), installing()]);
  expect(results.every(({ok}) => ok)).toBe(true);
  expect(readdirSync(agents)).toEqual(['x']);
  expect(used()).toEqual(['x 1.0.0']);
});

test('leftovers of dead processes are removed, those of running ones are kept', async () => {
  // Only the kernel has process number 0, and no process has started at tick 1.
  const dead = join(agents, `.temporary-${process.pid}-1-abcd`);
  mkdirSync(dead, {recursive: true});
  writeFileSync(join(dead, 'half'), '');
  answer = (response) => void response.writeHead(200, {'content-length': '100000'}).write('x');
  const off = new AbortController();
  const begun = Promise.withResolvers<void>();
  const running = installing({}, {signal: off.signal, onStep: () => begun.resolve()});
  await begun.promise;
  expect(existsSync(dead)).toBe(false);
  await uninstall(agents, 'y');
  expect(readdirSync(agents)).toHaveLength(1);
  off.abort();
  await running;
});

test.each(['../x', '..', '.', '', 'x/../x', '/', 'X'])('nothing is removed for the ID %j', async (id) => {
  await installing();
  mkdirSync(join(agents, '../x'));
  expect(await uninstall(agents, id)).toEqual({ok: true, value: []});
  expect(used()).toEqual(['x 1.0.0']);
});

test('a manifest that leads outside its folder starts nothing', async () => {
  await installing();
  const file = join(agents, 'x/1.0.0/installed.json');
  writeFileSync(file, readFileSync(file, 'utf8').replace('./files/agent', './../../../agent'));
  expect(installedStart(agents)('x')).toBeUndefined();
});
