import * as z from 'zod/mini';
import {EXPORT_CHOICES} from '../../export/format.ts';
import type {SubcommandReader} from '../subcommands-of.ts';
import type {SessionsCommand, SessionsFilter} from './commands.ts';

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

/** What each subcommand makes of its words and options; throws a ZodError that says what is wrong. */
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
