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

/** Filters for sessions; absent ones match all. */
export interface SessionsFilter {
  /** Part of the agent's name. */
  readonly agent?: string;
  /** As typed; sessions of this folder and its subfolders. */
  readonly cwd?: string;
  /** Last used at most, or at least, this many milliseconds ago. */
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
      /** Undefined to derive it from the file name. */
      readonly format: ExportChoice | undefined;
      /** As typed; undefined for standard output. */
      readonly output: string | undefined;
      readonly withSecrets: boolean;
    }
  | {readonly kind: 'import'; readonly file: string}
  | {readonly kind: 'delete'; readonly ids: readonly string[]; readonly yes: boolean}
  | {readonly kind: 'restore'; readonly ids: readonly string[]};

const UNITS = {m: 60_000, h: 3_600_000, d: 86_400_000, w: 7 * 86_400_000} as const;

/** Parses `90m`, `12h`, `7d` or `2w` to milliseconds. */
const ageOf = (flag: string) =>
  z.pipe(
    z.string().check(
      z.regex(/^\d{1,6}[mhdw]$/, {
        error: ({input}) => `${flag} must be an age such as 90m, 12h, 7d or 2w, not "${String(input)}".`,
      }),
    ),
    z.transform((text) => Number(text.slice(0, -1)) * UNITS[text.slice(-1) as keyof typeof UNITS]),
  );

const limit = z.optional(
  z.pipe(
    z.transform(Number),
    z
      .int({error: '--limit must be a whole number.'})
      .check(z.positive({error: '--limit must be greater than 0.'})),
  ),
);
const flag = z.prefault(z.boolean(), false);
const notEmpty = (flag: string) =>
  z.optional(z.string().check(z.minLength(1, {error: `${flag} requires a value that is not empty.`})));

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
      error: ({input}) => `--format must be ${EXPORT_CHOICES.join(', ')}, not "${String(input)}".`,
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

const query = z.string().check(z.minLength(1, {error: 'Missing search words.'}));
const listOptions = z.object({...filter, archived: flag, deleted: flag, limit, json: flag});
const showOptions = z.object({withSecrets: flag, json: flag});
const searchOptions = z.object({...filter, limit, json: flag});
const exportOptions = z.object({format, output: notEmpty('--output'), withSecrets: flag});
const deleteOptions = z.object({yes: flag});

/** Parsers of each subcommand's arguments and options; they throw a ZodError with the reason. */
export const readers = {
  list(_, options) {
    const {archived, deleted, limit, json, ...rest} = listOptions.parse(options);
    const include = deleted ? 'deleted' : archived ? 'archived' : undefined;
    return {kind: 'list', filter: filterOf(rest), include, limit, json};
  },
  show: ([id = ''], options) => ({kind: 'show', id, ...showOptions.parse(options)}),
  search(words, options) {
    const {limit, json, ...rest} = searchOptions.parse(options);
    return {kind: 'search', query: query.parse(words.join(' ').trim()), filter: filterOf(rest), limit, json};
  },
  export([id = ''], options) {
    const {format, output, withSecrets} = exportOptions.parse(options);
    return {kind: 'export', id, format, output, withSecrets};
  },
  import: ([file = '']) => ({kind: 'import', file}),
  delete: (ids, options) => ({kind: 'delete', ids, ...deleteOptions.parse(options)}),
  restore: (ids) => ({kind: 'restore', ids}),
} satisfies Readonly<Record<SessionsCommand['kind'], SubcommandReader<SessionsCommand>>>;

/** Parses the arguments after `acp-tui sessions`; writes nothing and never exits. */
export function readSessionsCommand(
  argv: readonly string[],
  columns: number,
): ReadSubcommand<SessionsCommand> {
  return readSubcommand(argv, {columns, help: 'acp-tui sessions --help', program: sessionsProgram});
}

export function sessionsProgram(take: (command: SessionsCommand) => void): Command {
  const program = new Command('acp-tui sessions').description(
    'List, show, search, export and delete stored sessions. Without a subcommand: list.',
  );
  const add = subcommandsOf<SessionsCommand>(program, readers, take);

  filtered(add('list', '', 'list sessions, last used first'))
    .option('--archived', 'include archived sessions')
    .option('--deleted', 'only deleted sessions that can be restored')
    .option('--limit <number>', 'maximum number of sessions')
    .option('--json', 'print JSON');
  add('show', ' <id>', 'print the transcript of a session')
    .option('--with-secrets', 'show credentials (default: masked)')
    .option('--json', 'print JSON, the format of export');
  filtered(add('search', ' <words...>', 'search sessions by content'))
    .option('--limit <number>', 'maximum number of matches (default: 20)')
    .option('--json', 'print JSON');
  add('export', ' <id>', 'export a session to a file, or to standard output')
    .addOption(
      withChoices(
        new Option(
          '--format <format>',
          `${EXPORT_CHOICES.join(', ')} (default: by file name, else markdown)`,
        ),
        EXPORT_CHOICES,
      ),
    )
    .option('-o, --output <file>', 'output file; must not exist yet')
    .option('--with-secrets', 'show credentials (default: masked)');
  add('import', ' <file>', 'import an exported session (JSON) for reading');
  add('delete', ' <id...>', 'delete sessions (restorable for a day)').option(
    '-y, --yes',
    'do not ask for confirmation',
  );
  add('restore', ' <id...>', 'restore deleted sessions');
  return program;
}

function filtered(command: Command): Command {
  return command
    .option('-a, --agent <name>', 'only agents of this name')
    .option('-C, --cwd <dir>', 'only this folder and its subfolders')
    .option('--newer <age>', 'used within this time: 90m, 12h, 7d, 2w')
    .option('--older <age>', 'not used within this time');
}
