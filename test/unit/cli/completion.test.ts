import {expect, test} from 'vitest';
import {completionSpec} from '../../../src/cli/completion/completion-spec.ts';

const spec = completionSpec();
const at = (path: string) => spec.find((command) => command.path === path);
const optionsOf = (path: string) => at(path)?.options.map(({flags}) => flags.at(-1));

test('every subcommand is known, with its own subcommands', () => {
  expect(at('')?.subcommands.map(({name}) => name)).toEqual([
    'agents',
    'sessions',
    'review',
    'config',
    'doctor',
    'serve',
    'inspect',
    'replay',
    'completion',
  ]);
  expect(at('config')?.subcommands.map(({name}) => name)).toEqual([
    'list',
    'get',
    'set',
    'unset',
    'edit',
    'path',
  ]);
  expect(at('sessions')?.subcommands.map(({name}) => name)).toContain('export');
});

test('options are those of the help, and each has a description', () => {
  expect(optionsOf('')).toEqual(
    expect.arrayContaining(['--agent', '--mcp-config', '--no-fs', '--version', '--help']),
  );
  expect(optionsOf('completion')).toEqual(['--help']);
  for (const {path, options} of spec)
    expect([path, options.filter(({flags}) => flags.at(-1) === '--help')]).toEqual([
      path,
      [expect.anything()],
    ]);
});

test.each([
  ['', '--approve', {kind: 'words', words: ['none', 'reads', 'edits', 'all']}],
  ['', '--output-format', {kind: 'words', words: ['text', 'json', 'stream-json', 'acp', 'quiet']}],
  ['', '--include', {kind: 'words', words: ['thoughts', 'tools', 'plan', 'usage']}],
  ['', '--theme', {kind: 'words', words: expect.arrayContaining(['dark', 'light'])}],
  ['', '--agent', {kind: 'listed', list: 'agents'}],
  ['', '--resume', {kind: 'listed', list: 'sessions'}],
  ['', '--cwd', {kind: 'folders'}],
  ['', '--mcp-config', {kind: 'files'}],
  ['', '--file', {kind: 'files'}],
  ['', '--mode', {kind: 'any'}],
  ['', '--continue', undefined],
  ['sessions export', '--format', {kind: 'words', words: expect.arrayContaining(['html'])}],
  ['agents add', '--approve', {kind: 'words', words: ['none', 'reads', 'edits', 'all']}],
  ['doctor', '--cwd', {kind: 'folders'}],
])('of "%s", %s completes its values', (path, flag, value) => {
  expect(at(path)?.options.find(({flags}) => flags.at(-1) === flag)?.value).toEqual(value);
});

test.each([
  ['sessions show', {kind: 'listed', list: 'sessions'}],
  ['agents remove', {kind: 'listed', list: 'own-agents'}],
  ['agents uninstall', {kind: 'listed', list: 'installed-agents'}],
  ['config set', {kind: 'listed', list: 'settings'}],
  ['doctor', {kind: 'listed', list: 'agents'}],
  ['replay', {kind: 'files'}],
  ['completion', {kind: 'words', words: ['bash', 'zsh', 'fish']}],
  ['config list', undefined],
])('the argument of %s is known', (path, argument) => {
  expect(at(path)?.argument).toEqual(argument);
});
