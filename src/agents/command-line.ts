import {homedir} from 'node:os';
import {parse} from 'shell-quote';
import type {Result} from '../shared/failure.ts';
import {expandHome, quotingProblem} from './quoting.ts';

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
export function parseCommandLine(text: string, env: Readonly<Record<string, string>>): Result<CommandLine> {
  const problem = quotingProblem(text);
  if (problem !== undefined) return badAgent(text, problem);
  const words: string[] = [];
  for (const token of split(text, env)) {
    if (typeof token !== 'string') return badAgent(text, describe(token));
    words.push(token);
  }
  const assigned = {...env};
  while (words[0] !== undefined && ASSIGNMENT.test(words[0])) {
    const [assignment] = words.splice(0, 1) as [string];
    const equals = assignment.indexOf('=');
    assigned[assignment.slice(0, equals)] ??= assignment.slice(equals + 1);
  }
  const [program, ...args] = words;
  if (program === undefined || program === '') return badAgent(text, 'no command given');
  return {ok: true, value: {program, args, env: assigned}};
}

export function badAgent(agent: string, problem: string): Result<never> {
  return {ok: false, failure: {kind: 'bad_agent', agent, problem}};
}

type Token = string | {op: string} | {op: 'glob'; pattern: string} | {comment: string} | {unset: string};

function split(agent: string, env: Readonly<Record<string, string>>): Token[] {
  const lookUp = (name: string) => env[name] ?? process.env[name] ?? {unset: name};
  // The types of shell-quote omit that a lookup may return an object, which becomes a token.
  return parse(expandHome(agent, homedir()), lookUp as (name: string) => string);
}

function describe(token: Exclude<Token, string>): string {
  if ('unset' in token) return `the variable $${token.unset} is not set`;
  if ('comment' in token) return `a # starts a comment; put quotes around it`;
  if ('pattern' in token) return `the pattern ${token.pattern} is not expanded; put quotes around it`;
  return `"${token.op}" needs a shell, and commands run without one; for shell syntax use: sh -c '…'`;
}
