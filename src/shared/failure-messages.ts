import {extractErrorMessage, stderrSummary, quoted} from './agent-text.ts';
import type {Failure, ProcessExit, InstallReason, DownloadReason} from './failure.ts';

/** A failure in words: what happened, why, and what can be done. Safe to show; `why` may have several lines. */
interface Description {
  readonly what: string;
  readonly why?: string;
  readonly todo?: string;
}

/** Words a failure for a user. */
export function describeFailure(failure: Failure): Description {
  const describe = descriptions[failure.kind] as (failure: Failure) => Told;
  const {what, why, todo} = describe(failure);
  return {what, ...(why ? {why} : {}), ...(todo ? {todo} : {})};
}

/** The same on one line, for standard error. */
export function failureSentence(failure: Failure): string {
  const {what, why, todo} = describeFailure(failure);
  return [what, why && sentence(why.replaceAll('\n', ' | ')), todo].filter(Boolean).join(' ');
}

interface Told {
  readonly what: string;
  readonly why?: string | undefined;
  readonly todo?: string | undefined;
}

type Descriptions = {
  readonly [Kind in Failure['kind']]: (failure: Extract<Failure, {kind: Kind}>) => Told;
};

const descriptions: Descriptions = {
  bad_agent: ({agent, problem}) => ({
    what: `The agent "${quoted(agent)}" cannot be understood.`,
    why: sentence(quoted(problem)),
    todo: 'Give a program and its arguments, as in --agent "my-agent --acp", or the name demo.',
  }),
  command_not_found: ({command, installable}) => ({
    what: `The agent's command "${quoted(command)}" was not found.`,
    why: command.includes('/') ? 'There is no such file.' : 'No folder of PATH has a program of that name.',
    todo: installable
      ? `Install it with: acp-tui agents install ${installable}`
      : 'Check the spelling, or install the agent: acp-tui agents search finds what there is.',
  }),
  not_executable: ({command, problem}) => ({
    what: `The agent's command "${quoted(command)}" cannot be run.`,
    why: sentence(quoted(problem)),
    todo: 'Check the file and its permissions (chmod +x makes it executable).',
  }),
  not_acp: ({command, sample}) => ({
    what: `"${quoted(command)}" does not speak the Agent Client Protocol.`,
    why: `It printed: ${quoted(sample, 120)}`,
    todo: "Many agents need an argument for it, such as --acp or acp; see the agent's documentation.",
  }),
  exited_early: ({command, exit, stderrTail}) => ({
    what: `The agent "${quoted(command)}" ended before the session began (${exitMessage(exit)}).`,
    why: saidLast(stderrTail) ?? 'It said nothing on standard error.',
    todo: 'Run the command by itself to see what it needs; many agents need an argument such as --acp or acp.',
  }),
  connection_lost: ({exit, stderrTail, problem}) => ({
    what:
      exit === undefined ? 'The connection to the agent broke.' : `The agent ended (${exitMessage(exit)}).`,
    why: saidLast(stderrTail) ?? (problem && sentence(quoted(problem))),
    todo: 'Start the agent again to go on.',
  }),
  interrupted: () => ({
    what: 'Interrupted: acp-tui ended in the middle of this turn.',
    why: 'What the agent told until then stands above.',
  }),
  protocol_version: ({ours, theirs}) => ({
    what: `The agent speaks version ${theirs} of the Agent Client Protocol, and acp-tui speaks version ${ours}.`,
    todo: theirs > ours ? 'Update acp-tui, or use an older agent.' : 'Update the agent.',
  }),
  no_answer: ({method, seconds}) => ({
    what: `The agent did not answer ${quoted(method)} within ${seconds} ${seconds === 1 ? 'second' : 'seconds'}.`,
    todo:
      method === 'initialize'
        ? 'Check that the command speaks the protocol on its standard output; many agents need an argument such as --acp or acp.'
        : 'Try again, or start the agent again.',
  }),
  message_too_large: ({limitBytes}) => ({
    what: `The agent sent a message that is larger than ${sizeLabel(limitBytes)}, and the connection ended.`,
    why: 'What came before it is kept.',
    todo: 'Start the agent again, and ask for less at once.',
  }),
  authentication_required: ({methods, problem}) => ({
    what: 'The agent wants you to sign in.',
    why:
      problem && !/^auth\w* (is )?required\W*$/i.test(problem)
        ? sentence(extractErrorMessage(problem))
        : undefined,
    todo:
      methods.length === 0
        ? 'It offers no way to do so here; sign in with its own program, then try again.'
        : `It offers: ${methods.map(({name}) => quoted(name)).join(', ')}.`,
  }),
  sign_in_failed: ({method, problem}) => ({
    what: `The sign-in with "${quoted(method)}" did not succeed.`,
    why: problem && sentence(quoted(problem)),
  }),
  agent_error: ({method, code, message, detail}) => ({
    what: sentence(
      `The agent answered ${quoted(method)} with an error (${code}): ${withDetail(message, detail ?? '')}`,
    ),
  }),
  no_such_session: ({wanted}) => ({
    what: wanted === '' ? 'There is no session to go on with.' : `There is no session "${quoted(wanted)}".`,
    todo: 'acp-tui --resume lists those that there are.',
  }),
  cannot_continue: ({cause, lacks}) => ({
    what: lacks === 'fork' ? 'The agent cannot copy a session.' : 'The agent cannot go on with this session.',
    why: cause
      ? describeFailure(cause).what
      : lacks === 'load'
        ? 'It offers neither to load a session nor to resume one.'
        : undefined,
  }),
  unknown_value: ({what, value, valid, askedBy}) => ({
    what: `There is no ${quoted(what)} "${quoted(value)}".`,
    why: askedBy && `It is asked for by ${askedBy}.`,
    todo: valid.length === 0 ? 'The agent offers none.' : `It can be: ${someOf(valid)}.`,
  }),
  not_offered: ({what, why}) => ({
    what: `${capitalized(quoted(what))} is not available.`,
    why: sentence(quoted(why)),
  }),
  file: ({path, problem}) => ({
    what: `"${quoted(path)}" cannot be used.`,
    why: sentence(quoted(problem)),
  }),
  not_written: ({what, problem}) => ({
    what: `${quoted(what)} could not be written.`,
    why: sentence(quoted(problem)),
  }),
  download: (failure) => {
    const {why, todo} = downloadMessage(failure);
    return {what: `"${quoted(failure.url)}" could not be fetched.`, why: sentence(quoted(why)), todo};
  },
  bad_archive: ({problem}) => ({
    what: 'The archive was not unpacked.',
    why: sentence(quoted(problem)),
    todo: 'Nothing of it was kept. Tell those who publish it.',
  }),
  install: (failure) => {
    const {why, todo} = installMessage(failure);
    return {what: `${quoted(failure.agent)} was not installed.`, why: sentence(quoted(why)), todo};
  },
  internal: ({problem}) => ({
    what: 'Something went wrong inside acp-tui.',
    why: sentence(quoted(problem)),
    todo: 'Please report it.',
  }),
};

