import {expect, test} from 'vitest';
import {planInstall, proposalFacts} from '../../../src/agents/install/plan.ts';
import {registryEntry} from '../../../src/agents/registry.ts';

function factsOf(distribution: object, license?: string): Readonly<Record<string, string>> {
  const entry = registryEntry.parse({
    id: 'x',
    name: 'X',
    version: '1.2.3',
    description: 'd',
    license,
    distribution,
  });
  const plan = planInstall(entry, {
    machine: {platform: 'linux-x86_64', isMusl: false},
    agents: '/agents',
    hasProgram: () => true,
  });
  if (!plan.ok) throw new Error(plan.failure.kind);
  return Object.fromEntries(proposalFacts({plan: plan.value, size: 2048, instead: undefined}));
}

test('a program is shown with its server, size, checksum, and full command', () => {
  const last = 'the last argument';
  const args = [...Array.from({length: 60}, (_, number) => `${number}`.repeat(50)), last];
  const target = {archive: 'https://example.org/x.zip?token=secret', cmd: './x', args, env: {A: 'b'}};
  const facts = factsOf({binary: {'linux-x86_64': {...target, sha256: 'ab'.repeat(32)}}}, 'MIT');
  expect(facts).toMatchObject({
    license: 'MIT',
    from: 'https://example.org/x.zip?… (2 KiB)',
    checked: `against the checksum in the registry (SHA-256 ${'ab'.repeat(32)})`,
    into: '/agents/x/1.2.3',
    starts: expect.stringMatching(/^A=b \.\/x .*'the last argument'$/),
  });
});

test('what cannot be verified, and what npm and uv do by themselves, is shown', () => {
  expect(factsOf({binary: {'linux-x86_64': {archive: 'https://example.org/x', cmd: 'x'}}})).toMatchObject({
    license: 'not specified in the registry',
    checked: expect.stringContaining('none: the registry has no checksum'),
  });
  expect(factsOf({npx: {package: '@a/x', args: ['--acp']}})).toMatchObject({
    from: 'npm: @a/x@1.2.3 and its dependencies',
    runs: expect.stringContaining('install scripts'),
    starts: '@a/x --acp',
  });
  expect(factsOf({uvx: {package: 'x', cmd: 'x-acp'}})).toMatchObject({
    from: expect.stringContaining('x==1.2.3'),
    when: expect.stringContaining('starts for the first time'),
    starts: 'uvx x-acp',
  });
});

test('the license is shown with where it can be read, and a preview only if it is wanted', () => {
  const entry = registryEntry.parse({
    id: 'x',
    name: 'X',
    version: '1.2.3',
    description: 'd',
    license: 'proprietary',
    license_url: 'https://example.org/terms',
    distribution: {npx: {package: 'x@1.2.3'}},
    preview: {version: '2.0.0-beta.1', distribution: {npx: {package: 'x@2.0.0-beta.1', args: ['acp']}}},
  });
  const machine = {platform: undefined, isMusl: false};
  const planning = {machine, agents: '/agents', hasProgram: () => true};
  const plan = (preview: boolean, of = entry) => planInstall(of, {...planning, preview});
  expect(plan(false)).toMatchObject({value: {version: '1.2.3', pinned: {version: '1.2.3'}}});
  const previewed = plan(true);
  if (!previewed.ok) throw new Error(previewed.failure.kind);
  expect(previewed.value).toMatchObject({
    version: '2.0.0-beta.1',
    args: ['acp'],
    folder: '/agents/x/2.0.0-beta.1',
  });
  const facts = Object.fromEntries(proposalFacts({plan: previewed.value, size: 1, instead: undefined}));
  expect(facts['license']).toBe('proprietary, https://example.org/terms');
  expect(plan(true, {...entry, preview: undefined})).toMatchObject({failure: {reason: 'no_preview'}});
});
