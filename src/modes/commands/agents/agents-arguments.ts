import * as z from 'zod/mini';
import type {AgentSettings} from '../../../settings/schema/agent-settings.ts';
import {APPROVAL_LEVELS} from '../../../session/settings/approval.ts';
import {choice, flag, pairs, text, type OptionValues} from '../../../cli/option-table.ts';
import {subcommand, subcommandGroup, type CommandOf} from '../../../cli/subcommand.ts';

/** Whether to fetch the registry now or never, and the output format. */
const catalog = {
  refresh: flag('--refresh', 'load the registry again'),
  offline: flag('--offline', 'do not use the network'),
  json: flag('--json', 'print JSON'),
};
export type CatalogOptions = OptionValues<typeof catalog>;
const yes = flag('-y, --yes', 'do not ask for confirmation');

const consistent = z.custom<CatalogOptions>().check(
  z.refine(({refresh, offline}) => !(refresh && offline), {
    error: '--refresh and --offline cannot be combined.',
  }),
);
const command = z
  .array(z.string())
  .check(z.minLength(1, {error: 'Missing command: acp-tui agents add <name> -- <command…>.'}));

const agents = subcommandGroup(
  'acp-tui agents',
  'List, search, show, install and add agents. Without a subcommand: list.',
  {
    list: subcommand(
      '',
      'list agents: installed, configured, and those of the loaded registry',
      catalog,
      (_, given) => consistent.parse(given),
    ),
    search: subcommand(' <words...>', 'search agents, also in the registry', catalog, (words, given) => ({
      query: words.join(' '),
      ...consistent.parse(given),
    })),
    info: subcommand(' <name>', 'show an agent and what it would run', catalog, ([name = ''], given) => ({
      name,
      ...consistent.parse(given),
    })),
    add: subcommand(
      ' <name> [command...]',
      'add your own agent: acp-tui agents add mine -- my-agent --acp',
      {
        env: pairs('--env <NAME=value>', 'environment variable for it'),
        mode: text('--mode <id>', 'its mode in new sessions'),
        model: text('--model <id>', 'its model in new sessions'),
        approve: choice('--approve <level>', 'what is auto-approved', APPROVAL_LEVELS),
        replace: flag('--replace', 'replace the agent of that name'),
      },
      ([name = '', ...words], {env, mode, model, approve, replace}) => {
        const settings: Pick<AgentSettings, 'env' | 'mode' | 'model' | 'approve'> = {
          ...(env.length > 0 && {env: Object.fromEntries(env)}),
          ...(mode !== undefined && {mode}),
          ...(model !== undefined && {model}),
          ...(approve !== undefined && {approve}),
        };
        return {name, command: command.parse(words), settings, replace};
      },
    ),
    remove: subcommand(' <name>', 'remove an agent from your settings', {}, ([name = '']) => ({name})),
    install: subcommand(
      ' <name>',
      'install an agent from the registry (shows what it runs first)',
      {
        version: text('--version <version>', "version to install (default: the registry's)"),
        preview: flag('--preview', 'install the version that is not released yet'),
        yes,
      },
      ([name = ''], given) => ({name, ...given}),
    ),
    /** Undefined for all. */
    update: subcommand(
      ' [name]',
      'update one installed agent, or all, to the version in the registry',
      {yes},
      ([name], given) => ({name, ...given}),
    ),
    uninstall: subcommand(' <name...>', 'uninstall agents', {}, (names) => ({names})),
  },
);

/** The parsed `acp-tui agents …`. A `name` is a value of `--agent`. */
export type AgentsCommand = CommandOf<typeof agents>;
export const {program: agentsProgram, read: readAgentsCommand} = agents;
