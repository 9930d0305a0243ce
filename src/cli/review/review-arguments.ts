import {Command} from 'commander';
import * as z from 'zod/mini';
import {notEmpty} from '../option-schemas.ts';
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

const schema = z.object({
  cwd: z.optional(notEmpty('--cwd')),
  session: z.optional(notEmpty('--session')),
  turn: z.optional(
    z.pipe(
      z.transform(Number),
      z
        .int({error: '--turn must be a whole number.'})
        .check(z.positive({error: '--turn must be greater than 0.'})),
    ),
  ),
  json: z.prefault(z.boolean(), false),
  patch: z.prefault(z.boolean(), false),
});

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
  return program
    .description(
      'Show what changed in a folder since a session started there, or in one of its turns, including changes by others. Compares snapshots that the window takes before each prompt and after each turn.',
    )
    .option('--session <id>', 'the session (default: the one with the newest turn in this folder)')
    .option('--turn <number>', 'only this turn, counted from 1 (default: from the first turn until now)')
    .option('--json', 'print JSON: files, hunks, modes, and what is not covered')
    .option('--patch', 'print a patch for git apply')
    .option('-C, --cwd <dir>', 'the folder (default: the current one)')
    .helpOption('-h, --help', 'show this help')
    .allowExcessArguments(false)
    .action(() => take(optionsOf(program.opts())));
}

function optionsOf(given: Readonly<Record<string, unknown>>): ReviewOptions | undefined {
  const {cwd, session, turn, json, patch} = schema.parse(given);
  if (json && patch) return undefined;
  return {cwd, session, turn, form: json ? 'json' : patch ? 'patch' : 'text'};
}
