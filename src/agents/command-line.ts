import {homedir} from 'node:os';
import {parse} from 'shell-quote';
import type {Result} from '../shared/failure.ts';
import {quoteWords} from '../text/shell-quote.ts';
import type {AgentSettings} from '../settings/schema/agent-settings.ts';

/** A parsed command line. */
interface CommandLine {
  /** As typed: a name or a path. */
  readonly program: string;
  readonly args: readonly string[];
  /** Environment of the caller with the `NAME=value` assignments in front of the program. */
  readonly env: Readonly<Record<string, string>>;
}

const ASSIGNMENT = /^[A-Za-z_][A-Za-z0-9_]*=/;

/**
 * Splits a command line as a shell does; it may refer to variables of `env` and of the inherited environment, and `env` takes precedence over `NAME=value`
 * assignments. No shell runs: operators, globs and unset variables are the failure `bad_agent`.
 */
export function parseCommandLine(
  text: string,
  env: Readonly<Record<string, string>>,
  inherited: NodeJS.ProcessEnv = process.env,
): Result<CommandLine> {
  const problem = quotingProblem(text);
  if (problem !== undefined) return invalidAgent(text, problem);
  const words: string[] = [];
  for (const token of split(text, {...inherited, ...env})) {
    if (typeof token !== 'string') return invalidAgent(text, describe(token));
    words.push(token);
  }
  const assigned = {...env};
  while (words[0] !== undefined && ASSIGNMENT.test(words[0])) {
    const [assignment] = words.splice(0, 1) as [string];
    const equals = assignment.indexOf('=');
    assigned[assignment.slice(0, equals)] ??= assignment.slice(equals + 1);
  }
  const [program, ...args] = words;
  if (program === undefined || program === '') return invalidAgent(text, 'no command given');
  return {ok: true, value: {program, args, env: assigned}};
}

export function invalidAgent(agent: string, problem: string, todo?: string): Result<never> {
  return {ok: false, failure: {kind: 'bad_agent', agent, problem, ...(todo !== undefined && {todo})}};
}

/** What to do about an invalid agent of the settings. */
export const CORRECT_SETTINGS = 'Correct it with: acp-tui config edit';

type Token = string | {op: string} | {op: 'glob'; pattern: string} | {comment: string} | {unset: string};

function split(agent: string, env: NodeJS.ProcessEnv): Token[] {
  const lookup = (name: string) => env[name] ?? {unset: name};
  // The types of shell-quote omit that a lookup may return an object, which becomes a token.
  return parse(expandHome(agent, homedir()), lookup as (name: string) => string);
}

function describe(token: Exclude<Token, string>): string {
  if ('unset' in token) return `the variable $${token.unset} is not set`;
  if ('comment' in token) return `a # starts a comment; put quotes around it`;
  if ('pattern' in token) return `the pattern ${token.pattern} is not expanded; put quotes around it`;
  return `"${token.op}" needs a shell, and commands run without one; for shell syntax use: sh -c '…'`;
}

/**
 * Returns a sentence about a problem that a shell would reject and shell-quote accepts: an open quote, a second line, a command substitution. Undefined if
 * there is none.
 */
function quotingProblem(text: string): string | undefined {
  let quote: string | undefined;
  for (let i = 0; i < text.length; i++) {
    const char = text[i];
    if (char === '\\' && quote !== "'") {
      if (i + 1 === text.length) return 'it ends with a backslash';
      i++;
    } else if (char === quote) quote = undefined;
    else if (quote === undefined && (char === '"' || char === "'")) quote = char;
    else if (char === '`' && quote !== "'") return 'command substitution (`) is not supported here';
    else if (char === '$' && text[i + 1] === '(' && quote !== "'")
      return 'command substitution ($( )) is not supported here';
    else if (char === '\n' && quote === undefined) return 'it has more than one line';
  }
  return quote === undefined ? undefined : `unclosed quote (${quote})`;
}

/** What is quoted or escaped, or an unquoted `~` at the start of a word; not `~name`. */
const QUOTED_OR_HOME = /\\[^]|'[^']*'|"(?:\\[^]|[^"\\])*"|(?<!\S)~(?![^\s/])/g;

/** Expands `~` as a shell does. */
function expandHome(text: string, home: string): string {
  const quoted = `"${home.replaceAll(/["\\$`]/g, '\\$&')}"`;
  return text.replaceAll(QUOTED_OR_HOME, (found) => (found === '~' ? quoted : found));
}

/** Returns an agent's command from the settings as a command line. */
export function formatCommandLine(command: NonNullable<AgentSettings['command']>): string {
  return typeof command === 'string' ? command : quoteWords([command.command, ...(command.args ?? [])]);
}
