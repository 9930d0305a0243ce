import {stat} from 'node:fs/promises';
import {finished} from 'node:stream/promises';
import {setTimeout as sleep} from 'node:timers/promises';
import {execa} from 'execa';
import type {Failure, ProcessExit} from '../failure.ts';
import {createMarker, descendants, endTree, killTree} from '../process-tree.ts';
import type {AgentCommand} from './agent-command.ts';
import type {AgentProcess, LaunchResult} from './agent-process.ts';
import {agentEnvironment} from './environment.ts';
import {launchFailure} from './launch-failure.ts';
import {createStderrTail} from './stderr-tail.ts';
import {readableBytes, writableBytes} from './web-streams.ts';

export interface LaunchOptions {
  /** Absolute; the agent runs there. */
  readonly cwd: string;
  /** Everything that the agent writes on stderr, as it comes. */
  readonly onStderr?: (text: string) => void;
}

/** How long an agent may take to end by itself once its stdin is closed, and then after SIGTERM. */
const STDIN_GRACE_MS = 2000;
const TERM_GRACE_MS = 1000;
/** How long output may still come after the process has ended, when something it started holds the pipe. */
const DRAIN_MS = 500;

/** Starts an agent in a process group of its own. A command that cannot be started is a failure that says why. */
export async function launchAgent(agent: AgentCommand, options: LaunchOptions): Promise<LaunchResult> {
  if (!(await isFolder(options.cwd)))
    return fail({kind: 'file', path: options.cwd, problem: 'there is no such folder'});
  const marker = createMarker();
  const child = execa(agent.command, agent.args, {
    cwd: options.cwd,
    env: agentEnvironment(process.env, {...agent.env, [marker]: '1'}),
    extendEnv: false,
    detached: true,
    cleanup: false,
    stdin: 'pipe',
    stdout: 'pipe',
    stderr: 'pipe',
    buffer: false,
    reject: false,
  });
  if (child.pid === undefined) {
    const {code, originalMessage} = (await child) as {code?: string; originalMessage?: string};
    return fail(await launchFailure(agent.command, {code, message: originalMessage ?? ''}));
  }
  const tree = {pid: child.pid, marker};
  const stdout = readableBytes(child.stdout);
  const stderr = createStderrTail(child.stderr, options.onStderr);
  const stderrEnded = finished(child.stderr).catch(() => {});
  const gone = new Promise<ProcessExit>((resolve) => {
    child.nodeChildProcess.once('exit', (code, signal) => {
      setTimeout(stdout.end, DRAIN_MS).unref();
      resolve({code, signal});
    });
  });
  const exited = gone.then(async (exit) => {
    await Promise.race([stderrEnded, sleep(DRAIN_MS, undefined, {ref: false})]);
    return exit;
  });

  async function end(): Promise<void> {
    const seen = descendants(tree);
    child.stdin.end();
    await Promise.race([gone, sleep(STDIN_GRACE_MS, undefined, {ref: false})]);
    await endTree({...tree, seen}, {graceMs: TERM_GRACE_MS});
    isOver = true;
  }
  let isOver = false;
  let stopping: Promise<void> | undefined;

  const running: AgentProcess = {
    pid: child.pid,
    stdin: writableBytes(child.stdin),
    stdout: stdout.stream,
    stderrTail: stderr,
    exited,
    closeInput: () => void child.stdin.end(),
    living: () => descendants(tree).length,
    stop: () => (stopping ??= end().finally(stdout.end)),
    killNow: () => {
      // Its id may be another's by now.
      if (!isOver) killTree({...tree, signal: 'SIGKILL'});
    },
  };
  return {ok: true, value: running};
}

async function isFolder(path: string): Promise<boolean> {
  return stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );
}

function fail(failure: Failure): LaunchResult {
  return {ok: false, failure};
}
