import {constants} from 'node:os';
import {finished} from 'node:stream/promises';
import type {spawn} from '@lydell/node-pty';
import {execa} from 'execa';
import type {ProcessExit, Result} from '../../shared/failure.ts';
import type {Sandbox} from '../../sandbox/sandbox.ts';
import type {OutputSource} from './output.ts';

export interface ProcessToStart {
  /** The first is a path. */
  readonly argv: readonly [string, ...string[]];
  readonly cwd: string;
  /** Where to start it instead, if `cwd` might lead elsewhere by now; PWD is still `cwd`. */
  readonly startIn?: string | undefined;
  /** Its complete environment. */
  readonly env: NodeJS.ProcessEnv;
  /** Where it runs; absent if it is not confined. */
  readonly sandbox?: Sandbox | undefined;
}

/** The process of a command: leader of its process group, and with a pseudo-terminal of its session. */
export interface CommandProcess {
  readonly pid: number;
  readonly output: OutputSource;
  readonly onExit: (listener: (exit: ProcessExit) => void) => void;
  /** Types into it; undefined if it has no input. */
  readonly type?: (text: string) => void;
  /** Closes the remaining pipes or the terminal. */
  readonly dispose: () => void;
}

/** The reason why no process was started. */
export interface NotStarted {
  readonly problem: Promise<string>;
}

/** Starts a program in a pseudo-terminal. */
export type SpawnPty = typeof spawn;

/** The size of a command's terminal, in characters. */
const PTY_SIZE = {cols: 80, rows: 24} as const;

/** The part of node-pty's socket in use: it has no public API for when to close. */
interface Socket {
  destroy(): unknown;
  once(event: 'close', listener: () => void): unknown;
}

/** Loads node-pty, a native module that is missing on some systems; throws if it cannot be loaded. */
export async function loadPty(): Promise<SpawnPty> {
  const {default: pty} = await import('@lydell/node-pty');
  return pty.spawn;
}

/** Linux accepts no longer argument, and node-pty would report that only in the child. */
const MAX_ARGUMENTS = 100_000;

/** True if node-pty can start this command reliably. */
export function fitsPty({argv}: ProcessToStart): boolean {
  return argv.reduce((sum, {length}) => sum + length, 0) < MAX_ARGUMENTS;
}

/** Returns the command that starts a command in its sandbox, which sets its folder itself; unchanged without a sandbox. */
export function applySandbox(command: ProcessToStart, isInTerminal: boolean): Result<ProcessToStart> {
  const {sandbox, argv, cwd, env} = command;
  const confined = sandbox?.confine(argv, {cwd, env, isInTerminal});
  return confined?.ok
    ? {ok: true, value: {cwd, ...confined.value}}
    : (confined ?? {ok: true, value: command});
}

/** Starts a command in a pseudo-terminal, as the leader of its session. Synchronous; throws if none is available. */
export function startInPty(spawnPty: SpawnPty, command: ProcessToStart): CommandProcess {
  const {cwd, startIn = cwd, env} = command;
  const [file, ...args] = withWorkingFolder(command);
  const options = {...PTY_SIZE, name: env['TERM'] ?? 'dumb', cwd: startIn, env, encoding: null};
  const pty = spawnPty(file, args, options);
  const socket = Reflect.get(pty, '_socket') as Socket;
  const destroy = socket.destroy.bind(socket);
  const {promise: closed, resolve} = Promise.withResolvers<void>();
  socket.once('close', () => resolve());
  // node-pty closes the terminal 200 ms after the command has exited, even if its output was not read yet.
  socket.destroy = () => {
    pty.resume();
    setImmediate(() => setImmediate(destroy));
  };
  return {
    pid: pty.pid,
    output: {
      // node-pty's types only know text; without an encoding it emits bytes.
      onBytes: (listener) => void pty.onData((data) => listener(data as unknown as Uint8Array)),
      pause: () => pty.pause(),
      resume: () => pty.resume(),
      closed,
    },
    onExit: (listener) =>
      void pty.onExit(({exitCode, signal}) =>
        listener(signal ? {code: null, signal: signalName(signal)} : {code: exitCode, signal: null}),
      ),
    type: (text) => pty.write(text),
    dispose: destroy,
  };
}

/** node-pty sets PWD to the path it starts in; a shell has to change to the folder by its own name. */
function withWorkingFolder({argv, cwd, startIn}: ProcessToStart): ProcessToStart['argv'] {
  return startIn === undefined ? argv : ['/bin/sh', '-c', 'PWD=$0 && export PWD && exec "$@"', cwd, ...argv];
}

function signalName(number: number): string {
  const found = Object.entries(constants.signals).find(([, each]) => each === number);
  return found?.[0] ?? `SIG${number}`;
}

/** Starts a command without input, and with one pipe for both output streams. Synchronous. */
export function startPiped({argv, cwd, startIn, env}: ProcessToStart): CommandProcess | NotStarted {
  // A shell joins both streams, which keeps their order.
  const child = execa('/bin/sh', ['-c', 'exec "$@" 2>&1', 'sh', ...argv], {
    cwd: startIn ?? cwd,
    env: {...env, PWD: cwd},
    extendEnv: false,
    detached: true,
    cleanup: false,
    stdin: 'ignore',
    stderr: 'ignore',
    encoding: 'buffer',
    buffer: false,
    reject: false,
  });
  if (child.pid === undefined)
    return {problem: child.then((result) => result.originalMessage ?? 'the system did not say why')};
  const {stdout} = child;
  return {
    pid: child.pid,
    output: {
      onBytes: (listener) => void stdout.on('data', listener),
      pause: () => stdout.pause(),
      resume: () => stdout.resume(),
      closed: finished(stdout).catch(() => undefined),
    },
    onExit: (listener) =>
      void child.nodeChildProcess.once('exit', (code, signal) => listener({code, signal})),
    dispose: () => stdout.destroy(),
  };
}
