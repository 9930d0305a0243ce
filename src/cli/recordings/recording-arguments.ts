import {Command} from 'commander';
import * as z from 'zod/mini';
import {addOptions, flag, option, schemaOf, type OptionValues} from '../option-table.ts';
import {readSubcommand} from '../subcommand.ts';
import {usageError} from '../usage.ts';
import type {TerminalEnvironment, Parsed} from '../parsed-arguments.ts';

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

/** What to do depends on the terminal. */
type Decide = (environment: TerminalEnvironment) => Parsed;

/** Parses `acp-tui inspect …` or `acp-tui replay …`; `argv` starts after the name. */
export function readRecordingCommand(
  name: keyof typeof recordingPrograms,
  argv: readonly string[],
  environment: TerminalEnvironment,
): Parsed {
  const {columns = 80} = environment;
  const program = recordingPrograms[name];
  const read = readSubcommand<Decide>(argv, {columns, help: `acp-tui ${name} --help`, bare: [], program});
  return read.kind === 'message' ? read : read.command(environment);
}

function inspected(
  [file = '', ...words]: readonly string[],
  {json}: OptionValues<typeof inspecting>,
  {stdinIsTty, stdoutIsTty}: TerminalEnvironment,
): Parsed {
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
): Parsed {
  if (serve) return {kind: 'serve_recording', options: {file, run: run ?? 1, speed: speed ?? Infinity}};
  if (!stdinIsTty || !stdoutIsTty)
    return usageError(
      'A replay needs a terminal; acp-tui inspect prints a recording.',
      'acp-tui replay --help',
    );
  return {kind: 'replay', options: {file, run, speed: speed ?? 1, step, list: false}};
}

export const recordingPrograms = {
  inspect(take: (decide: Decide) => void): Command {
    const program = new Command('acp-tui inspect')
      .description(
        'Show the messages of a recording: requests with their answers, timings and protocol violations.',
      )
      .argument('<recording>', 'a file written by --record')
      .argument('[words...]', 'only messages with all of these words');
    return addOptions(program, inspecting)
      .helpOption('-h, --help', 'show this help')
      .action(() => {
        const options = schemaOf(inspecting).parse(program.opts());
        take((environment) => inspected(program.args, options, environment));
      });
  },
  replay(take: (decide: Decide) => void): Command {
    const program = new Command('acp-tui replay')
      .description(
        'Play a recording on the screen or, with --serve, act as its agent on standard input and output.',
      )
      .argument('<recording>', 'a file written by --record');
    return addOptions(program, replaying)
      .helpOption('-h, --help', 'show this help')
      .action(() => {
        const options = schemaOf(replaying).parse(program.opts());
        take((environment) => replayed(program.args, options, environment));
      });
  },
} as const;
