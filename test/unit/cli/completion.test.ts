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
    'attach',
    'service',
    'acp',
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
  expect(at('sessions')?.subcommands.map(({name}) => name)).toEqual(
    expect.arrayContaining(['export', 'show', 'logs']),
  );
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
  ['', '--approve', ['none', 'reads', 'edits', 'all']],
  ['', '--output-format', ['text', 'json', 'stream-json', 'acp', 'quiet']],
  ['', '--include', ['thoughts', 'tools', 'plan', 'usage']],
  ['', '--theme', expect.arrayContaining(['dark', 'light'])],
  ['', '--agent', 'agents'],
  ['', '--resume', 'sessions'],
  ['', '--cwd', 'folders'],
  ['', '--mcp-config', 'files'],
  ['', '--file', 'files'],
  ['', '--mode', 'any'],
  ['', '--continue', undefined],
  ['sessions export', '--format', expect.arrayContaining(['html'])],
  ['agents add', '--approve', ['none', 'reads', 'edits', 'all']],
  ['doctor', '--cwd', 'folders'],
])('of "%s", %s completes its values', (path, flag, value) => {
  expect(at(path)?.options.find(({flags}) => flags.at(-1) === flag)?.value).toEqual(value);
});

test.each([
  ['sessions show', 'sessions'],
  ['sessions logs', 'sessions'],
  ['service stop', 'sessions'],
  ['attach', 'sessions'],
  ['agents remove', 'own-agents'],
  ['agents uninstall', 'installed-agents'],
  ['config set', 'settings'],
  ['doctor', 'agents'],
  ['replay', 'files'],
  ['completion', ['bash', 'zsh', 'fish']],
  ['config list', undefined],
])('the argument of %s is known', (path, argument) => {
  expect(at(path)?.argument).toEqual(argument);
});
