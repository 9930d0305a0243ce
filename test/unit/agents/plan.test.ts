import {describe, expect, test} from 'vitest';
import {pinPackage, planInstall, type PlanOptions} from '../../../src/agents/install/plan.ts';
import {registryEntry} from '../../../src/agents/registry.ts';
import {failureSentence} from '../../../src/shared/failure-messages.ts';

const binary = {
  'linux-x86_64': {
    archive: 'https://example.org/agent-x86_64-linux-gnu.tar.gz',
    cmd: './agent',
    args: ['acp'],
  },
  'darwin-aarch64': {archive: 'https://example.org/agent-mac.zip', cmd: './agent'},
};
const npx = {package: '@example/agent@1.2.3', args: ['--acp']};
const uvx = {package: 'agent', env: {A: 'b'}};

function planFor(distribution: object, planning: Partial<PlanOptions> & {readonly version?: string} = {}) {
  const {version, ...rest} = planning;
  const entry = registryEntry.parse({id: 'x', name: 'X', version: '1.2.3', description: 'd', distribution});
  return planInstall(entry, {
    machine: {platform: 'linux-x86_64', isMusl: false},
    agents: '/data/agents',
    hasProgram: () => true,
    ...(version !== undefined && {version}),
    ...rest,
  });
}

function sentenceOf(plan: ReturnType<typeof planFor>): string {
  return plan.ok ? '' : failureSentence(plan.failure);
}

describe('an agent is installed', () => {
  test('as the program built for this computer, if there is one', () => {
    expect(planFor({binary, npx, uvx})).toEqual({
      ok: true,
      value: {
        kind: 'binary',
        id: 'x',
        name: 'X',
        version: '1.2.3',
        license: undefined,
        folder: '/data/agents/x/1.2.3',
        ...binary['linux-x86_64'],
        env: {},
      },
    });
  });

  test('as an npm package without a build, or only one for glibc on a system without it', () => {
    const value = {kind: 'npx', pinned: {name: '@example/agent', version: '1.2.3'}, args: ['--acp']};
    expect(planFor({binary, npx, uvx}, {machine: {platform: 'linux-aarch64', isMusl: false}})).toMatchObject({
      value,
    });
    expect(planFor({binary, npx}, {machine: {platform: 'linux-x86_64', isMusl: true}})).toMatchObject({
      value,
    });
  });

  test('as a Python package without npm, in the version of the registry', () => {
    const plan = planFor({npx, uvx}, {hasProgram: (name) => name === 'uvx'});
    expect(plan).toMatchObject({
      value: {kind: 'uvx', pinned: {name: 'agent', version: '1.2.3'}, args: [], env: {A: 'b'}},
    });
  });

  test('in another version if that is a package', () => {
    expect(planFor({binary, npx}, {version: '1.0.0'})).toMatchObject({
      value: {kind: 'npx', version: '1.0.0', folder: '/data/agents/x/1.0.0', pinned: {version: '1.0.0'}},
    });
  });
});

describe('an agent is not installed', () => {
  test('without its prerequisites, and says how to get them', () => {
    const without = {hasProgram: () => false};
    expect(sentenceOf(planFor({npx}, without))).toContain(
      'needs npm, which is not on PATH. Install Node.js, which includes npm',
    );
    expect(sentenceOf(planFor({uvx}, without))).toContain(
      'needs uvx, which is not on PATH. Install uv, which includes uvx',
    );
  });

  test('if there is nothing for this computer', () => {
    const machine = {platform: 'windows-x86_64', isMusl: false} as const;
    expect(sentenceOf(planFor({binary}, {machine}))).toContain('no build for this platform (windows-x86_64)');
    const unknown = {platform: undefined, isMusl: false};
    expect(planFor({binary}, {machine: unknown})).toMatchObject({failure: {reason: 'no_build'}});
  });

  test("in a version other than the registry's program", () => {
    expect(sentenceOf(planFor({binary}, {version: '1.0.0'}))).toContain('only version 1.2.3');
  });

  test.each(['1.0.0/../../../x', '1.0.0 x', '..', '1.0'])(
    'in the version %j, which would name a folder',
    (version) => {
      expect(planFor({npx}, {version})).toMatchObject({failure: {reason: 'bad_version'}});
    },
  );

  test.each([
    'git+https://example.org/x.git',
    'github:user/repo',
    'file:../x',
    './x',
    'https://example.org/x.tgz',
    'npm:x@1',
  ])('from %s, which is no package of the index', (name) => {
    expect(planFor({npx: {package: name}})).toMatchObject({failure: {reason: 'bad_package'}});
  });
});

test.each([
  ['agent', 'npm', {name: 'agent', version: '9.9.9'}],
  ['agent@latest', 'npm', {name: 'agent', version: '9.9.9'}],
  ['@scope/agent@^1.0.0', 'npm', {name: '@scope/agent', version: '9.9.9'}],
  ['@scope/agent@1.2.3-beta.1', 'npm', {name: '@scope/agent', version: '1.2.3-beta.1'}],
  ['agent@npm:other', 'npm', {name: 'agent', version: '9.9.9'}],
  ['agent==1.2', 'python', {name: 'agent', version: '1.2'}],
  ['agent[acp,web]@1.2.post1', 'python', {name: 'agent[acp,web]', version: '1.2.post1'}],
  ['agent>=1.2', 'python', undefined],
  ['--index-url', 'python', undefined],
] as const)('%s of %s is a single version: %j', (text, index, pinned) => {
  expect(pinPackage(text, index, '9.9.9')).toEqual(pinned);
});
