import * as z from 'zod/mini';
import {APPROVAL_LEVELS} from '../../../session/settings/approval.ts';
import {choice, flag, option, seconds, text} from '../../../cli/option-table.ts';
import {ruleOptions} from '../../../cli/options.ts';
import {singleCommand, subcommand} from '../../../cli/subcommand.ts';

const missing = (what: string) => ({error: `Missing ${what}.`});

/** Names of agents, separated by commas; each once. */
const agents = z.pipe(
  z.string(missing('agents: --with claude,codex')),
  z.pipe(
    z.transform((list: string) => [...new Set(list.split(',').map((name) => name.trim()))].filter(Boolean)),
    z
      .array(z.string())
      .check(z.minLength(2, {error: '--with must name at least two agents, such as claude,codex.'})),
  ),
);
const prompt = z.string().check(z.minLength(1, missing('prompt')));

const compare = singleCommand('acp-tui compare', {
  ...subcommand(
    '<prompt...>',
    'Give several agents the same prompt, each in a worktree of its own, and compare what they did.',
    {
      with: option('--with <agents>', 'names of the agents, separated by commas', agents),
      check: text(
        '--check <command>',
        'a shell command that is run in each worktree afterwards, such as "npm test"',
      ),
      keep: text('--keep <agent>', 'apply the changes of this agent to the folder afterwards'),
      approve: choice('--approve <level>', 'what is auto-approved (default: reads)', APPROVAL_LEVELS),
      ...ruleOptions(),
      sandbox: option('--sandbox', 'run the agents and the check in a sandbox', z.optional(z.boolean())),
      noSandbox: option(
        '--no-sandbox',
        'run them without, whatever your settings say',
        z.optional(z.never()),
      ),
      timeout: option('--timeout <seconds>', 'cancel an agent after this time', z.optional(seconds)),
      cwd: text('-C, --cwd <dir>', 'working folder'),
      json: flag('--json', 'print JSON'),
    },
    (words, given) => ({...given, prompt: prompt.parse(words.join(' ').trim())}),
  ),
  about: ['the prompt that each of them gets'],
  after: `
Exit codes:
  0  an agent ended its turn, and the check succeeded there
  1  none did, or the changes to keep could not be applied
  2  a usage error, or an agent that cannot be started

Example:
  acp-tui compare --with claude,codex --check "npm test" "fix the flaky test"`,
});

export const {program: compareProgram, read: readCompareCommand} = compare;
/** The parsed `acp-tui compare …`. */
export type CompareCommand = Extract<ReturnType<typeof readCompareCommand>, {kind: 'command'}>['command'];
