import {describe, expect, test} from 'vitest';
import {interpret} from '../../../../src/cli/program.ts';
import {parseArguments} from '../../../../src/modes/parse-arguments.ts';
import type {TerminalEnvironment} from '../../../../src/cli/parsed-arguments.ts';

const terminal: TerminalEnvironment = {stdinIsTty: true, stdoutIsTty: true};
const pipe: TerminalEnvironment = {stdinIsTty: true, stdoutIsTty: false};

test.each([
  [['--record', 'x'], {file: 'x', mask: true}],
  [['-p', 'hi', '--record', 'x', '--no-mask'], {file: 'x', mask: false}],
  [[], undefined],
] as const)('%j records as requested, with credentials masked by default', (argv, record) => {
  expect(interpret(argv, terminal)).toHaveProperty('options.record', record);
});

test('--no-mask requires a recording', () => {
  expect(interpret(['--no-mask'], terminal)).toMatchObject({
    exitCode: 2,
    text: expect.stringContaining('requires --record'),
  });
});

describe('the recording commands', () => {
  test.each([
    [['inspect', 'x'], pipe, {kind: 'inspect', options: {file: 'x', words: [], form: 'table'}}],
    [['inspect', 'x', '--json'], terminal, {kind: 'inspect', options: {form: 'json'}}],
    [['inspect', 'x', 'a', 'b'], terminal, {kind: 'inspect', options: {words: ['a', 'b'], form: 'table'}}],
    [['inspect', 'x'], terminal, {kind: 'replay', options: {file: 'x', list: true, step: true}}],
    [['replay', 'x'], terminal, {kind: 'replay', options: {file: 'x', speed: 1, step: false, list: false}}],
    [['replay', 'x', '--step', '--speed', '4'], terminal, {options: {speed: 4, step: true}}],
    [
      ['replay', 'x', '--serve'],
      pipe,
      {kind: 'serve_recording', options: {file: 'x', run: 1, speed: Infinity}},
    ],
    [['replay', '--serve', '--speed', '2', '--run', '3', 'x'], pipe, {options: {run: 3, speed: 2}}],
    [['replay', 'x', '--serve', '--speed', 'max'], pipe, {options: {speed: Infinity}}],
  ] as const)('%j on %j', async (argv, surroundings, expected) => {
    expect(await parseArguments(argv, surroundings)).toMatchObject(expected);
  });

  test.each([
    [['inspect'], /missing required argument 'recording'/i],
    [['inspect', 'x', '--speed', '2'], /unknown option/i],
    [['inspect', 'x', '--nonsense'], /unknown option/i],
    [['replay', 'x', '--serve', '--speed', 'slow'], /--speed must be a number above 0, or max/],
    [['replay', 'x', '--serve', '--speed', '0'], /--speed must be a number above 0/],
    [['replay', 'x', '--serve', '--run', 'x'], /--run must be a number/],
  ] as const)('%j is a usage error', async (argv, text) => {
    expect(await parseArguments(argv, terminal)).toMatchObject({
      kind: 'message',
      exitCode: 2,
      text: expect.stringMatching(text),
    });
  });

  test('explain themselves', async () => {
    const help = await parseArguments(['replay', '--help'], terminal);
    expect(help).toMatchObject({exitCode: 0, text: expect.stringContaining('--serve')});
  });
});
