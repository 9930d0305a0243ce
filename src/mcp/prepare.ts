import {homedir} from 'node:os';
import {resolve} from 'node:path';
import type * as acp from '@agentclientprotocol/sdk/unstable';
import {programOnPath, isExecutable} from '../shared/processes/executable.ts';
import {expand, type Variables} from '../shared/variables.ts';
import type {MergedServer} from '../settings/server-config.ts';

/** A server with a URL, or a program. */
export type DirectServer = Exclude<acp.McpServer, {type: 'acp'}>;

/** The result of preparing a server: passed to the agent, or skipped with a reason. */
export type PreparedServer = {readonly server: MergedServer} & (
  | {readonly kind: 'passed'; readonly as: DirectServer}
  /** The agent uses it over its own connection; acp-tui starts it, or connects to it. */
  | {readonly kind: 'offered'; readonly as: DirectServer}
  | {readonly kind: 'off'}
  | {readonly kind: 'left_out'; readonly why: string}
);

interface ServerEnvironment {
  /** Variables of the agent's environment. */
  readonly variables: Variables;
  /** Called with expanded values, which may be secret. */
  readonly onValue: (value: string) => void;
  /** The agent's capabilities; undefined before `initialize`, when any are possible. */
  readonly capabilities: acp.AgentCapabilities | undefined;
  /** True for a remote agent, which has its own programs and gets only servers meant for it. */
  readonly isElsewhere?: boolean;
  /** True if an agent that accepts servers over its connection gets them that way, see docs/mcp.md. */
  readonly overAcp?: boolean;
}

/**
 * Prepares a server for the agent ("MCP Servers" of "Session Setup"): expands variables, makes the command's path absolute, and passes http and sse only to
 * agents that support them.
 */
export function prepareServer(
  server: MergedServer,
  {variables, capabilities, onValue, isElsewhere = false, overAcp = false}: ServerEnvironment,
): PreparedServer {
  const problems: string[] = [];
  const onProblem = (problem: string) => void problems.push(problem);
  const fill = (text: string) =>
    server.source.isLiteral ? text : expand(text, {variables, onProblem, onValue});
  const filled = (pairs: readonly (readonly [string, string])[]) =>
    pairs.map(([name, value]) => ({name, value: fill(value)}));
  const leftOut = (why: string): PreparedServer => ({server, kind: 'left_out', why});
  const {name, source} = server;
  const isOfHere = !isElsewhere || source.kind === 'user' || source.kind === 'folder';
  const kind = overAcp && isOfHere && capabilities?.mcpCapabilities?.acp === true ? 'offered' : 'passed';
  const runsElsewhere = isElsewhere && kind === 'passed';
  if (runsElsewhere && isOfHere) {
    const orHere =
      capabilities?.mcpCapabilities?.acp === true ? ', or set agents.NAME.mcpOverAcp to run it here' : '';
    return leftOut(
      `the agent runs elsewhere; configure it in agents.NAME.mcpServers to use it there${orHere}`,
    );
  }

  if (server.transport !== 'stdio') {
    const {transport} = server;
    if (kind === 'passed' && capabilities && capabilities.mcpCapabilities?.[transport] !== true)
      return leftOut(`this agent does not support MCP servers over ${transport}`);
    const as = {type: transport, name, url: fill(server.url), headers: filled(server.headers)};
    const problem = problems[0] ?? problemWithAddress(as);
    return problem === undefined ? {server, kind, as} : leftOut(problem);
  }
  const command = fill(server.command);
  const as = {name, args: server.args.map(fill), env: filled(server.env)};
  if (problems[0] !== undefined) return leftOut(problems[0]);
  const path = as.env.find((variable) => variable.name === 'PATH')?.value ?? variables['PATH'];
  const program = runsElsewhere ? command : programOf(command, {path, base: server.base});
  if (program === undefined) {
    const where = command.includes('/') ? `in ${server.base}` : 'on PATH';
    return leftOut(`program ${JSON.stringify(server.command)} not found ${where}`);
  }
  return {server, kind, as: {...as, command: program}};
}

/** Returns the absolute path of a command's program; undefined if there is no executable one. */
function programOf(
  command: string,
  {path, base}: {readonly path: string | undefined; readonly base: string},
): string | undefined {
  if (!command.includes('/')) return programOnPath(command, path);
  const file = resolve(base, command.replace(/^~(?=\/)/, homedir()));
  return isExecutable(file) ? file : undefined;
}

/** The URL itself is not repeated, because it may contain secrets. */
function problemWithAddress({url, headers}: Pick<acp.McpServerHttp, 'url' | 'headers'>): string | undefined {
  if (!/^https?:$/.test(URL.parse(url)?.protocol ?? '')) return 'its url is not an http or https URL';
  const bad = headers.find(({value}) => /[\r\n\0]/.test(value));
  return bad && `the header ${JSON.stringify(bad.name)} contains a line break`;
}
