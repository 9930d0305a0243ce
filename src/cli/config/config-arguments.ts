import {Command} from 'commander';
import * as z from 'zod/mini';
import {type SettingPath, parsePath} from '../../storage/settings/setting-paths.ts';
import {type SubcommandReader, readSubcommand, type ReadSubcommand, subcommandsOf} from '../subcommand.ts';

/** The parsed `acp-tui config …`. */
export type ConfigCommand =
  | {readonly kind: 'list'; readonly withSecrets: boolean; readonly json: boolean}
  | {
      readonly kind: 'get';
      readonly path: SettingPath;
      readonly withSecrets: boolean;
      readonly json: boolean;
    }
  /** The value as it was typed. */
  | {readonly kind: 'set'; readonly path: SettingPath; readonly value: string}
  | {readonly kind: 'unset'; readonly path: SettingPath}
  | {readonly kind: 'edit'}
  | {readonly kind: 'path'};

const flag = z.prefault(z.boolean(), false);
const showingOptions = z.object({withSecrets: flag, json: flag});

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

/** Parsers of each subcommand's arguments and options; they throw a ZodError with the reason. */
export const readers = {
  list: (_: Words, options: Options) => ({kind: 'list', ...showingOptions.parse(options)}),
  get: ([name = '']: Words, options: Options) => ({
    kind: 'get',
    path: setting.parse(name),
    ...showingOptions.parse(options),
  }),
  set: ([name = '', value = '']: Words) => ({kind: 'set', path: setting.parse(name), value}),
  unset: ([name = '']: Words) => ({kind: 'unset', path: setting.parse(name)}),
  edit: () => ({kind: 'edit'}),
  path: () => ({kind: 'path'}),
} satisfies Readonly<Record<ConfigCommand['kind'], SubcommandReader<ConfigCommand>>>;

/** Reads the arguments behind `acp-tui config`; writes nothing and never leaves the process. */
export function readConfigCommand(argv: readonly string[], columns: number): ReadSubcommand<ConfigCommand> {
  return readSubcommand(argv, {columns, help: 'acp-tui config --help', program: configProgram});
}

export function configProgram(take: (command: ConfigCommand) => void): Command {
  const program = new Command('acp-tui config').description(
    'The settings: list, read, change. Without a subcommand they are listed.',
  );
  const add = subcommandsOf<ConfigCommand>(program, readers, take);

  withShowingOptions(add('list', '', 'every setting that has a value, and where that comes from'));
  withShowingOptions(add('get', ' <name>', 'the value of a setting'));
  add('set', ' <name> <value>', 'changes a setting: acp-tui config set sessions.keepDays 30').addHelpText(
    'after',
    '\nThe value is JSON, or a text where it is none. A value that begins with a dash comes after --.',
  );
  add('unset', ' <name>', 'takes a setting out of the file, so that what is usual holds');
  add('edit', '', 'opens the file in $VISUAL or $EDITOR, and checks it afterwards');
  add('path', '', 'where the file is');
  return program;
}

function withShowingOptions(command: Command): Command {
  return command
    .option('--with-secrets', 'what looks like a credential, too; it is masked otherwise')
    .option('--json', 'as JSON');
}
