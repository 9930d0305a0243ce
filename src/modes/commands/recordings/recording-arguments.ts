import * as z from 'zod/mini';
import {flag, option, type OptionValues} from '../../../cli/option-table.ts';
import {singleCommand, subcommand} from '../../../cli/subcommand.ts';
import {usageError} from '../../../cli/usage.ts';
import type {TerminalEnvironment, ParsedArguments} from '../../../cli/parsed-arguments.ts';

const positive = (flag: string) =>
  z.pipe(
    z.transform(Number),
    z
      .number({error: `${flag} must be a number.`})
      .check(z.positive({error: `${flag} must be a number above 0.`})),
  );
const speed = z.union(
  [
    z.pipe(
      z.literal('max'),
      z.transform(() => Infinity),
    ),
    positive('--speed'),
  ],
  {
    error: '--speed must be a number above 0, or max.',
  },
);

const inspecting = {json: flag('--json', 'one JSON object per line')};
const replaying = {
  speed: option('--speed <factor>', 'factor, or max (default: 1; with --serve max)', z.optional(speed)),
  step: flag('--step', 'wait for a key before each step'),
  serve: flag('--serve', 'act as the recorded agent: acp-tui --agent "acp-tui replay x.ndjson --serve"'),
  run: option(
    '--run <number>',
    'agent process of the recording (default: all in order; with --serve 1)',
    z.optional(positive('--run')),
  ),
};

/** Parses `acp-tui inspect …` or `acp-tui replay …`; `argv` starts after the name. */
export function readRecordingCommand(
  name: keyof typeof commands,
  argv: readonly string[],
  environment: TerminalEnvironment,
): ParsedArguments {
  const read = commands[name].read(argv, environment.columns ?? 80);
  return read.kind === 'message' ? read : read.command.decide(environment);
}

function inspected(
  [file = '', ...words]: readonly string[],
  {json}: OptionValues<typeof inspecting>,
  {stdinIsTty, stdoutIsTty}: TerminalEnvironment,
): ParsedArguments {
  const isScreen = stdinIsTty && stdoutIsTty && words.length === 0;
  if (isScreen && !json)
    return {kind: 'replay', options: {file, run: undefined, speed: 1, step: true, list: true}};
  const form = json ? 'json' : 'table';
  return {kind: 'inspect', options: {file, words, form}};
}

function replayed(
  [file = '']: readonly string[],
  {serve, run, step, speed}: OptionValues<typeof replaying>,
  {stdinIsTty, stdoutIsTty}: TerminalEnvironment,
): ParsedArguments {
  if (serve) return {kind: 'serve_recording', options: {file, run: run ?? 1, speed: speed ?? Infinity}};
  if (!stdinIsTty || !stdoutIsTty)
    return usageError(
      'A replay needs a terminal; acp-tui inspect prints a recording.',
      'acp-tui replay --help',
    );
  return {kind: 'replay', options: {file, run, speed: speed ?? 1, step, list: false}};
}

const RECORDING = 'a file written by --record';

const commands = {
  inspect: singleCommand('acp-tui inspect', {
    ...subcommand(
      '<recording> [words...]',
      'Show the messages of a recording: requests with their answers, timings and protocol violations.',
      inspecting,
      (words, given) => ({
        decide: (environment: TerminalEnvironment) => inspected(words, given, environment),
      }),
    ),
    about: [RECORDING, 'only messages with all of these words'],
  }),
  replay: singleCommand('acp-tui replay', {
    ...subcommand(
      '<recording>',
      'Play a recording on the screen or, with --serve, act as its agent on standard input and output.',
      replaying,
      (words, given) => ({decide: (environment: TerminalEnvironment) => replayed(words, given, environment)}),
    ),
    about: [RECORDING],
  }),
};
export const recordingPrograms = {inspect: commands.inspect.program, replay: commands.replay.program};
