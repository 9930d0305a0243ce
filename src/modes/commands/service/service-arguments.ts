import {flag} from '../../../cli/option-table.ts';
import {subcommand, subcommandGroup, type CommandOf} from '../../../cli/subcommand.ts';

const service = subcommandGroup(
  'acp-tui service',
  'Show or end what runs in the background. The service is started when it is needed, and ends by itself.',
  {
    status: subcommand(
      '',
      'list the sessions that run in the background',
      {json: flag('--json', 'print JSON')},
      (_, {json}) => ({json}),
    ),
    stop: subcommand(
      ' [id]',
      'end a session, or the service with all of them; they stay stored',
      {},
      ([id]) => ({id}),
    ),
    logs: subcommand(
      '',
      'print the last lines of its log',
      {follow: flag('-f, --follow', 'print what is added, too')},
      (_, {follow}) => ({follow}),
    ),
    run: subcommand('', 'run the service in this process'),
  },
);

/** The parsed `acp-tui service`. */
export type ServiceCommand = CommandOf<typeof service>;
export const {program: serviceProgram, read: readServiceCommand} = service;
