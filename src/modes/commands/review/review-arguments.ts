import * as z from 'zod/mini';
import {count, flag, text, type OptionValues} from '../../../cli/option-table.ts';
import {singleCommand, subcommand} from '../../../cli/subcommand.ts';

const options = {
  session: text('--session <id>', 'the session (default: the one with the newest turn in this folder)'),
  turn: count('--turn <number>', 'only this turn, counted from 1 (default: from the first turn until now)'),
  json: flag('--json', 'print JSON: files, hunks, modes, and what is not covered'),
  patch: flag('--patch', 'print a patch for git apply'),
  cwd: text('-C, --cwd <dir>', 'the folder (default: the current one)'),
};

const consistent = z
  .custom<OptionValues<typeof options>>()
  .check(z.refine(({json, patch}) => !(json && patch), {error: '--json and --patch cannot be combined.'}));

const review = singleCommand(
  'acp-tui review',
  subcommand(
    '',
    'Show what changed in a folder since a session started there, or in one of its turns, including changes by others. Compares snapshots that the window takes before each prompt and after each turn.',
    options,
    (_, given) => {
      const {cwd, session, turn, json, patch} = consistent.parse(given);
      const form = json ? ('json' as const) : patch ? ('patch' as const) : ('text' as const);
      return {cwd, session, turn, form};
    },
  ),
);

/**
 * The parsed `acp-tui review`. Paths are as typed. `session` is an id of acp-tui or of the agent, or a prefix of one; undefined for the session with the newest
 * snapshot. Without a turn, all since the first.
 */
export type ReviewOptions = Parameters<Parameters<typeof review.program>[0]>[0];
export const {program: reviewProgram, read: readReviewCommand} = review;
