import {DAYS} from '../../../app/pages/usage-page.ts';
import {count, flag} from '../../../cli/option-table.ts';
import {singleCommand, subcommand} from '../../../cli/subcommand.ts';

const options = {
  days: count('--days <number>', `how many days, with today (default: ${DAYS})`),
  json: flag('--json', 'print JSON: a row for each day, agent, model, folder and currency'),
};

const usage = singleCommand(
  'acp-tui usage',
  subcommand(
    '',
    'Show what all stored sessions used by day, agent, model and folder. Costs are what agents report.',
    options,
    (_, {days = DAYS, json}) => ({days, json}),
  ),
);

/** The parsed `acp-tui usage`. */
export type UsageOptions = Parameters<Parameters<typeof usage.program>[0]>[0];
export const {program: usageProgram, read: readUsageCommand} = usage;
