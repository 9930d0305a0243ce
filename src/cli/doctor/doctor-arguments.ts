import {Command} from 'commander';
import * as z from 'zod/mini';
import {notEmpty, oneOf, pair, seconds} from '../option-schemas.ts';
import {PROTOCOL_VERSIONS} from '../options.ts';
import {choice, repeatable, readSubcommand, type ReadSubcommand} from '../subcommand.ts';
import {usageError} from '../usage.ts';

/** The parsed `acp-tui doctor`. Paths are as typed. */
export interface DoctorOptions {
  /** A command line or a name; undefined for the agent that a chat would use, and then the environment is checked, too. */
  readonly agent: string | undefined;
  /** Undefined for a new folder that is removed afterwards. */
  readonly cwd: string | undefined;
  readonly env: Readonly<Record<string, string>>;
  readonly authMethod: string | undefined;
  /** 2 for the draft of that version of the protocol. */
  readonly protocolVersion: 2 | undefined;
  /** True if prompts may be sent; undefined to ask the user. */
  readonly prompt: boolean | undefined;
  /** For each request to the agent. */
  readonly timeoutSeconds: number;
  readonly json: boolean;
  readonly record: {readonly file: string; readonly mask: boolean} | undefined;
}

/** The exit codes in `--help`. */
export const DOCTOR_EXIT_CODES: readonly (readonly [code: number, meaning: string])[] = [
  [0, 'everything tested works'],
  [1, 'something advertised or required fails, or the protocol is violated'],
  [2, 'usage error: an option, a value or a file'],
  [3, 'the agent did not answer in time'],
  [6, 'the agent requires a sign-in'],
  [129, 'hung up (SIGHUP)'],
  [130, 'interrupted; results so far are printed'],
  [141, 'output closed (SIGPIPE)'],
  [143, 'terminated'],
];

const HELP = 'acp-tui doctor --help';
/** Some agents take that long to answer the first prompt. */
const TIMEOUT_SECONDS = 60;

const options = z.object({
  agent: z.optional(notEmpty('--agent')),
  /** The argument. */
  named: z.optional(z.string()),
  cwd: z.optional(notEmpty('--cwd')),
  env: z.prefault(z.array(pair('--env', 'NAME=value')), []),
  auth: z.optional(notEmpty('--auth')),
  protocol: z.optional(oneOf('--protocol', PROTOCOL_VERSIONS)),
  prompt: z.optional(z.boolean()),
  yes: z.optional(z.boolean()),
  timeout: z.prefault(seconds, TIMEOUT_SECONDS),
  json: z.prefault(z.boolean(), false),
  record: z.optional(notEmpty('--record')),
  mask: z.prefault(z.boolean(), true),
});

const schema = options.check(
  z.refine(({agent, named}) => agent === undefined || named === undefined, {
    error: 'Name the agent once: as the argument or with --agent.',
  }),
);

/** Parses the arguments after `acp-tui doctor`; writes nothing and never exits. */
export function readDoctorCommand(argv: readonly string[], columns: number): ReadSubcommand<DoctorOptions> {
  const read = readSubcommand<DoctorOptions>(argv, {columns, help: HELP, bare: [], program: doctorProgram});
  if (read.kind === 'message')
    return isUnquoted(argv, read) ? {...read, text: read.text.replace(' See ', ` ${QUOTES} See `)} : read;
  const {agent, record} = read.command;
  if (agent === '') return usageError('The agent name is empty.', HELP);
  return record?.file === '' ? usageError('--no-mask requires --record.', HELP) : read;
}

const QUOTES = 'Quote an agent that has arguments: acp-tui doctor "some-agent --acp".';

/** "acp-tui doctor some-agent --acp" */
function isUnquoted([agent = '']: readonly string[], {text}: {readonly text: string}): boolean {
  return !agent.startsWith('-') && /Unknown option|Too many arguments/.test(text);
}

function optionsOf(named: string | undefined, given: Readonly<Record<string, unknown>>): DoctorOptions {
  const {agent, cwd, env, auth, protocol, prompt, yes, timeout, json, record, mask} = schema.parse({
    ...given,
    named,
  });
  return {
    agent: agent ?? named,
    cwd,
    env: Object.fromEntries(env),
    authMethod: auth,
    protocolVersion: protocol === '2' ? 2 : undefined,
    prompt: yes ?? prompt,
    timeoutSeconds: timeout,
    json,
    record: record === undefined && mask ? undefined : {file: record ?? '', mask},
  };
}

export function doctorProgram(take: (options: DoctorOptions) => void): Command {
  const program = new Command('acp-tui doctor');
  return program
    .description(
      'Test an agent: what it advertises, whether that works, how long it takes, and where it violates the protocol. It runs in a new, empty folder (relative paths in its arguments refer to it; --cwd . uses the current folder), gets no access to files or commands, and every permission request is rejected.',
    )
    .argument(
      '[agent]',
      'command line in quotes, a name or a URL (default: the agent of a chat, plus a check of acp-tui itself)',
    )
    .option('-a, --agent <agent>', 'the agent, as in other commands')
    .option('--prompt', 'send up to three short prompts without asking (may incur costs)')
    .option('-y, --yes', 'same as --prompt')
    .option('--no-prompt', "send no prompts, and don't ask")
    .option('--auth <method>', 'sign in with this method (default: do not sign in)')
    .addOption(
      choice('--protocol <version>', 'version of the protocol; 2 is a draft (default: 1)', PROTOCOL_VERSIONS),
    )
    .option('-C, --cwd <dir>', 'working folder')
    .addOption(repeatable('--env <NAME=value>', 'environment variable for the agent'))
    .option('--timeout <seconds>', `timeout of each answer (default: ${TIMEOUT_SECONDS})`)
    .option('--json', 'print the full report as JSON, with the messages that show each problem')
    .option('--record <file>', 'record every protocol message to this file')
    .option('--no-mask', 'keep credentials in the recording')
    .helpOption('-h, --help', 'show this help')
    .allowExcessArguments(false)
    .addHelpText('after', afterHelp())
    .action((agent: string | undefined) => take(optionsOf(agent, program.opts())));
}

function afterHelp(): string {
  const codes = DOCTOR_EXIT_CODES.map(([code, meaning]) => `  ${String(code).padEnd(5)}${meaning}`);
  return `
Examples:
  acp-tui doctor demo --prompt             the demo agent, which costs nothing
  acp-tui doctor "npx some-agent --acp"    asks before it sends a prompt
  acp-tui doctor --no-prompt               your agent, and this installation

Exit codes (the first that applies: a signal, 2, 3, 6, 1, 0):
${codes.join('\n')}`;
}
