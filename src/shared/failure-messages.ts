import {extractErrorMessage, stderrSummary, quoteAgentText} from './agent-text.ts';
import type {Failure, ProcessExit, InstallReason, DownloadReason} from './failure.ts';
import {refusalMessage, sandboxMessages} from './messages/sandbox-messages.ts';

/** A failure as text: what failed, why, and what to do. Safe to display; `why` may have several lines. */
interface Description {
  readonly what: string;
  readonly why?: string;
  readonly todo?: string;
}

/** Describes a failure for the user. */
export function describeFailure(failure: Failure): Description {
  const describe = descriptions[failure.kind] as (failure: Failure) => Wording;
  const {what, why: given, todo: usual} = describe(failure);
  const refusal = 'refused' in failure && failure.refused && refusalMessage(failure.refused);
  const why = refusal ? [given, refusal.why].filter(Boolean).join('\n') : given;
  const todo = refusal ? refusal.todo : usual;
  return {what, ...(why ? {why} : {}), ...(todo ? {todo} : {})};
}

/** Returns the description in one line, for standard error. */
export function failureSentence(failure: Failure): string {
  const {what, why, todo} = describeFailure(failure);
  return [what, why && sentence(why.replaceAll('\n', ' | ')), todo].filter(Boolean).join(' ');
}

interface Wording {
  readonly what: string;
  readonly why?: string | undefined;
  readonly todo?: string | undefined;
}

type Descriptions = {
  readonly [Kind in Failure['kind']]: (failure: Extract<Failure, {kind: Kind}>) => Wording;
};