function exitMessage({code, signal}: ProcessExit): string {
  if (signal !== null) return `killed by ${quoted(signal)}`;
  return code === null ? 'without an exit code' : `exit code ${code}`;
}

function sizeLabel(bytes: number): string {
  const mebibytes = bytes / (1024 * 1024);
  return mebibytes >= 1 ? `${Math.floor(mebibytes)} MiB` : `${bytes} bytes`;
}

function saidLast(stderrTail: string): string | undefined {
  const words = stderrSummary(stderrTail);
  return words && `Its last words: ${words}`;
}

/** "Internal error" and its like say nothing: the cause stands in the detail then. */
function withDetail(message: string, detail: string): string {
  const [said, cause] = [extractErrorMessage(message), extractErrorMessage(detail)];
  if (cause === '' || said.includes(cause)) return said;
  return said === '' || cause.includes(said) ? cause : `${said.replace(/[.:]$/, '')}: ${cause}`;
}

const MAX_VALUES = 12;

function someOf(values: readonly string[]): string {
  const shown = values.slice(0, MAX_VALUES).map((value) => quoted(value, 80));
  const more = values.length - shown.length;
  return more > 0 ? `${shown.join(', ')} and ${more} more` : shown.join(', ');
}

function sentence(words: string): string {
  const text = capitalized(words.trim());
  return text === '' || /[.!?…:]$/.test(text) ? text : `${text}.`;
}

function capitalized(words: string): string {
  // A path, a command or an identifier at the start stays as it is.
  return /^[a-z]+(?:[ ,]|$)/.test(words) ? words.charAt(0).toUpperCase() + words.slice(1) : words;
}

interface InstallMessage {
  readonly why: (detail: string) => string;
  readonly todo?: string | ((detail: string) => string);
}

