import {homedir} from 'node:os';
import {basename, resolve} from 'node:path';
import {parse} from 'shell-quote';
import type {Result} from '../failure.ts';
import type {AgentCommand} from './agent-command.ts';
import {expandHome, quotingProblem} from './quoting.ts';

export interface ResolveOptions {
  /** Environment for the agent, on top of the inherited one; variables of both can stand in the command line. */
  readonly env: Readonly<Record<string, string>>;
  /** What `demo` means. */
  readonly demoCommand: {readonly command: string; readonly args: readonly string[]};
}

const ASSIGNMENT = /^[A-Za-z_][A-Za-z0-9_]*=/;

/**
 * Finds out what `--agent` means: the name `demo`, or a command line, split as a shell would do it. `NAME=value` words in
 * front set the agent's environment. No shell runs: operators, globs and unset variables are the failure `bad_agent`.
 */
export function resolveAgent(text: string, options: ResolveOptions): Result<AgentCommand> {
  const agent = text.trim();
  if (agent === 'demo') return {ok: true, value: {label: agent, ...options.demoCommand, env: options.env}};
  if (/^(wss?|https?):\/\//i.test(agent))
    return bad(agent, 'agents at an address are not supported yet; give the command that starts one');
  const problem = quotingProblem(agent);
  if (problem !== undefined) return bad(agent, problem);

  const words: string[] = [];
  for (const token of split(agent, options.env)) {
    if (typeof token !== 'string') return bad(agent, describe(token));
    words.push(token);
  }
  const env = {...options.env};
  while (words[0] !== undefined && ASSIGNMENT.test(words[0])) {
    const [assignment] = words.splice(0, 1) as [string];
    const equals = assignment.indexOf('=');
    env[assignment.slice(0, equals)] ??= assignment.slice(equals + 1);
  }
  const [name, ...args] = words;
  if (name === undefined || name === '') return bad(agent, 'it names no command');
  // The agent is started in the session's folder, but its path is meant from where the user stands.
  const command = name.includes('/') ? resolve(name) : name;
  return {ok: true, value: {label: labelOf(name, args), command, args, env}};
}

type Token = string | {op: string} | {op: 'glob'; pattern: string} | {comment: string} | {unset: string};

function split(agent: string, env: Readonly<Record<string, string>>): Token[] {
  const lookUp = (name: string) => env[name] ?? process.env[name] ?? {unset: name};
  // The types of shell-quote do not know that a lookup may return an object, which then becomes a token of its own.
  return parse(expandHome(agent, homedir()), lookUp as (name: string) => string);
}

function describe(token: Exclude<Token, string>): string {
  if ('unset' in token) return `the variable $${token.unset} is not set`;
  if ('comment' in token) return `a # starts a comment; put quotes around it`;
  if ('pattern' in token) return `the pattern ${token.pattern} is not expanded here; put quotes around it`;
  return `"${token.op}" needs a shell, and none is used; for shell syntax use: sh -c '…'`;
}

/** The program's name, or the script's when the program only runs scripts. */
function labelOf(command: string, args: readonly string[]): string {
  const name = basename(command);
  const script = args.find((arg) => !arg.startsWith('-'));
  const runsScripts = /^(node|bun|deno|python[\d.]*|ruby|npx|bunx|uvx)(\.exe)?$/.test(name);
  return runsScripts && script !== undefined ? basename(script) : name;
}

function bad(agent: string, problem: string): Result<AgentCommand> {
  return {ok: false, failure: {kind: 'bad_agent', agent, problem}};
}
