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
  /** The value as typed. */
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
        `Invalid setting name "${String(input)}". Examples: theme, sessions.keepDays, agents."my.agent".model.`,
    }),
  ),
  z.transform((text) => parsePath(text) ?? []),
);

/** Parsers of each subcommand's arguments and options; they throw a ZodError with the reason. */
export const readers = {
  list: (_, options) => ({kind: 'list', ...showingOptions.parse(options)}),
  get: ([name = ''], options) => ({
    kind: 'get',
    path: setting.parse(name),
    ...showingOptions.parse(options),
  }),
  set: ([name = '', value = '']) => ({kind: 'set', path: setting.parse(name), value}),
  unset: ([name = '']) => ({kind: 'unset', path: setting.parse(name)}),
  edit: () => ({kind: 'edit'}),
  path: () => ({kind: 'path'}),
} satisfies Readonly<Record<ConfigCommand['kind'], SubcommandReader<ConfigCommand>>>;

/** Parses the arguments after `acp-tui config`; writes nothing and never exits. */
export function readConfigCommand(argv: readonly string[], columns: number): ReadSubcommand<ConfigCommand> {
  return readSubcommand(argv, {columns, help: 'acp-tui config --help', program: configProgram});
}

export function configProgram(take: (command: ConfigCommand) => void): Command {
  const program = new Command('acp-tui config').description(
    'List, show and change settings. Without a subcommand: list.',
  );
  const add = subcommandsOf<ConfigCommand>(program, readers, take);

  withShowingOptions(add('list', '', 'list settings that have a value, and its source'));
  withShowingOptions(add('get', ' <name>', 'print the value of a setting'));
  add('set', ' <name> <value>', 'change a setting: acp-tui config set sessions.keepDays 30').addHelpText(
    'after',
    '\nThe value is JSON, otherwise plain text. Put a value that starts with a\ndash after --.',
  );
  add('unset', ' <name>', 'remove a setting; the default applies again');
  add('edit', '', 'open the file in $VISUAL or $EDITOR, then check it');
  add('path', '', 'print the path of the file');
  return program;
}

function withShowingOptions(command: Command): Command {
  return command
    .option('--with-secrets', 'show credentials (default: masked)')
    .option('--json', 'print JSON');
}
