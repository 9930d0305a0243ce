import {existsSync} from 'node:fs';
import type {Readable, Writable} from 'node:stream';
import {finished} from 'node:stream/promises';
import {setTimeout as sleep} from 'node:timers/promises';
import {delimiter, join} from 'node:path';
import {execa} from 'execa';
import type {WireEvent} from '../recording/format.ts';
import {fail, type Failure, type ProcessExit, type Result} from '../shared/failure.ts';
import type {ConfinedCommand, Sandbox} from '../sandbox/sandbox.ts';
import type {OpenSandbox} from '../sandbox/session-sandbox.ts';
import {isFolder} from '../shared/files/folders.ts';
import {openLeash} from '../shared/processes/leash.ts';
import {createMarker, descendants, endTree, killTree} from '../shared/processes/process-tree.ts';
import {agentEnvironment} from './environment.ts';
import {invalidAgent, CORRECT_SETTINGS} from './command-line.ts';
import type {AgentCommand, ResolveOptions} from './resolve.ts';
import type {RunningAgent} from './running-agent.ts';
import type {RemoteAgent} from './remote/remote-agent.ts';

interface LaunchOptions {
  /** Absolute; the working folder of the agent. */
  readonly cwd: string;
  /** What it inherits, with the PATH on which it is found; by default that of this process. */
  readonly environment?: NodeJS.ProcessEnv;
  /** Opens the sandbox that it is started in; without one it is not confined. */
  readonly sandbox?: OpenSandbox | undefined;
  /** Called on start, exit, and for everything the agent writes on stderr. */
  readonly onEvent?: (event: ProcessEvent) => void;
}

/** How agents are started: those of the program, and of tests in their own process. */
export interface AgentStarts {
  /** The command that `demo` stands for. */
  readonly demoCommand: ResolveOptions['demoCommand'];
  /** By default {@link startAgent}. */
  readonly startAgent?: typeof startAgent | undefined;
}

export type ProcessEvent = Exclude<WireEvent, {kind: 'message'}>;

/** Launches a local agent, or connects to a remote one. */
export async function startAgent(
  agent: AgentCommand,
  options: LaunchOptions & Required<Pick<LaunchOptions, 'onEvent'>>,
): Promise<Result<AgentProcess | RemoteAgent>> {
  const {remote} = agent;
  if (!remote) return launchAgent(agent, options);
  if (options.sandbox) return fail({kind: 'sandbox', reason: 'remote'});
  const {connectRemoteAgent} = await import('./remote/remote-agent.ts');
  return connectRemoteAgent({...agent, remote}, options);
}

/** How long an agent may take to exit after its stdin is closed, and then after SIGTERM. */
const STDIN_GRACE_MS = 2000;
const TERM_GRACE_MS = 1000;
/** How long output may still arrive or stay unread after the process has exited: a descendant may hold the pipe. */
const DRAIN_MS = 500;

/** Starts an agent in a new process group. A command that cannot be started is a failure with the reason. */
export async function launchAgent(agent: AgentCommand, options: LaunchOptions): Promise<LaunchResult> {
  const place = await placeOf(agent, options);
  if (!place.ok) return place;
  const spawned = spawnAgent(agent, place.value);
  if (!spawned.ok) return spawned;
  const {child, ...foundBy} = spawned.value;
  const {pid} = child;
  if (pid === undefined) return notStarted(agent, place.value, (await child) as StartError);
  const {onEvent = () => {}} = options;
  const {label, command, args} = agent;
  onEvent({kind: 'started', pid, at: Date.now(), agent: {label, command, args}, cwd: options.cwd});
  const tree = {pid, ...foundBy};
  const stdout = readableBytes(child.stdout);
  const stderr = createStderrTail(child.stderr, (text) =>
    onEvent({kind: 'stderr', pid, at: Date.now(), text}),
  );
  const stderrEnded = finished(child.stderr).catch(() => {});
  const gone = new Promise<ProcessExit>((resolve) => {
    child.nodeChildProcess.once('exit', (code, signal) => {
      setTimeout(stdout.end, DRAIN_MS).unref();
      resolve({code, signal});
    });
  });
  const exited = gone.then(async (exit) => {
    await Promise.race([
      Promise.all([stdout.delivered, stderrEnded]),
      sleep(DRAIN_MS, undefined, {ref: false}),
    ]);
    onEvent({kind: 'exited', pid, at: Date.now(), ...exit, asked: isAsked});
    return exit;
  });

  async function end(): Promise<void> {
    isAsked = true;
    const seen = descendants(tree);
    child.stdin.end();
    await Promise.race([gone, sleep(STDIN_GRACE_MS, undefined, {ref: false})]);
    await endTree({...tree, seen}, {graceMs: TERM_GRACE_MS});
    isOver = true;
  }
  /** True once acp-tui is stopping it. */
  let isAsked = false;
  let isOver = false;
  let stopping: Promise<void> | undefined;

  const running: AgentProcess = {
    pid,
    stdin: writableBytes(child.stdin),
    stdout: stdout.stream,
    stderrTail: stderr,
    exited,
    closeInput() {
      isAsked = true;
      child.stdin.end();
    },
    living: () => descendants(tree).length,
    stop: () => (stopping ??= end().finally(stdout.end)),
    killNow: () => {
      // The process id may have been reused.
      if (!isOver) killTree({...tree, signal: 'SIGKILL'});
    },
  };
  return {ok: true, value: running};
}

