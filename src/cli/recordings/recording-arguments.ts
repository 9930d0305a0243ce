import {Command, CommanderError} from 'commander';
import * as z from 'zod/mini';
import {usageError, usageSentence} from '../usage.ts';
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

const schema = z.object({
  json: z.prefault(z.boolean(), false),
  speed: z.optional(speed),
  step: z.prefault(z.boolean(), false),
  serve: z.prefault(z.boolean(), false),
  run: z.optional(positive('--run')),
});

const commands = {inspect, replay};

/** Parses `acp-tui inspect …` or `acp-tui replay …`; `argv` starts after the name. */
export function readRecordingCommand(
  name: keyof typeof commands,
  argv: readonly string[],
  environment: TerminalEnvironment,
): Parsed {
  const command = commands[name]();
  const help = `acp-tui ${name} --help`;
  let text = '';
  command.exitOverride().configureOutput({
    writeOut: (chunk) => (text += chunk),
    writeErr: () => {},
    getOutHelpWidth: () => environment.columns ?? 80,
    getOutHasColors: () => false,
  });
  try {
    command.parse(argv, {from: 'user'});
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    if (error.exitCode === 0) return {kind: 'message', text, exitCode: 0};
    return usageError(usageSentence(error.message), help);
  }
  const options = schema.safeParse(command.opts());
  if (!options.success) return usageError(options.error.issues[0]?.message ?? 'Invalid option.', help);
  const [file = '', ...words] = command.args;
  return name === 'inspect'
    ? inspected(options.data, {file, words}, environment)
    : replayed(options.data, file, environment);
}

type Given = z.infer<typeof schema>;

function inspected(
  {json}: Given,
  {file, words}: {readonly file: string; readonly words: readonly string[]},
  {stdinIsTty, stdoutIsTty}: TerminalEnvironment,
): Parsed {
  const isScreen = stdinIsTty && stdoutIsTty && words.length === 0;
  if (isScreen && !json)
    return {kind: 'replay', options: {file, run: undefined, speed: 1, step: true, list: true}};
  const form = json ? 'json' : 'table';
  return {kind: 'inspect', options: {file, words, form}};
}

function replayed(given: Given, file: string, {stdinIsTty, stdoutIsTty}: TerminalEnvironment): Parsed {
  const {serve, run, step, speed} = given;
  if (serve) return {kind: 'serve_recording', options: {file, run: run ?? 1, speed: speed ?? Infinity}};
  if (!stdinIsTty || !stdoutIsTty)
    return usageError(
      'A replay needs a terminal; acp-tui inspect prints a recording.',
      'acp-tui replay --help',
    );
  return {kind: 'replay', options: {file, run, speed: speed ?? 1, step, list: false}};
}

export const recordingPrograms = {inspect, replay} as const;

function inspect(): Command {
  return new Command('acp-tui inspect')
    .description(
      'Show the messages of a recording: requests with their answers, timings and protocol violations.',
    )
    .argument('<recording>', 'a file written by --record')
    .argument('[words...]', 'only messages with all of these words')
    .option('--json', 'one JSON object per line')
    .helpOption('-h, --help', 'show this help');
}

function replay(): Command {
  return new Command('acp-tui replay')
    .description(
      'Play a recording on the screen or, with --serve, act as its agent on standard input and output.',
    )
    .argument('<recording>', 'a file written by --record')
    .option('--speed <factor>', 'factor, or max (default: 1; with --serve max)')
    .option('--step', 'wait for a key before each step')
    .option('--serve', 'act as the recorded agent: acp-tui --agent "acp-tui replay x.ndjson --serve"')
    .option('--run <number>', 'agent process of the recording (default: all in order; with --serve 1)')
    .helpOption('-h, --help', 'show this help');
}
