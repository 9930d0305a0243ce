import {constants} from 'node:os';
import {finished} from 'node:stream/promises';
import type {spawn} from '@lydell/node-pty';
import {execa} from 'execa';
import type {ProcessExit} from '../../shared/failure.ts';
import type {OutputSource} from './output.ts';

export interface ProcessToStart {
  /** The first is a path. */
  readonly argv: readonly [string, ...string[]];
  readonly cwd: string;
  /** Where to start it instead, when `cwd` might lead elsewhere by now; it still hears of `cwd`. */
  readonly startIn?: string | undefined;
  /** All of its environment. */
  readonly env: NodeJS.ProcessEnv;
}

/** A command's first process: the leader of its own process group, and in a pseudo-terminal of its session. */
export interface CommandProcess {
  readonly pid: number;
  readonly output: OutputSource;
  readonly onExit: (listener: (exit: ProcessExit) => void) => void;
  /** Types into it; undefined where it has no input. */
  readonly type?: (text: string) => void;
  /** Gives up what is still open between it and us. */
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

/** What is used of node-pty's own socket: it has no public way to say when to close. */
interface Socket {
  destroy(): unknown;
  once(event: 'close', listener: () => void): unknown;
}

/** Loads node-pty, a native module that is missing on some systems; throws when it cannot be loaded. */
export async function loadPty(): Promise<SpawnPty> {
  const {default: pty} = await import('@lydell/node-pty');
  return pty.spawn;
}

/** Linux takes no longer argument, and node-pty would only start a child that says so. */
const MAX_ARGUMENTS = 100_000;

/** True if node-pty can start this command reliably. */
export function fitsPty({argv}: ProcessToStart): boolean {
  return argv.reduce((sum, {length}) => sum + length, 0) < MAX_ARGUMENTS;
}

/** Starts a command in a pseudo-terminal, as the leader of its session. Synchronous; throws where there is none to be had. */
export function startInPty(spawnPty: SpawnPty, command: ProcessToStart): CommandProcess {
  const {cwd, startIn = cwd, env} = command;
  const [file, ...args] = withWorkingFolder(command);
  const options = {...PTY_SIZE, name: env['TERM'] ?? 'dumb', cwd: startIn, env, encoding: null};
  const pty = spawnPty(file, args, options);
  const socket = Reflect.get(pty, '_socket') as Socket;
  const destroy = socket.destroy.bind(socket);
  const {promise: closed, resolve} = Promise.withResolvers<void>();
  socket.once('close', () => resolve());
  // node-pty closes the terminal 200 ms after the end of the command, even when it did not come to read what is in it.
  socket.destroy = () => {
    pty.resume();
    setImmediate(() => setImmediate(destroy));
  };
  return {
    pid: pty.pid,
    output: {
      // node-pty's types know only text; without an encoding it gives bytes.
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

/** node-pty makes PWD the path that it starts in: only a shell can say the folder's own name after that. */
function withWorkingFolder({argv, cwd, startIn}: ProcessToStart): ProcessToStart['argv'] {
  return startIn === undefined ? argv : ['/bin/sh', '-c', 'PWD=$0 && export PWD && exec "$@"', cwd, ...argv];
}

function signalName(number: number): string {
  const found = Object.entries(constants.signals).find(([, each]) => each === number);
  return found?.[0] ?? `SIG${number}`;
}

/** Starts a command without input, and with one pipe for both of its streams. Synchronous. */
export function startPiped({argv, cwd, startIn, env}: ProcessToStart): CommandProcess | NotStarted {
  // What was printed first comes first: only a shell can tie the streams together.
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