interface LaunchPlace extends Required<Pick<LaunchOptions, 'cwd' | 'environment'>> {
  readonly sandbox: Sandbox | undefined;
}

/** Where it is started, or what is wrong with that. Inside a sandbox, a missing program would be an agent that exits early. */
async function placeOf(
  agent: AgentCommand,
  {cwd, environment = agentEnvironment(process.env), sandbox: open}: LaunchOptions,
): Promise<Result<LaunchPlace>> {
  if (!(await isFolder(cwd))) return fail({kind: 'file', path: cwd, problem: 'no such folder'});
  const opened = await open?.();
  if (opened && !opened.ok) return opened;
  if (opened && find(agent.command, environment) === undefined)
    return notStarted(agent, {environment}, {code: 'ENOENT'});
  return {ok: true, value: {cwd, environment, sandbox: opened?.value}};
}

/** Returns the failure for an agent whose program does not exist, without starting it. */
export function missingProgramFailure(
  agent: AgentCommand,
  environment: NodeJS.ProcessEnv,
): Failure | undefined {
  const {command, env} = agent;
  // Found on the agent's own PATH, if it has one.
  if (env['PATH'] !== undefined || find(command, environment) !== undefined) return undefined;
  return {kind: 'command_not_found', command, ...meantBy(agent)};
}

/** What may be meant by a command that is not found. */
function meantBy({installable, similar}: AgentCommand): Pick<AgentCommand, 'installable' | 'similar'> {
  return {...(installable !== undefined && {installable}), ...(similar !== undefined && {similar})};
}

interface StartError {
  readonly code?: string;
  readonly originalMessage?: string;
}

function notStarted(
  agent: AgentCommand,
  {environment}: Pick<LaunchPlace, 'environment'>,
  {code, originalMessage}: StartError,
): Result<never> {
  const {label, command} = agent;
  // All that is stored of a remote agent whose URL has variables.
  if (command.includes('${'))
    return invalidAgent(label, `it is no longer in the settings; its URL was ${command}`, CORRECT_SETTINGS);
  const failure = launchFailure(command, {code, message: originalMessage ?? ''}, environment);
  return fail(failure.kind === 'command_not_found' ? {...failure, ...meantBy(agent)} : failure);
}

/** Starts it; returns its process, and by what all that it starts is found. */
function spawnAgent(agent: AgentCommand, {cwd, environment, sandbox}: LaunchPlace) {
  const marker = createMarker();
  const env = {...(sandbox?.policy.environment ?? environment), ...agent.env, [marker]: '1'};
  const plain: ConfinedCommand = {argv: [agent.command, ...agent.args], env};
  const confined: Result<ConfinedCommand> = sandbox?.confine(plain.argv, {cwd, env}) ?? {
    ok: true,
    value: plain,
  };
  if (!confined.ok) return confined;
  const {argv, env: whole} = confined.value;
  const [command, ...args] = argv;
  // In a sandbox, all ends with its first process.
  const leash = sandbox ? undefined : openLeash();
  const child = execa(command, args, {
    cwd,
    env: whole,
    extendEnv: false,
    detached: true,
    cleanup: false,
    stdio: leash?.stdio ?? ['pipe', 'pipe', 'pipe'],
    buffer: false,
    reject: false,
  });
  leash?.close();
  return {ok: true, value: {child, marker, leash}} as const;
}