const descriptions: Descriptions = {
  bad_agent: ({agent, problem, todo}) => ({
    what: `Invalid agent "${quoteAgentText(agent)}".`,
    why: sentence(quoteAgentText(problem)),
    todo: todo ?? 'Use a program and its arguments, such as --agent "my-agent --acp", or the name demo.',
  }),
  no_agent: () => ({
    what: 'No agent is selected.',
    todo: 'Pass one with --agent, or set it with: acp-tui config set agent NAME. The known ones are listed by: acp-tui agents.',
  }),
  command_not_found: ({command, installable, similar}) => ({
    what: `Agent command "${quoteAgentText(command)}" not found.`,
    why: command.includes('/') ? 'No such file.' : 'No program of that name on PATH.',
    todo: installable
      ? `Install it with: acp-tui agents install ${installable}`
      : `${similar ? `Did you mean --agent ${similar}? If not, find` : 'Check the spelling, or find'} agents with: acp-tui agents search.`,
  }),
  not_executable: ({command, problem}) => ({
    what: `Cannot run the agent command "${quoteAgentText(command)}".`,
    why: sentence(quoteAgentText(problem)),
    todo: 'Check the file and its permissions (chmod +x makes it executable).',
  }),
  not_acp: ({command, sample}) => ({
    what: `"${quoteAgentText(command)}" does not speak the Agent Client Protocol.`,
    why: `It printed: ${quoteAgentText(sample, 120)}`,
    todo: "Many agents need an argument for ACP, such as --acp or acp; see the agent's documentation.",
  }),
  exited_early: ({command, exit, stderrTail, hasInitialized}) => ({
    what: `The agent "${quoteAgentText(command)}" exited before the session started (${exitMessage(exit)}).`,
    why: lastOutput(stderrTail) ?? 'No output on standard error.',
    todo: hasInitialized
      ? 'Try again, or run the command itself to see why.'
      : 'Run the command itself to see why; many agents need an argument such as --acp or acp.',
  }),
  connection_lost: ({exit, stderrTail, problem, reconnects, status}) => ({
    what:
      exit === undefined ? 'Lost the connection to the agent.' : `The agent exited (${exitMessage(exit)}).`,
    why: lastOutput(stderrTail) ?? (problem && sentence(quoteAgentText(problem))),
    todo: reconnects
      ? 'Reconnecting; nothing is sent again automatically.'
      : status === 401 || status === 403
        ? `${CHECK_TOKEN} If it is right, the server does not allow this session: start a new one.`
        : 'Restart the agent to continue.',
  }),
  interrupted: ({stillRunning}) => ({
    what: stillRunning
      ? 'The turn is still running in the original session.'
      : 'Interrupted before the turn ended.',
    why: `What the agent reported ${stillRunning ? 'until now' : 'before that'} is above.`,
  }),
  protocol_version: ({ours, theirs}) => ({
    what: `The agent speaks ACP version ${theirs}; acp-tui speaks version ${ours}.`,
    todo: otherVersion(theirs, ours),
  }),
  no_answer: ({method, seconds, isRemote, stderrTail = ''}) => ({
    what: `The agent did not answer ${quoteAgentText(method)} within ${seconds} ${seconds === 1 ? 'second' : 'seconds'}.`,
    why: lastOutput(stderrTail),
    todo: isRemote
      ? 'Check the URL, and whether its server is running.'
      : method === 'initialize'
        ? 'Check that the command speaks ACP on its standard output; many agents need an argument such as --acp or acp.'
        : 'Try again, or restart the agent.',
  }),
  message_too_large: ({limitBytes}) => ({
    what: `The agent sent a message larger than ${sizeLabel(limitBytes)}, and the connection was closed.`,
    why: 'Everything before it is kept.',
    todo: 'Restart the agent, and ask for less at once.',
  }),
  authentication_required: ({methods, problem}) => ({
    what: 'The agent requires a sign-in.',
    why:
      problem && !/^auth\w* (is )?required\W*$/i.test(problem)
        ? sentence(extractErrorMessage(problem))
        : undefined,
    todo:
      methods.length === 0
        ? 'It offers no method here; sign in with its own program, then try again.'
        : `Sign-in methods: ${methods.map(({name}) => quoteAgentText(name)).join(', ')}.`,
  }),
  sign_in_failed: ({method, problem}) => ({
    what: `Sign-in with "${quoteAgentText(method)}" failed.`,
    why: problem && sentence(quoteAgentText(problem)),
  }),
  agent_error: ({method, code, message, detail}) => ({
    what: sentence(
      `The agent answered ${quoteAgentText(method)} with an error (${code}): ${withDetail(message, detail ?? '')}`,
    ),
  }),
  answer_not_taken: ({why}) => ({what: 'This answer does not count.', why}),
  no_such_session: ({wanted}) => ({
    what: wanted === '' ? 'No session to resume.' : `No session "${quoteAgentText(wanted)}".`,
    todo: 'acp-tui sessions lists them.',
  }),
  cannot_continue: ({cause, lacks}) => ({
    what: lacks === 'fork' ? "This agent can't fork sessions." : "The agent can't resume this session.",
    why: cause
      ? describeFailure(cause).what
      : lacks === 'load'
        ? 'It supports neither loading nor resuming sessions.'
        : undefined,
  }),
  unknown_value: ({what, value, valid, askedBy}) => ({
    what: `Unknown ${quoteAgentText(what)} "${quoteAgentText(value)}".`,
    why: askedBy && `Requested by ${askedBy}.`,
    todo: valid.length === 0 ? 'The agent has none.' : `Available: ${someOf(valid)}.`,
  }),
  invalid_setting: ({problem}) => ({what: quoteAgentText(problem, 1000)}),
  prompt_blocked: ({by, reason}) => ({
    what: `The prompt was not sent: blocked by the ${quoteAgentText(by)}.`,
    why: reason && sentence(quoteAgentText(reason, 1000)),
  }),
  not_offered: ({why, ...wanted}) => ({
    what:
      'cannot' in wanted
        ? `Cannot ${quoteAgentText(wanted.cannot)}.`
        : `${capitalized(quoteAgentText(wanted.what))} is not available.`,
    why: sentence(quoteAgentText(why)),
  }),
  file: ({path, problem}) => ({
    what: `Cannot use "${quoteAgentText(path)}".`,
    why: sentence(quoteAgentText(problem)),
  }),
  not_written: ({what, problem}) => ({
    what: `Cannot write ${quoteAgentText(what)}.`,
    why: sentence(quoteAgentText(problem)),
  }),
  download: (failure) => {
    const {why, todo} = downloadMessage(failure);
    return {
      what: `Cannot download "${quoteAgentText(failure.url)}".`,
      why: sentence(quoteAgentText(why)),
      todo,
    };
  },
  remote: ({url, reason, detail = ''}) => {
    const {why, todo} = downloadMessage({reason, detail: quoteAgentText(detail)});
    return {
      what: `Cannot connect to the agent at ${quoteAgentText(url)}.`,
      why: sentence(why),
      todo: (reason === 'status' && REMOTE_STATUS_HINTS[detail]) || todo,
    };
  },
  bad_archive: ({problem}) => ({
    what: 'Cannot unpack the archive.',
    why: sentence(quoteAgentText(problem)),
    todo: 'Nothing was kept. Report it to the publisher.',
  }),
  install: (failure) => {
    const {why, todo} = installMessage(failure);
    return {
      what: `${quoteAgentText(failure.agent)} was not installed.`,
      why: sentence(quoteAgentText(why)),
      todo,
    };
  },
  sandbox: ({reason, detail = ''}) => {
    const {why, todo} = sandboxMessages[reason];
    return {
      what: 'No sandbox could be set up, so nothing was started.',
      why: why(quoteAgentText(detail)),
      todo,
    };
  },
  internal: ({problem}) => ({
    what: 'Internal error in acp-tui.',
    why: sentence(quoteAgentText(problem)),
    todo: 'Please report it.',
  }),
};

