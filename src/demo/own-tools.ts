import {spawn, type ChildProcess} from 'node:child_process';
import {randomUUID} from 'node:crypto';
import {readFile, writeFile} from 'node:fs/promises';
import type * as acp from '@agentclientprotocol/sdk/unstable';
import type {OwnMethods, SendUpdate} from '../protocol/agent-side/version-2-side.ts';

/** A command of the agent's own. */
interface OwnTerminal {
  readonly child: ChildProcess;
  readonly exited: Promise<acp.WaitForTerminalExitResponse>;
  output: string;
}

/** Files and commands where the client does not offer them, as in version 2: the agent uses them itself, and reports what a command prints. */
export const ownTools: OwnMethods = (send) => {
  const terminals = new Map<string, OwnTerminal>();
  const terminalOf = ({terminalId}: object & {readonly terminalId?: unknown}): OwnTerminal => {
    const terminal = terminals.get(String(terminalId));
    if (!terminal) throw new Error(`no terminal "${String(terminalId)}"`);
    return terminal;
  };
  return {
    'fs/read_text_file': async ({path}) => ({content: await readFile(String(path), 'utf8')}),
    async 'fs/write_text_file'({path, content}) {
      await writeFile(String(path), String(content));
      return {};
    },
    async 'terminal/create'(params) {
      const terminalId = randomUUID();
      terminals.set(terminalId, start(params as unknown as acp.CreateTerminalRequest, terminalId, send));
      return {terminalId};
    },
    'terminal/wait_for_exit': async (params) => terminalOf(params).exited,
    'terminal/output': async (params) => ({output: terminalOf(params).output, truncated: false}),
    async 'terminal/kill'(params) {
      terminalOf(params).child.kill();
      return {};
    },
    async 'terminal/release'({terminalId}) {
      terminals.delete(String(terminalId));
      return {};
    },
  };
};

function start(
  {command, args = [], cwd, sessionId}: acp.CreateTerminalRequest,
  terminalId: string,
  send: SendUpdate,
): OwnTerminal {
  const report = (kind: 'terminal_update' | 'terminal_output_chunk', facts: object) =>
    send(sessionId, {sessionUpdate: kind, terminalId, ...facts});
  const child = spawn(command, args, {cwd: cwd ?? undefined, stdio: ['ignore', 'pipe', 'pipe']});
  report('terminal_update', {command: [command, ...args].join(' '), ...(cwd && {cwd})});
  const exited = Promise.withResolvers<acp.WaitForTerminalExitResponse>();
  const terminal: OwnTerminal = {child, exited: exited.promise, output: ''};
  const take = (data: Buffer) => {
    terminal.output += data.toString();
    report('terminal_output_chunk', {data: data.toString('base64')});
  };
  child.stdout.on('data', take);
  child.stderr.on('data', take);
  child.once('error', exited.reject);
  child.once('close', (exitCode, signal) => {
    report('terminal_update', {exitStatus: {exitCode, signal}});
    exited.resolve({exitCode, signal});
  });
  return terminal;
}