/** An agent process on this computer. */
export interface AgentProcess extends RunningAgent {
  /** Raw bytes, for the transport. */
  readonly stdin: WritableStream<Uint8Array>;
  readonly stdout: ReadableStream<Uint8Array>;
  /** Resolves when the process has exited and all its output has been read, or half a second later. */
  readonly exited: Promise<ProcessExit>;
  /** Closes stdin, which asks the agent to exit. */
  closeInput(): void;
  /** Returns how many processes of its tree are alive, including orphans; at most 1 on systems other than Linux. */
  living(): number;
  /** Closes stdin, waits up to 2 s, then sends SIGTERM and SIGKILL to the whole tree; resolves when nothing is left. */
  stop(): Promise<void>;
  /** Kills the whole tree synchronously, for exits that cannot wait. */
  killNow(): void;
}

type LaunchResult = Result<AgentProcess>;

const LIMIT = 64 * 1024;

/** Keeps the last 64 KiB (UTF-16 units) of a stream; returns a function that reads them. */
function createStderrTail(stream: Readable, listener: (text: string) => void): () => string {
  let tail = '';
  stream.setEncoding('utf8');
  stream.on('data', (text: string) => {
    tail = (tail + text).slice(-LIMIT);
    listener(text);
  });
  stream.on('error', () => {});
  return () => tail;
}

/**
 * Returns the bytes of a child's stdout. `end` closes the stream although the pipe is still open: a daemon left behind by the child may hold the other end,
 * and Node's `Readable.toWeb` would wait for it. After a cancel the rest is read and dropped, so that a child that still writes while exiting is not killed by
 * a closed pipe. `delivered` resolves when the reader, which handles what it has read before it reads on, gets the end.
 */
function readableBytes(source: Readable) {
  const {promise: delivered, resolve: close} = Promise.withResolvers<void>();
  let controller: ReadableStreamDefaultController<Uint8Array> | undefined;
  let isWanted = false;
  let hasEnded = false;
  /** Passes on everything that has arrived, in one piece. */
  function pass(): void {
    const bytes = source.read() as Uint8Array | null;
    if (!bytes) return;
    isWanted = false;
    controller?.enqueue(bytes);
  }
  function closeIfWanted(): void {
    if (!hasEnded || !isWanted) return;
    controller?.close();
    controller = undefined;
    close();
  }
  function end(): void {
    if (hasEnded) return;
    pass();
    hasEnded = true;
    source.destroy();
    closeIfWanted();
  }
  const stream = new ReadableStream<Uint8Array>(
    {
      start(started) {
        controller = started;
        source.on('readable', () => isWanted && pass());
        for (const event of ['end', 'close', 'error']) source.on(event, end);
      },
      pull() {
        isWanted = true;
        if (!hasEnded) pass();
        closeIfWanted();
      },
      cancel() {
        controller = undefined;
        source.removeAllListeners('readable').resume();
        close();
      },
    },
    {highWaterMark: 0},
  );
  return {stream, end, delivered};
}

/** Returns a writer to a child's stdin; a write fails once the child no longer reads. */
function writableBytes(target: Writable): WritableStream<Uint8Array> {
  target.on('error', () => {});
  return new WritableStream<Uint8Array>({
    write: (chunk) =>
      new Promise((resolve, reject) => {
        target.write(chunk, (error) => (error ? reject(error) : resolve()));
      }),
    close: () => void target.end(),
  });
}

/** Returns the reason why a command could not be started, from the system's error code (such as `ENOENT`). */
export function launchFailure(
  command: string,
  error: {readonly code: string | undefined; readonly message: string},
  environment: NodeJS.ProcessEnv,
): Failure {
  const file = find(command, environment);
  if (file === undefined) return {kind: 'command_not_found', command};
  return {kind: 'not_executable', command: file, problem: problemOf(error)};
}

function problemOf({code, message}: {code: string | undefined; message: string}): string {
  if (code === 'EACCES') return 'it is not an executable file';
  if (code === 'ENOEXEC') return 'its format is not supported on this system';
  // The file exists, so its interpreter is missing.
  if (code === 'ENOENT') return 'the interpreter in its first line does not exist';
  return message;
}

/** Returns the file that would run: a path as it is, a name resolved on PATH, executable or not. */
function find(command: string, environment: NodeJS.ProcessEnv): string | undefined {
  const places = command.includes('/')
    ? [command]
    : (environment['PATH'] ?? '').split(delimiter).map((folder) => join(folder, command));
  return places.find((place) => existsSync(place));
}
