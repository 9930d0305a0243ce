import * as z from 'zod/mini';
import {flag, option, pairs, seconds, text, type OptionValues} from '../../../cli/option-table.ts';
import {protocolOption} from '../../../cli/options.ts';
import {singleCommand, subcommand, type ReadSubcommand} from '../../../cli/subcommand.ts';

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

/** Some agents take that long to answer the first prompt. */
const TIMEOUT_SECONDS = 60;

const options = {
  agent: text('-a, --agent <agent>', 'the agent, as in other commands'),
  prompt: option(
    '--prompt',
    'send up to three short prompts without asking (may incur costs)',
    z.optional(z.boolean()),
  ),
  yes: flag('-y, --yes', 'same as --prompt'),
  /** Makes `prompt` false. */
  noPrompt: flag('--no-prompt', "send no prompts, and don't ask"),
  auth: text('--auth <method>', 'sign in with this method (default: do not sign in)'),
  protocol: protocolOption(),
  cwd: text('-C, --cwd <dir>', 'working folder'),
  env: pairs('--env <NAME=value>', 'environment variable for the agent'),
  timeout: option(
    '--timeout <seconds>',
    `timeout of each answer (default: ${TIMEOUT_SECONDS})`,
    z.prefault(seconds, TIMEOUT_SECONDS),
  ),
  json: flag('--json', 'print the full report as JSON, with the messages that show each problem'),
  record: text('--record <file>', 'record every protocol message to this file'),
  mask: flag('--no-mask', 'keep credentials in the recording'),
};

/** Parses the arguments after `acp-tui doctor`; writes nothing and never exits. */
export function readDoctorCommand(argv: readonly string[], columns: number): ReadSubcommand<DoctorOptions> {
  const read = doctor.read(argv, columns);
  return read.kind === 'message' && isUnquoted(argv, read)
    ? {...read, text: read.text.replace(' See ', ` ${QUOTES} See `)}
    : read;
}

const QUOTES = 'Quote an agent that has arguments: acp-tui doctor "some-agent --acp".';

/** "acp-tui doctor some-agent --acp" */
function isUnquoted([agent = '']: readonly string[], {text}: {readonly text: string}): boolean {
  return !agent.startsWith('-') && /Unknown option|Too many arguments/.test(text);
}

const consistent = z.custom<OptionValues<typeof options> & {readonly named: string | undefined}>().check(
  z.refine(({agent, named}) => agent === undefined || named === undefined, {
    error: 'Name the agent once: as the argument or with --agent.',
  }),
  z.refine(({named}) => named !== '', {error: 'The agent name is empty.'}),
  z.refine(({record, mask}) => mask || record !== undefined, {error: '--no-mask requires --record.'}),
);

const doctor = singleCommand('acp-tui doctor', {
  ...subcommand(
    '[agent]',
    'Test an agent: what it advertises, whether that works, how long it takes, and where it violates the protocol. It runs in a new, empty folder (relative paths in its arguments refer to it; --cwd . uses the current folder), gets no access to files or commands, and every permission request is rejected.',
    options,
    ([named], given) => {
      const {agent, cwd, env, auth, protocol, prompt, yes, timeout, json, record, mask} = consistent.parse({
        ...given,
        named,
      });
      return {
        agent: agent ?? named,
        /** Undefined for a new folder that is removed afterwards. */
        cwd,
        env: Object.fromEntries(env),
        authMethod: auth,
        protocol,
        /** True if prompts may be sent; undefined to ask the user. */
        prompt: yes || prompt,
        /** For each request to the agent. */
        timeoutSeconds: timeout,
        json,
        record: record === undefined ? undefined : {file: record, mask},
      };
    },
  ),
  about: ['command line in quotes, a name or a URL (default: the setting, plus a check of acp-tui itself)'],
  after: afterHelp(),
});

/** The parsed `acp-tui doctor`. Paths are as typed. Without an agent, that of the settings is examined, and the environment, too. */
export type DoctorOptions = Parameters<Parameters<typeof doctor.program>[0]>[0];
export const {program: doctorProgram} = doctor;

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
