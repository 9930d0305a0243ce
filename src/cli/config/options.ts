import * as z from 'zod/mini';
import {parsePath} from '../../persistence/setting-paths.ts';
import type {SubcommandReader} from '../subcommands-of.ts';
import type {ConfigCommand} from './commands.ts';

const flag = z.prefault(z.boolean(), false);
const showing = z.object({withSecrets: flag, json: flag});

const setting = z.pipe(
  z.string().check(
    z.refine((text) => parsePath(text) !== undefined, {
      error: ({input}) =>
        `"${String(input)}" is no name of a setting; a name is such as theme, sessions.keepDays or agents."my.agent".model.`,
    }),
  ),
  z.transform((text) => parsePath(text) ?? []),
);

type Options = Readonly<Record<string, unknown>>;
type Words = readonly string[];

/** What each subcommand makes of its words and options; throws a ZodError that says what is wrong. */
export const readers = {
  list: (_: Words, options: Options) => ({kind: 'list', ...showing.parse(options)}),
  get: ([name = '']: Words, options: Options) => ({
    kind: 'get',
    path: setting.parse(name),
    ...showing.parse(options),
  }),
  set: ([name = '', value = '']: Words) => ({kind: 'set', path: setting.parse(name), value}),
  unset: ([name = '']: Words) => ({kind: 'unset', path: setting.parse(name)}),
  edit: () => ({kind: 'edit'}),
  path: () => ({kind: 'path'}),
} satisfies Readonly<Record<ConfigCommand['kind'], SubcommandReader<ConfigCommand>>>;
