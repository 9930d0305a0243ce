import {homedir} from 'node:os';
import {resolve} from 'node:path';
import type * as acp from '@agentclientprotocol/sdk/unstable';
import {canBeRun, programOnPath} from '../agents/on-path.ts';
import {expand, type Variables} from './expand.ts';
import type {MergedServer} from './merge.ts';

/** What becomes of a server when a session is opened: it is told to the agent, or it is not, and why. */
export type PreparedServer = {readonly server: MergedServer} & (
  | {readonly kind: 'told'; readonly as: acp.McpServer}
  | {readonly kind: 'off'}
  | {readonly kind: 'left_out'; readonly why: string}
);

export interface ServerSurroundings {
  /** Those that the agent sees. */
  readonly variables: Variables;
  /** Hears what was filled in for variables: it may be secret. */
  readonly onValue: (value: string) => void;
  /** What the agent said in `initialize`; undefined before that, when it may turn out to take anything. */
  readonly capabilities: acp.AgentCapabilities | undefined;
}

/**
 * A server as the agent is told of it ("MCP Servers" of "Session Setup"): variables filled in, a command as the absolute
 * path of its program, http and sse only to an agent that has them.
 */
export function prepareServer(
  server: MergedServer,
  {variables, capabilities, onValue}: ServerSurroundings,
): PreparedServer {
  const problems: string[] = [];
  const onProblem = (problem: string) => void problems.push(problem);
  const fill = (text: string) => expand(text, {variables, onProblem, onValue});
  const filled = (pairs: readonly (readonly [string, string])[]) =>
    pairs.map(([name, value]) => ({name, value: fill(value)}));
  const leftOut = (why: string): PreparedServer => ({server, kind: 'left_out', why});
  const {name} = server;

  if (server.transport !== 'stdio') {
    const {transport} = server;
    if (capabilities && capabilities.mcpCapabilities?.[transport] !== true)
      return leftOut(`this agent does not take MCP servers over ${transport}`);
    const as = {type: transport, name, url: fill(server.url), headers: filled(server.headers)};
    const problem = problems[0] ?? problemWithAddress(as);
    return problem === undefined ? {server, kind: 'told', as} : leftOut(problem);
  }
  const command = fill(server.command);
  const as = {name, args: server.args.map(fill), env: filled(server.env)};
  if (problems[0] !== undefined) return leftOut(problems[0]);
  const path = as.env.find((variable) => variable.name === 'PATH')?.value ?? variables['PATH'];
  const program = programOf(command, {path, base: server.base});
  if (program === undefined) {
    const where = command.includes('/') ? `in ${server.base}` : 'on PATH';
    return leftOut(`there is no program ${JSON.stringify(server.command)} ${where}`);
  }
  return {server, kind: 'told', as: {...as, command: program}};
}

/** The absolute path of the program that a command means; undefined where there is none that can be run. */
function programOf(
  command: string,
  {path, base}: {readonly path: string | undefined; readonly base: string},
): string | undefined {
  if (!command.includes('/')) return programOnPath(command, path);
  const file = resolve(base, command.replace(/^~(?=\/)/, homedir()));
  return canBeRun(file) ? file : undefined;
}

/** The address itself is not repeated: it may hold what nobody should read. */
function problemWithAddress({url, headers}: Pick<acp.McpServerHttp, 'url' | 'headers'>): string | undefined {
  if (!/^https?:$/.test(URL.parse(url)?.protocol ?? '')) return 'its url is no http or https address';
  const bad = headers.find(({value}) => /[\r\n\0]/.test(value));
  return bad && `the header ${JSON.stringify(bad.name)} has a line break in it`;
}
