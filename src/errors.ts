import {humanPart, lastWords, quoted} from './agent-words.ts';
import {installWords} from './agents/install/failure-words.ts';
import {downloadWords} from './download/failure-words.ts';
import type {Failure, ProcessExit} from './failure.ts';

/** A failure in words: what happened, why, and what can be done. Safe to show; `why` may have several lines. */
export interface Description {
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
  command_not_found: ({command}) => ({
    what: `The agent's command "${quoted(command)}" was not found.`,
    why: command.includes('/') ? 'There is no such file.' : 'No folder of PATH has a program of that name.',
    todo: 'Check the spelling, or install the agent: acp-tui agents search finds what there is.',
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
    what: `The agent "${quoted(command)}" ended before the session began (${exitWords(exit)}).`,
    why: saidLast(stderrTail) ?? 'It said nothing on standard error.',
    todo: 'Run the command by itself to see what it needs; many agents need an argument such as --acp or acp.',
  }),
  connection_lost: ({exit, stderrTail, problem}) => ({
    what: exit === undefined ? 'The connection to the agent broke.' : `The agent ended (${exitWords(exit)}).`,
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
    what: `The agent sent a message that is larger than ${sizeWords(limitBytes)}, and the connection ended.`,
    why: 'What came before it is kept.',
    todo: 'Start the agent again, and ask for less at once.',
  }),
  authentication_required: ({methods, problem}) => ({
    what: 'The agent wants you to sign in.',
    why: problem && !/^auth\w* (is )?required\W*$/i.test(problem) ? sentence(humanPart(problem)) : undefined,
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
    const {why, todo} = downloadWords(failure);
    return {what: `"${quoted(failure.url)}" could not be fetched.`, why: sentence(quoted(why)), todo};
  },
  bad_archive: ({problem}) => ({
    what: 'The archive was not unpacked.',
    why: sentence(quoted(problem)),
    todo: 'Nothing of it was kept. Tell those who publish it.',
  }),
  install: (failure) => {
    const {why, todo} = installWords(failure);
    return {what: `${quoted(failure.agent)} was not installed.`, why: sentence(quoted(why)), todo};
  },
  internal: ({problem}) => ({
    what: 'Something went wrong inside acp-tui.',
    why: sentence(quoted(problem)),
    todo: 'Please report it.',
  }),
};

function exitWords({code, signal}: ProcessExit): string {
  if (signal !== null) return `killed by ${quoted(signal)}`;
  return code === null ? 'without an exit code' : `exit code ${code}`;
}

function sizeWords(bytes: number): string {
  const mebibytes = bytes / (1024 * 1024);
  return mebibytes >= 1 ? `${Math.floor(mebibytes)} MiB` : `${bytes} bytes`;
}

function saidLast(stderrTail: string): string | undefined {
  const words = lastWords(stderrTail);
  return words && `Its last words: ${words}`;
}

/** "Internal error" and its like say nothing: the cause stands in the detail then. */
function withDetail(message: string, detail: string): string {
  const [said, cause] = [humanPart(message), humanPart(detail)];
  if (cause === '' || said.includes(cause)) return said;
  return said === '' || cause.includes(said) ? cause : `${said.replace(/[.:]$/, '')}: ${cause}`;
}

const MOST_VALUES = 12;

function someOf(values: readonly string[]): string {
  const shown = values.slice(0, MOST_VALUES).map((value) => quoted(value, 80));
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
