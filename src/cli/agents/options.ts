import * as z from 'zod/mini';
import {APPROVAL_LEVELS} from '../../session/actions.ts';
import {notEmpty, oneOf, pair} from '../option-schemas.ts';
import type {SubcommandReader} from '../subcommands-of.ts';
import type {AgentsCommand} from './commands.ts';

const flag = z.prefault(z.boolean(), false);

const lookingOptions = z.object({refresh: flag, offline: flag, json: flag}).check(
  z.refine(({refresh, offline}) => !(refresh && offline), {
    error: '--refresh and --offline exclude each other.',
  }),
);
const addOptions = z.object({
  env: z.prefault(z.array(pair('--env', 'NAME=value')), []),
  mode: z.optional(notEmpty('--mode')),
  model: z.optional(notEmpty('--model')),
  approve: z.optional(oneOf('--approve', APPROVAL_LEVELS)),
  replace: flag,
});
const updateOptions = z.object({yes: flag});
const installOptions = z.object({version: z.optional(notEmpty('--version')), yes: flag});
const command = z
  .array(z.string())
  .check(z.minLength(1, {error: 'A command is missing: acp-tui agents add <name> -- <command…>.'}));

type Options = Readonly<Record<string, unknown>>;
type Words = readonly string[];

/** What each subcommand makes of its words and options; throws a ZodError that says what is wrong. */
export const readers = {
  list: (_: Words, options: Options) => ({kind: 'list', ...lookingOptions.parse(options)}),
  search: (words: Words, options: Options) => ({
    kind: 'search',
    query: words.join(' '),
    ...lookingOptions.parse(options),
  }),
  info: ([name = '']: Words, options: Options) => ({kind: 'info', name, ...lookingOptions.parse(options)}),
  add([name = '', ...words]: Words, options: Options) {
    const {env, mode, model, approve, replace} = addOptions.parse(options);
    const settings = {
      ...(env.length > 0 && {env: Object.fromEntries(env)}),
      ...(mode !== undefined && {mode}),
      ...(model !== undefined && {model}),
      ...(approve !== undefined && {approve}),
    };
    return {kind: 'add', name, command: command.parse(words), settings, replace};
  },
  remove: ([name = '']: Words) => ({kind: 'remove', name}),
  install([name = '']: Words, options: Options) {
    const {version, yes} = installOptions.parse(options);
    return {kind: 'install', name, version, yes};
  },
  update: ([name]: Words, options: Options) => ({kind: 'update', name, ...updateOptions.parse(options)}),
  uninstall: (names: Words) => ({kind: 'uninstall', names}),
} satisfies Readonly<Record<AgentsCommand['kind'], SubcommandReader<AgentsCommand>>>;
