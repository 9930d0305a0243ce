import * as z from 'zod/mini';
import {EXPORT_CHOICES} from '../../../export/format.ts';
import {count, flag, option, text, withChoices, type OptionValues} from '../../../cli/option-table.ts';
import {subcommand, subcommandGroup, type CommandOf} from '../../../cli/subcommand.ts';

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

const filter = {
  agent: text('-a, --agent <name>', 'only agents of this name'),
  cwd: text('-C, --cwd <dir>', 'only this folder and its subfolders'),
  newer: option('--newer <age>', 'used within this time: 90m, 12h, 7d, 2w', z.optional(ageOf('--newer'))),
  older: option('--older <age>', 'not used within this time', z.optional(ageOf('--older'))),
};
const format = z.optional(
  z.pipe(
    z.transform((name) => (name === 'md' ? 'markdown' : name)),
    z.enum(EXPORT_CHOICES, {
      error: ({input}) => `--format must be ${EXPORT_CHOICES.join(', ')}, not "${String(input)}".`,
    }),
  ),
);

function filterOf({agent, cwd, newer, older}: OptionValues<typeof filter>): SessionsFilter {
  return {
    ...(agent !== undefined && {agent}),
    ...(cwd !== undefined && {cwd}),
    ...(newer !== undefined && {newerThanMs: newer}),
    ...(older !== undefined && {olderThanMs: older}),
  };
}

const query = z.string().check(z.minLength(1, {error: 'Missing search words.'}));
const prompt = z.string().check(z.minLength(1, {error: 'Missing prompt.'}));
const json = flag('--json', 'print JSON');
const withSecrets = flag('--with-secrets', 'show credentials (default: masked)');

const shown = z
  .custom<{readonly follow: boolean; readonly withSecrets: boolean; readonly json: boolean}>()
  .check(z.refine(({follow, json}) => !(follow && json), {error: '--follow and --json cannot be combined.'}));

const sessions = subcommandGroup(
  'acp-tui sessions',
  'List, show, search, export and delete stored sessions, and direct those in the background. Without a subcommand: list.',
  {
    list: subcommand(
      '',
      'list sessions, last used first',
      {
        ...filter,
        open: flag('--open', 'only open sessions, in any window and in the background'),
        archived: flag('--archived', 'include archived sessions'),
        runs: flag('--runs', 'include runs of print mode; JSON always does'),
        deleted: flag('--deleted', 'only deleted sessions that can be restored'),
        limit: count('--limit <number>', 'maximum number of sessions'),
        json,
      },
      (_, {open, archived, deleted, limit, runs, json: isJson, ...rest}) => {
        const include = deleted ? 'deleted' : archived ? 'archived' : undefined;
        return {filter: filterOf(rest), isOpen: open, include, limit, runs, json: isJson};
      },
    ),
    show: {
      ...subcommand(
        ' <id>',
        'print the transcript of a session',
        {
          follow: flag('-f, --follow', 'print what happens in the background, too, until the session ends'),
          withSecrets,
          json: flag('--json', 'print JSON, the format of export'),
        },
        ([id = ''], given) => ({id, ...shown.parse(given)}),
      ),
      alias: 'logs',
    },
    search: subcommand(
      ' <words...>',
      'search sessions by content',
      {...filter, limit: count('--limit <number>', 'maximum number of matches (default: 20)'), json},
      (words, {limit, json: isJson, ...rest}) => {
        return {query: query.parse(words.join(' ').trim()), filter: filterOf(rest), limit, json: isJson};
      },
    ),
    export: subcommand(
      ' <id>',
      'export a session to a file, or to standard output',
      {
        format: withChoices(
          option(
            '--format <format>',
            `${EXPORT_CHOICES.join(', ')} (default: by file name, else markdown)`,
            format,
          ),
          EXPORT_CHOICES,
        ),
        output: text('-o, --output <file>', 'output file; must not exist yet'),
        withSecrets,
      },
      ([id = ''], given) => ({id, ...given}),
    ),
    import: subcommand(' <file>', 'import an exported session (JSON) for reading', {}, ([file = '']) => ({
      file,
    })),
    delete: subcommand(
      ' <id...>',
      'delete sessions (restorable for a day)',
      {yes: flag('-y, --yes', 'do not ask for confirmation')},
      (ids, given) => ({ids, ...given}),
    ),
    send: subcommand(
      ' <id> <prompt...>',
      'queue a prompt in a session that runs in the background',
      {},
      ([id = '', ...words]) => ({id, prompt: prompt.parse(words.join(' ').trim())}),
    ),
    cancel: subcommand(
      ' <id>',
      'cancel the turn of a session that runs in the background',
      {},
      ([id = '']) => ({id}),
    ),
    stop: subcommand(
      ' <id>',
      'end a session that runs in the background; it stays stored',
      {},
      ([id = '']) => ({id}),
    ),
    restore: subcommand(' <id...>', 'restore deleted sessions', {}, (ids) => ({ids})),
  },
);

/** The parsed `acp-tui sessions …`. An `id` is acp-tui's, the agent's, or a prefix of one. */
export type SessionsCommand = CommandOf<typeof sessions>;
export const {program: sessionsProgram, read: readSessionsCommand} = sessions;
