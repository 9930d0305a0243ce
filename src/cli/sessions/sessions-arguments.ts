import {Command, Option} from 'commander';
import * as z from 'zod/mini';
import {type ExportChoice, EXPORT_CHOICES} from '../../export/format.ts';
import {
  type SubcommandReader,
  withChoices,
  readSubcommand,
  type ReadSubcommand,
  subcommandsOf,
} from '../subcommand.ts';

/** Which sessions are meant; what is left out leaves none out. */
export interface SessionsFilter {
  /** A part of the agent's name. */
  readonly agent?: string;
  /** As typed; sessions of this folder, or of one in it. */
  readonly cwd?: string;
  /** Last used at most, or at least, so many milliseconds ago. */
  readonly newerThanMs?: number;
  readonly olderThanMs?: number;
}

/** The parsed `acp-tui sessions …`. An `id` is acp-tui's, the agent's, or a prefix of one. */
export type SessionsCommand =
  | {
      readonly kind: 'list';
      readonly filter: SessionsFilter;
      readonly include: 'archived' | 'deleted' | undefined;
      readonly limit: number | undefined;
      readonly json: boolean;
    }
  | {readonly kind: 'show'; readonly id: string; readonly withSecrets: boolean; readonly json: boolean}
  | {
      readonly kind: 'search';
      readonly query: string;
      readonly filter: SessionsFilter;
      readonly limit: number | undefined;
      readonly json: boolean;
    }
  | {
      readonly kind: 'export';
      readonly id: string;
      /** Undefined where the name of the file says it. */
      readonly format: ExportChoice | undefined;
      /** As typed; undefined for standard output. */
      readonly output: string | undefined;
      readonly withSecrets: boolean;
    }
  | {readonly kind: 'import'; readonly file: string}
  | {readonly kind: 'delete'; readonly ids: readonly string[]; readonly yes: boolean}
  | {readonly kind: 'restore'; readonly ids: readonly string[]};

const UNITS = {m: 60_000, h: 3_600_000, d: 86_400_000, w: 7 * 86_400_000} as const;

/** `90m`, `12h`, `7d`, `2w`, into milliseconds. */
const ageOf = (flag: string) =>
  z.pipe(
    z.string().check(
      z.regex(/^\d{1,6}[mhdw]$/, {
        error: ({input}) => `${flag} takes an age such as 90m, 12h, 7d or 2w, not "${String(input)}".`,
      }),
    ),
    z.transform((text) => Number(text.slice(0, -1)) * UNITS[text.slice(-1) as keyof typeof UNITS]),
  );

const limit = z.optional(
  z.pipe(
    z.transform(Number),
    z
      .int({error: '--limit takes a whole number.'})
      .check(z.positive({error: '--limit takes a number greater than 0.'})),
  ),
);
const flag = z.prefault(z.boolean(), false);
const notEmpty = (flag: string) =>
  z.optional(z.string().check(z.minLength(1, {error: `${flag} takes a value that is not empty.`})));

const filter = {
  agent: notEmpty('--agent'),
  cwd: notEmpty('--cwd'),
  newer: z.optional(ageOf('--newer')),
  older: z.optional(ageOf('--older')),
};
const format = z.optional(
  z.pipe(
    z.transform((name) => (name === 'md' ? 'markdown' : name)),
    z.enum(EXPORT_CHOICES, {
      error: ({input}) => `--format takes ${EXPORT_CHOICES.join(', ')}, not "${String(input)}".`,
    }),
  ),
);

function filterOf({
  agent,
  cwd,
  newer,
  older,
}: {
  readonly agent?: string | undefined;
  readonly cwd?: string | undefined;
  readonly newer?: number | undefined;
  readonly older?: number | undefined;
}): SessionsFilter {
  return {
    ...(agent !== undefined && {agent}),
    ...(cwd !== undefined && {cwd}),
    ...(newer !== undefined && {newerThanMs: newer}),
    ...(older !== undefined && {olderThanMs: older}),
  };
}