function exitMessage({code, signal}: ProcessExit): string {
  if (signal !== null) return `killed by ${quoteAgentText(signal)}`;
  return code === null ? 'no exit code' : `exit code ${code}`;
}

function sizeLabel(bytes: number): string {
  const mebibytes = bytes / (1024 * 1024);
  return mebibytes >= 1 ? `${Math.floor(mebibytes)} MiB` : `${bytes} bytes`;
}

function lastOutput(stderrTail: string): string | undefined {
  const words = stderrSummary(stderrTail);
  return words && `Last output: ${words}`;
}

/** Messages such as "Internal error" are useless; the cause is then in the detail. */
function withDetail(message: string, detail: string): string {
  const [text, cause] = [extractErrorMessage(message), extractErrorMessage(detail)];
  if (cause === '' || text.includes(cause)) return text;
  return text === '' || cause.includes(text) ? cause : `${text.replace(/[.:]$/, '')}: ${cause}`;
}

const MAX_VALUES = 12;

function someOf(values: readonly string[]): string {
  const shown = values.slice(0, MAX_VALUES).map((value) => quoteAgentText(value, 80));
  const more = values.length - shown.length;
  return more > 0 ? `${shown.join(', ')} and ${more} more` : shown.join(', ');
}

/** Returns words as a sentence, with a capital letter and a full stop. */
export function sentence(words: string): string {
  const text = capitalized(words.trim());
  return text === '' || /[.!?…:]$/.test(text) ? text : `${text}.`;
}

function capitalized(words: string): string {
  // A path, command or identifier at the start keeps its case.
  return /^[a-z]+(?:[ ,]|$)/.test(words) ? words.charAt(0).toUpperCase() + words.slice(1) : words;
}

interface InstallMessage {
  readonly why: (detail: string) => string;
  readonly todo?: string | ((detail: string) => string);
}

const TELL = 'Report it to the publisher.';
const RUNNERS: Readonly<Record<string, string>> = {
  npm: 'Install Node.js, which includes npm: https://nodejs.org',
  uvx: 'Install uv, which includes uvx: https://docs.astral.sh/uv',
};

const installMessages: Readonly<Record<InstallReason, InstallMessage>> = {
  bad_version: {why: (version) => `The registry has an invalid version for it: "${version}".`, todo: TELL},
  other_version: {
    why: (version) => `The registry has only version ${version}.`,
    todo: 'Omit --version to install it.',
  },
  no_preview: {
    why: (version) => `The registry has no preview of it, only version ${version}.`,
    todo: 'Omit --preview to install that.',
  },
  no_build: {why: (platform) => `The registry has no build for this platform (${platform}).`},
  no_runner: {
    why: (runner) => `It needs ${runner}, which is not on PATH.`,
    todo: (runner) => RUNNERS[runner] ?? '',
  },
  bad_package: {why: (text) => `The registry has an invalid package name for it: "${text}".`, todo: TELL},
  checksum: {
    why: (sums) => `The download does not match the checksum in the registry (SHA-256 ${sums}).`,
    todo: 'Nothing was kept. Try again; if it fails again, report it to the publisher.',
  },
  no_program: {
    why: (program) => `It does not contain the program "${program}" that the registry names.`,
    todo: TELL,
  },
  called_off: {why: () => 'Cancelled.', todo: 'Nothing was kept.'},
  runner_failed: {why: (said) => said, todo: 'Nothing was kept.'},
};

