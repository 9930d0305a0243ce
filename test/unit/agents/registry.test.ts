import * as fc from 'fast-check';
import {describe, expect, test} from 'vitest';
import {readRegistry} from '../../../src/agents/registry.ts';

const good = {
  id: 'good-agent',
  name: 'Good Agent',
  version: '1.2.3-beta.1',
  description: 'Does good',
  distribution: {npx: {package: '@good/agent@1.2.3', args: ['--acp'], env: {QUIET: '1'}}},
};
const archive = {archive: 'https://example.org/agent.tar.gz', cmd: './agent'};

function read(...agents: readonly unknown[]) {
  return readRegistry(JSON.stringify({version: '1.0.0', agents}));
}

describe('a registry entry', () => {
  test('is read with what is shown and what is run', () => {
    const full = {
      ...good,
      repository: 'https://github.com/good/agent',
      authors: ['Good <good@example.org>'],
      license: 'MIT',
      icon: 'x.svg',
      distribution: {
        binary: {'linux-x86_64': {...archive, args: ['acp']}, 'plan9-mips': archive},
        npx: {package: 'good'},
        snap: {package: 'good'},
      },
    };
    expect(read(full)).toEqual({
      left: [],
      entries: [
        {
          id: 'good-agent',
          name: 'Good Agent',
          version: '1.2.3-beta.1',
          description: 'Does good',
          repository: 'https://github.com/good/agent',
          authors: ['Good <good@example.org>'],
          license: 'MIT',
          distribution: {
            binary: {'linux-x86_64': {...archive, args: ['acp'], env: {}}},
            npx: {package: 'good', args: [], env: {}},
          },
        },
      ],
    });
  });

  test.each([
    ['no object', 7, 'entry 1'],
    ['no id', {...good, id: undefined}, 'entry 1'],
    ['an ID that leaves its folder', {...good, id: '../../bin'}, '../../bin'],
    ['an invisible name', {...good, name: '\x1b[2J '}, 'good-agent'],
    ['no version', {...good, version: 'latest'}, 'good-agent'],
    ['no supported way to install it', {...good, distribution: {}}, 'good-agent'],
    ['only an unknown installation method', {...good, distribution: {snap: {package: 'x'}}}, 'good-agent'],
    ['an option for npx', {...good, distribution: {npx: {package: '--registry=http://evil'}}}, 'good-agent'],
    ['two words for npx', {...good, distribution: {npx: {package: 'x -c evil'}}}, 'good-agent'],
    [
      'an archive over http',
      {...good, distribution: {binary: {'linux-x86_64': {...archive, archive: 'http://example.org/x'}}}},
      'good-agent',
    ],
    [
      'a file URL as archive',
      {...good, distribution: {binary: {'linux-x86_64': {...archive, archive: 'file:///etc/passwd'}}}},
      'good-agent',
    ],
    [
      'a hidden character in a command',
      {...good, distribution: {binary: {'linux-x86_64': {...archive, cmd: './a\u202Egent'}}}},
      'good-agent',
    ],
    [
      'a line break in an argument',
      {...good, distribution: {npx: {package: 'x', args: ['a\nb']}}},
      'good-agent',
    ],
    ['an invalid variable', {...good, distribution: {npx: {package: 'x', env: {'A=B': ''}}}}, 'good-agent'],
  ])('with %s is skipped and named, and the others stay', (_what, bad, name) => {
    expect(read(bad, {...good, id: 'other'})).toMatchObject({
      entries: [{id: 'other'}],
      left: [{name, problem: expect.stringMatching(/./)}],
    });
  });

  test('that appears twice counts once', () => {
    expect(read(good, {...good, name: 'Impostor'})).toMatchObject({
      entries: [{name: 'Good Agent'}],
      left: [{name: 'good-agent', problem: 'duplicate ID'}],
    });
  });

  test('loses only a link or a license that cannot be shown', () => {
    const odd = {...good, repository: 'javascript:alert(1)', license: 7, authors: 'me'};
    expect(read(odd)).toMatchObject({left: [], entries: [{id: 'good-agent', authors: []}]});
    expect(read(odd)?.entries[0]?.repository).toBeUndefined();
  });
});

test('an entry contains no control characters, whatever its fields', () => {
  const hostile = fc.string({
    unit: fc.constantFrom('a', '\x1b', '[2J', '\x9b', '\u202E', '\n', '\x07', ']0;x'),
    minLength: 1,
    maxLength: 30,
  });
  fc.assert(
    fc.property(hostile, (text) => {
      const {name, description, authors, license} = good as Record<string, unknown>;
      const hostileEntry = {...good, name: text, description: text, authors: [text], license: text};
      const registry = read(hostileEntry, {id: text, name, description, authors, license});
      const control = /[\x00-\x1f\x7f-\x9f\u202a-\u202e]/;
      const texts = registry?.entries.flatMap((entry) => [
        entry.name,
        entry.description,
        ...entry.authors,
        entry.license ?? '',
      ]);
      const named = registry?.left.flatMap(({name, problem}) => [name, problem]);
      expect([...(texts ?? []), ...(named ?? [])].filter((shown) => control.test(shown))).toEqual([]);
    }),
  );
});

test('reading does not slow down with many bad entries or words', () => {
  const start = {args: [], env: {['X '.repeat(100_000)]: ''}};
  const wordy = {...good, id: 'wordy', distribution: {npx: {package: 'a', ...start}}};
  const text = `{"agents":[${JSON.stringify(good)},${JSON.stringify(wordy)}${',{}'.repeat(300_000)}]}`;
  const registry = readRegistry(text);
  expect(registry?.entries).toHaveLength(1);
  expect(registry?.left.length).toBeLessThan(10_000);
  expect(registry?.left.at(-1)).toEqual({name: 'all after entry 5000', problem: 'there are 300002'});
  expect(Math.max(...(registry?.left ?? []).map(({problem}) => problem.length))).toBeLessThan(500);
});

test.each(['', 'null', '[]', '{"agents":{}}', '<html>', '{"agents":'])('%j is no registry', (text) => {
  expect(readRegistry(text)).toBeUndefined();
});
