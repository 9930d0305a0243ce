import {spawnSync} from 'node:child_process';
import * as fc from 'fast-check';
import {describe, expect, test} from 'vitest';
import {unwrapCommand} from '../../../../src/host/terminals/same-command.ts';
import {printedBy} from '../in-shell.ts';
import {useSandbox} from '../sandbox.ts';

const sandbox = useSandbox();

const lookup = () => ({cwd: sandbox.root, path: '/usr/bin:/bin'});

/** What a shell prints for each of these lines. */
function toldBy(shell: string, ...lines: readonly string[]): readonly string[] {
  return printedBy(shell, lines, {cwd: sandbox.root, env: {PATH: '/usr/bin:/bin'}});
}

const TELL = String.raw`printf '%s\0'`;

const piece = fc.oneof(
  fc.stringMatching(/^[\w@%+:,./-]{1,4}$/),
  fc.stringMatching(/^[^'\0]{0,4}$/u).map((text) => `'${text}'`),
  fc.constantFrom(
    "\\'",
    `"'"`,
    '"',
    '$',
    '`',
    '\\',
    '*',
    '~',
    '{a,b}',
    ';',
    '&',
    '#',
    '!',
    '=',
    '\t',
    '\n',
    '',
    'ü',
  ),
);
const word = fc.array(piece, {minLength: 1, maxLength: 3}).map((pieces) => pieces.join(''));
const words = fc.array(word, {minLength: 1, maxLength: 4}).map((each) => each.join(' '));

describe.each(['/bin/sh', '/bin/bash'])('a line whose words are told without %s', (shell) => {
  test('has the same words in it', () => {
    const told = new Map<string, string>();
    fc.assert(
      fc.property(words, (line) => {
        const [, plain] = unwrapCommand(`${TELL} ${line}`, lookup());
        fc.pre(Array.isArray(plain));
        told.set(
          `${TELL} ${line}`,
          plain
            .slice(2)
            .map((each) => `${each}\0`)
            .join(''),
        );
      }),
      {numRuns: 60},
    );
    expect(toldBy(shell, ...told.keys())).toEqual([...told.values()]);
    expect(told.size).toBeGreaterThan(10);
  });
});

test.each([
  'echo "$PWD"',
  'pwd -P; echo $OLDPWD | wc -l',
  'false || echo x',
  'true & wait; pwd',
  'cat <<E\na\nE',
])('a line does the same behind a change to the folder that it runs in: %s', (line) => {
  const wrapped = `cd '${sandbox.root}' && ${line}`;
  expect(unwrapCommand(['bash', '-c', wrapped], lookup())).toContain(line);
  for (const shell of ['/bin/sh', '/bin/bash']) {
    const [behind, alone] = toldBy(shell, wrapped, line);
    expect(behind).toBe(alone);
  }
});

test('a shell in a shell in a shell is taken off, and no endless wrapping', () => {
  const nested = (times: number): string =>
    times === 0 ? 'ls' : `sh -c '${nested(times - 1).replaceAll("'", String.raw`'\''`)}'`;
  expect(unwrapCommand(nested(3), lookup()).at(-1)).toEqual(['ls']);
  expect(unwrapCommand(nested(6), lookup())).toEqual([nested(6)]);
});

describe('the options of a shell', () => {
  const line = 'echo "$((1 + 1))"';
  const run = (argv: readonly string[]) =>
    spawnSync('/bin/bash', argv.slice(1), {
      cwd: sandbox.root,
      // Of a login shell, the profile is read.
      env: {...process.env, HOME: sandbox.root},
      encoding: 'utf8',
      input: 'echo input\n',
    }).stdout;

  test.each(
    [
      '-c',
      '-lc',
      '-cl',
      '-l -c',
      '-c -l',
      '--login -c',
      '-o pipefail -c',
      '-c -o pipefail',
      '-eo pipefail -c',
      '-euo pipefail -c',
      '-euco pipefail',
      '-o errexit -o nounset -c',
      '--norc -c',
      '--noprofile --norc -c',
      '--norc -ec',
      '-c --',
      '-l -c --',
    ].map((options) => [options]),
  )('that run nothing else do not count: %s', (options) => {
    for (const shell of ['/bin/bash', 'bash'])
      expect(unwrapCommand([shell, ...options.split(' '), line], lookup())).toContain(line);
    expect(unwrapCommand(`/bin/bash ${options} 'ls'`, lookup()).at(-1)).toEqual(['ls']);
    expect(run(['bash', ...options.split(' '), line])).toBe('2\n');
  });

  test.each([
    '',
    '-l',
    '--login',
    '-s',
    '-sc',
    '-ic',
    '-xc',
    '-vc',
    '-i -c',
    '-nc',
    '-fc',
    '-rc',
    '-O extglob -c',
    '-o noglob -c',
    '-o',
    '-o pipefail',
    '-c -o',
    '+ec',
    '+o pipefail -c',
    '--rcfile x -c',
    '--init-file x -c',
    '--rcfile=x -c',
    '--posix -c',
    '-c x',
    '-c -- x',
    '-c -- --',
    '-oc pipefail',
  ])('that may run something else make another command: %s', (options) => {
    const words = options.split(' ').filter((word) => word !== '');
    expect(unwrapCommand(['/bin/bash', ...words, line], lookup())).toHaveLength(1);
  });

  test('do not count behind the line', () => {
    expect(unwrapCommand(['bash', '-c', line, '-l'], lookup())).toHaveLength(1);
    expect(unwrapCommand(['bash', '-l', '-c'], lookup())).toHaveLength(1);
  });
});
