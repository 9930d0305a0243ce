import * as z from 'zod/mini';
import {parsePath} from '../../../settings/setting-paths.ts';
import {flag} from '../../../cli/option-table.ts';
import {subcommand, subcommandGroup, type CommandOf} from '../../../cli/subcommand.ts';

const showing = {
  withSecrets: flag('--with-secrets', 'show credentials (default: masked)'),
  json: flag('--json', 'print JSON'),
};

const setting = z.pipe(
  z.string().check(
    z.refine((text) => parsePath(text) !== undefined, {
      error: ({input}) =>
        `Invalid setting name "${String(input)}". Examples: theme, sessions.keepDays, agents."my.agent".model.`,
    }),
  ),
  z.transform((text) => parsePath(text) ?? []),
);

const config = subcommandGroup(
  'acp-tui config',
  'List, show and change settings. Without a subcommand: list.',
  {
    list: subcommand('', 'list settings that have a value, and its source', showing, (_, given) => given),
    get: subcommand(' <name>', 'print the value of a setting', showing, ([name], given) => ({
      path: setting.parse(name),
      ...given,
    })),
    /** The value as typed. */
    set: {
      ...subcommand(
        ' <name> <value>',
        'change a setting: acp-tui config set sessions.keepDays 30',
        {},
        ([name, value = '']) => ({path: setting.parse(name), value}),
      ),
      after: '\nThe value is JSON, otherwise plain text. Put a value that starts with a\ndash after --.',
    },
    unset: subcommand(' <name>', 'remove a setting; the default applies again', {}, ([name]) => ({
      path: setting.parse(name),
    })),
    edit: subcommand('', 'open the file in $VISUAL or $EDITOR, then check it'),
    path: subcommand('', 'print the path of the file'),
  },
);

/** The parsed `acp-tui config …`. */
export type ConfigCommand = CommandOf<typeof config>;
export const {program: configProgram, read: readConfigCommand} = config;