const query = z.string().check(z.minLength(1, {error: 'Say which words to search for.'}));
const listOptions = z.object({...filter, archived: flag, deleted: flag, limit, json: flag});
const showOptions = z.object({withSecrets: flag, json: flag});
const searchOptions = z.object({...filter, limit, json: flag});
const exportOptions = z.object({format, output: notEmpty('--output'), withSecrets: flag});
const deleteOptions = z.object({yes: flag});

type Options = Readonly<Record<string, unknown>>;
type Words = readonly string[];

/** Parsers of each subcommand's arguments and options; they throw a ZodError with the reason. */
export const readers = {
  list(_: Words, options: Options) {
    const {archived, deleted, limit, json, ...rest} = listOptions.parse(options);
    const include = deleted ? 'deleted' : archived ? 'archived' : undefined;
    return {kind: 'list', filter: filterOf(rest), include, limit, json};
  },
  show: ([id = '']: Words, options: Options) => ({kind: 'show', id, ...showOptions.parse(options)}),
  search(words: Words, options: Options) {
    const {limit, json, ...rest} = searchOptions.parse(options);
    return {kind: 'search', query: query.parse(words.join(' ').trim()), filter: filterOf(rest), limit, json};
  },
  export([id = '']: Words, options: Options) {
    const {format, output, withSecrets} = exportOptions.parse(options);
    return {kind: 'export', id, format, output, withSecrets};
  },
  import: ([file = '']: Words) => ({kind: 'import', file}),
  delete: (ids: Words, options: Options) => ({kind: 'delete', ids, ...deleteOptions.parse(options)}),
  restore: (ids: Words) => ({kind: 'restore', ids}),
} satisfies Readonly<Record<SessionsCommand['kind'], SubcommandReader<SessionsCommand>>>;

/** Reads the arguments behind `acp-tui sessions`; writes nothing and never leaves the process. */
export function readSessionsCommand(
  argv: readonly string[],
  columns: number,
): ReadSubcommand<SessionsCommand> {
  return readSubcommand(argv, {columns, help: 'acp-tui sessions --help', program: sessionsProgram});
}

export function sessionsProgram(take: (command: SessionsCommand) => void): Command {
  const program = new Command('acp-tui sessions').description(
    'The sessions that are stored: list, read, find, export, delete. Without a subcommand they are listed.',
  );
  const add = subcommandsOf<SessionsCommand>(program, readers, take);

  filtered(add('list', '', 'the sessions, the one used last first'))
    .option('--archived', 'archived ones too')
    .option('--deleted', 'only those that can still be restored')
    .option('--limit <number>', 'at most so many')
    .option('--json', 'as JSON');
  add('show', ' <id>', 'what was said and done in a session')
    .option('--with-secrets', 'credentials too; they are masked otherwise')
    .option('--json', 'as JSON, as export writes it');
  filtered(add('search', ' <words...>', 'finds sessions by what was said in them'))
    .option('--limit <number>', 'at most so many passages (default: 20)')
    .option('--json', 'as JSON');
  add('export', ' <id>', 'writes a session into a file, or to standard output')
    .addOption(
      withChoices(
        new Option(
          '--format <format>',
          `${EXPORT_CHOICES.join(', ')} (default: what the file is called, else markdown)`,
        ),
        EXPORT_CHOICES,
      ),
    )
    .option('-o, --output <file>', 'the file; it must not be there yet')
    .option('--with-secrets', 'credentials too; they are masked otherwise');
  add('import', ' <file>', 'stores an exported session (JSON), to be read');
  add('delete', ' <id...>', 'deletes sessions; they can be restored for a day').option(
    '-y, --yes',
    'without asking',
  );
  add('restore', ' <id...>', 'takes a deletion back');
  return program;
}

function filtered(command: Command): Command {
  return command
    .option('-a, --agent <name>', 'only of agents that are called so')
    .option('-C, --cwd <dir>', 'only of this folder and those in it')
    .option('--newer <age>', 'used within this time: 90m, 12h, 7d, 2w')
    .option('--older <age>', 'not used within this time');
}
