import {execFileSync} from 'node:child_process';
import {createHash} from 'node:crypto';
import {readdirSync, readFileSync} from 'node:fs';
import {join} from 'node:path';
import {beforeEach, describe, expect, test, vi} from 'vitest';
import {consentTo} from '../../../../src/agents/install/consent.ts';
import {install} from '../../../../src/agents/install/install.ts';
import type {InstallPlan} from '../../../../src/agents/install/plan.ts';
import {failureSentence} from '../../../../src/shared/failure-messages.ts';
import {serve} from '../../../support/servers/servers.ts';
import {temporaryFolder} from '../../../support/folders/temporary-folder.ts';
import {tarGz} from '../../../support/servers/archives.ts';

/* npm itself, with an index on the loopback address. */

let agents: string;
let manifest: Record<string, unknown>;

beforeEach(async () => {
  const folder = temporaryFolder();
  agents = join(folder, 'agents');
  manifest = {name: '@example/agent', version: '1.2.3', bin: {agent: 'run.js', other: 'run.js'}};
  const index: string = await serve((request, response) => {
    const tarball = tarGz([
      {path: 'package/package.json', content: JSON.stringify(manifest)},
      {
        path: 'package/run.js',
        content: '#!/usr/bin/env node\nconsole.log("agent", ...process.argv.slice(2));\n',
        mode: 0o755,
      },
    ]);
    if (request.url?.endsWith('.tgz')) return void response.end(tarball);
    if (!request.url?.startsWith('/@example')) return void response.writeHead(404).end('{}');
    const integrity = `sha512-${createHash('sha512').update(tarball).digest('base64')}`;
    const dist = {tarball: `http://${request.headers.host}/agent.tgz`, integrity};
    const versions = {'1.2.3': {...manifest, dist}};
    response.end(JSON.stringify({name: '@example/agent', 'dist-tags': {latest: '1.2.3'}, versions}));
  });
  vi.stubEnv('npm_config_registry', index);
  vi.stubEnv('npm_config_cache', join(folder, 'cache'));
  vi.stubEnv('npm_config_fetch_retries', '0');
  return () => vi.unstubAllEnvs();
});

type PackagePlan = Extract<InstallPlan, {kind: 'npx' | 'uvx'}>;

function installing(given: Partial<PackagePlan> = {}) {
  const facts = {id: 'x', name: 'X', version: '1.2.3', license: undefined, folder: join(agents, 'x/1.2.3')};
  const pinned = {name: '@example/agent', version: '1.2.3'};
  const plan = {...facts, kind: 'npx', pinned, args: ['--acp'], env: {}, ...given} as InstallPlan;
  return install(consentTo(plan), {agents, now: () => 1});
}

async function problemOf(result: ReturnType<typeof install>): Promise<string> {
  const {ok, ...rest} = await result;
  expect(readdirSync(agents)).toEqual([]);
  return 'failure' in rest ? failureSentence(rest.failure) : String(ok);
}

describe('an npm package', () => {
  test('is installed in its own folder and starts without npm or a network', async () => {
    const result = await installing();
    const command = join(agents, 'x/1.2.3/node_modules/.bin/agent');
    const start = {command, args: ['--acp'], env: {}};
    expect(result).toMatchObject({ok: true, value: {kind: 'npx', from: '@example/agent@1.2.3', start}});
    expect(execFileSync(command, ['--acp'], {encoding: 'utf8'})).toBe('agent --acp\n');
    expect(readdirSync(agents)).toEqual(['x']);
  });

  test('starts the program that the registry names', async () => {
    expect(await installing({cmd: 'other'})).toMatchObject({
      value: {start: {command: join(agents, 'x/1.2.3/node_modules/.bin/other')}},
    });
  });

  test('is rejected when it has several programs and none has its name', async () => {
    manifest = {...manifest, bin: {one: 'run.js', other: 'run.js'}};
    expect(await problemOf(installing())).toContain('does not contain the program "@example/agent"');
  });

  test("that does not exist is reported with npm's message", async () => {
    const problem = await problemOf(installing({pinned: {name: '@example/agent', version: '9.9.9'}}));
    expect(problem).toMatch(
      /^x was not installed\. Output of npm: No matching version found for @example\/agent/,
    );
    expect(problem).not.toMatch(/npm error|A complete log/);
  });
});

test('a Python package is fetched by uvx on start, in the confirmed version', async () => {
  const pinned = {name: 'agent[acp]', version: '1.2.3'};
  await installing({kind: 'uvx', pinned});
  const {start} = JSON.parse(readFileSync(join(agents, 'x/1.2.3/installed.json'), 'utf8')) as {
    start: unknown;
  };
  expect(start).toEqual({command: 'uvx', args: ['--from', 'agent[acp]==1.2.3', 'agent', '--acp'], env: {}});
});