const TELL = 'Tell those who publish it.';
const RUNNERS: Readonly<Record<string, string>> = {
  npm: 'Install Node.js from https://nodejs.org, which npm comes with.',
  uvx: 'Install uv from https://docs.astral.sh/uv, which uvx comes with.',
};

const installMessages: Readonly<Record<InstallReason, InstallMessage>> = {
  bad_version: {why: (version) => `The registry calls its version "${version}", which is none.`, todo: TELL},
  other_version: {
    why: (version) => `The registry has its version ${version} only.`,
    todo: 'Leave out --version to install that.',
  },
  no_build: {why: (platform) => `The registry has nothing of it that runs here (${platform}).`},
  no_runner: {
    why: (runner) => `It needs ${runner}, which no folder of PATH has.`,
    todo: (runner) => RUNNERS[runner] ?? '',
  },
  bad_package: {
    why: (text) => `The registry names its package "${text}", which is no name of one.`,
    todo: TELL,
  },
  checksum: {
    why: (sums) => `What came is not what the registry announced (SHA-256 ${sums}).`,
    todo: 'Nothing of it was kept. Try again; if that does not help, tell those who publish it.',
  },
  no_program: {
    why: (program) => `It does not hold the program "${program}" that the registry names.`,
    todo: TELL,
  },
  called_off: {why: () => 'It was called off.', todo: 'Nothing of it was kept.'},
  runner_failed: {why: (said) => said, todo: 'Nothing of it was kept.'},
};

/** Why an agent could not be installed, and what can be done. The detail has others' words: it is made safe by the caller. */
function installMessage({reason, detail}: Extract<Failure, {kind: 'install'}>): {
  readonly why: string;
  readonly todo: string | undefined;
} {
  const {why, todo} = installMessages[reason];
  return {why: why(detail), todo: typeof todo === 'function' ? todo(detail) : todo};
}

interface DownloadMessage {
  readonly why: (detail: string) => string;
  readonly todo?: string;
}

const TRY_AGAIN = 'Try again.';

const downloadMessages: Readonly<Record<DownloadReason, DownloadMessage>> = {
  address: {why: () => 'It is not an address.', todo: 'Give one that begins with https://.'},
  insecure: {why: () => 'Only addresses that begin with https:// are fetched.'},
  insecure_redirect: {why: () => 'The server sends us there without encryption, and that is not followed.'},
  redirects: {why: (most) => `The server sent us on more than ${most} times.`},
  status: {
    why: (status) => `The server answered ${status}${STATUSES[status] ? ` (${STATUSES[status]})` : ''}.`,
  },
  too_large: {
    why: (limit) =>
      `It is larger than ${Math.ceil(Number(limit) / (1024 * 1024))} MiB, the most that is taken.`,
  },
  stalled: {
    why: () => 'Nothing came for too long.',
    todo: 'Check the connection to the network, and try again.',
  },
  cut_off: {
    why: (detail) => `The connection ended before everything was there (${detail}).`,
    todo: TRY_AGAIN,
  },
  called_off: {why: () => 'It was called off.'},
  unreachable: {
    why: (detail) => `The server could not be reached: ${detail}`,
    todo: 'Check the connection to the network; behind a proxy, set HTTPS_PROXY.',
  },
  proxy: {
    why: (detail) => `The proxy did not connect us: ${detail}`,
    todo: 'Check HTTPS_PROXY, or exempt the server with NO_PROXY.',
  },
  unexpected: {why: (expected) => `What came is not ${expected}.`, todo: 'Check the address.'},
  certificate: {
    why: (detail) => `The server's certificate is not trusted: ${detail}`,
    todo: 'If your network has a certificate authority of its own, name its file in NODE_EXTRA_CA_CERTS.',
  },
};

const STATUSES: Readonly<Record<string, string>> = {
  401: 'it wants credentials',
  403: 'it does not allow that',
  404: 'there is nothing at this address',
  410: 'there is nothing at this address any more',
  429: 'too many requests; try again later',
  500: 'it has a fault; try again later',
  502: 'it has a fault; try again later',
  503: 'it is overloaded; try again later',
};

/** Why a download failed, and what can be done. The detail has others' words: it is made safe by the caller. */
function downloadMessage({reason, detail = ''}: Extract<Failure, {kind: 'download'}>): {
  readonly why: string;
  readonly todo: string | undefined;
} {
  const {why, todo} = downloadMessages[reason];
  return {why: why(detail), todo};
}
