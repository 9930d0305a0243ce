import {Command} from 'commander';
import {addOptions, count, flag, schemaOf, text} from '../option-table.ts';
import {readSubcommand, type ReadSubcommand} from '../subcommand.ts';
import {usageError} from '../usage.ts';

/** The parsed `acp-tui review`. Paths are as typed. */
export interface ReviewOptions {
  /** Undefined for the current folder. */
  readonly cwd: string | undefined;
  /** An id of acp-tui or of the agent, or a prefix of one; undefined for the session with the newest snapshot. */
  readonly session: string | undefined;
  /** Undefined for all turns since the first. */
  readonly turn: number | undefined;
  readonly form: 'text' | 'json' | 'patch';
}

const HELP = 'acp-tui review --help';

const options = {
  session: text('--session <id>', 'the session (default: the one with the newest turn in this folder)'),
  turn: count('--turn <number>', 'only this turn, counted from 1 (default: from the first turn until now)'),
  json: flag('--json', 'print JSON: files, hunks, modes, and what is not covered'),
  patch: flag('--patch', 'print a patch for git apply'),
  cwd: text('-C, --cwd <dir>', 'the folder (default: the current one)'),
};

/** Parses the arguments after `acp-tui review`; writes nothing and never exits. */
export function readReviewCommand(argv: readonly string[], columns: number): ReadSubcommand<ReviewOptions> {
  const read = readSubcommand<ReviewOptions | undefined>(argv, {
    columns,
    help: HELP,
    bare: [],
    program: reviewProgram,
  });
  if (read.kind === 'message') return read;
  if (read.command === undefined) return usageError('--json and --patch cannot be combined.', HELP);
  return {kind: 'command', command: read.command};
}

/** `take` is called with undefined for options that exclude each other. */
export function reviewProgram(take: (options: ReviewOptions | undefined) => void): Command {
  const program = new Command('acp-tui review');
  return addOptions(program, options)
    .description(
      'Show what changed in a folder since a session started there, or in one of its turns, including changes by others. Compares snapshots that the window takes before each prompt and after each turn.',
    )
    .helpOption('-h, --help', 'show this help')
    .allowExcessArguments(false)
    .action(() => take(optionsOf(program.opts())));
}

function optionsOf(given: Readonly<Record<string, unknown>>): ReviewOptions | undefined {
  const {cwd, session, turn, json, patch} = schemaOf(options).parse(given);
  if (json && patch) return undefined;
  return {cwd, session, turn, form: json ? 'json' : patch ? 'patch' : 'text'};
}