/** Describes a failed installation. The caller sanitizes the detail, which is untrusted. */
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
  address: {why: () => 'Not a URL.', todo: 'Use one that starts with https://.'},
  insecure: {why: () => 'Only https:// URLs are downloaded.'},
  insecure_redirect: {why: () => 'The server redirects to an unencrypted URL, which is not followed.'},
  redirects: {why: (most) => `The server redirected more than ${most} times.`},
  status: {
    why: (status) => `The server answered ${status}${STATUSES[status] ? ` (${STATUSES[status]})` : ''}.`,
  },
  too_large: {
    why: (limit) => `It is larger than the limit of ${Math.ceil(Number(limit) / (1024 * 1024))} MiB.`,
  },
  stalled: {
    why: () => 'The server does not respond.',
    todo: 'Check the network connection, and try again.',
  },
  cut_off: {why: (detail) => `The connection closed before the end (${detail}).`, todo: TRY_AGAIN},
  called_off: {why: () => 'Cancelled.'},
  unreachable: {
    why: (detail) => `Cannot reach the server: ${detail}`,
    todo: 'Check the network connection; behind a proxy, set HTTPS_PROXY.',
  },
  proxy: {
    why: (detail) => `The proxy refused the connection: ${detail}`,
    todo: 'Check HTTPS_PROXY, or exempt the server with NO_PROXY.',
  },
  unexpected: {why: (expected) => `The response is not ${expected}.`, todo: 'Check the URL.'},
  certificate: {
    why: (detail) => `The server's certificate is not trusted: ${detail}`,
    todo: 'If your network has its own certificate authority, set NODE_EXTRA_CA_CERTS to its file.',
  },
};

const CHECK_TOKEN =
  'Check the token of the agent: agents.NAME.token in the settings, or the variable ACP_TUI_AGENT_TOKEN.';

const FOLLOW_YOURSELF = 'Redirects are not followed: use the URL that it redirects to.';

/** Advice by HTTP status, when a remote agent's server refuses the connection. */
const REMOTE_STATUS_HINTS: Readonly<Record<string, string>> = {
  301: FOLLOW_YOURSELF,
  302: FOLLOW_YOURSELF,
  303: FOLLOW_YOURSELF,
  307: FOLLOW_YOURSELF,
  308: FOLLOW_YOURSELF,
  401: CHECK_TOKEN,
  403: CHECK_TOKEN,
  404: 'Check the path of the URL; for many servers it is /acp.',
  405: 'Check the path of the URL; for many servers it is /acp.',
  426: 'The server only speaks WebSocket: use a wss:// or ws:// URL.',
};

const STATUSES: Readonly<Record<string, string>> = {
  401: 'sign-in required',
  403: 'forbidden',
  404: 'not found',
  410: 'no longer available',
  429: 'too many requests; try again later',
  500: 'server error; try again later',
  502: 'server error; try again later',
  503: 'server overloaded; try again later',
};

/** Describes a failed download. The caller sanitizes the detail, which is untrusted. */
function downloadMessage({
  reason,
  detail = '',
}: Pick<Extract<Failure, {kind: 'download'}>, 'reason' | 'detail'>): {
  readonly why: string;
  readonly todo: string | undefined;
} {
  const {why, todo} = downloadMessages[reason];
  return {why: why(detail), todo};
}

function otherVersion(theirs: number, ours: number): string {
  if (theirs === 2 && ours === 1) return 'Try --protocol 2, which is a draft.';
  if (theirs === 1 && ours === 2) return 'Leave out --protocol 2.';
  return theirs > ours ? 'Update acp-tui, or use an older agent.' : 'Update the agent.';
}
