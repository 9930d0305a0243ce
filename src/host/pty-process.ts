import {constants} from 'node:os';
import type {spawn} from '@lydell/node-pty';
import type {CommandProcess, ProcessToStart} from './command-process.ts';

/** What starts a program in a pseudo-terminal. */
export type SpawnPty = typeof spawn;

/** The size of a command's terminal, in characters. */
export const PTY_SIZE = {cols: 80, rows: 24} as const;

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
const LONGEST_ARGUMENTS = 100_000;

/** Whether node-pty can be trusted to start this. */
export function fitsPty({argv}: ProcessToStart): boolean {
  return argv.reduce((sum, {length}) => sum + length, 0) < LONGEST_ARGUMENTS;
}

/** Starts a command in a pseudo-terminal, as the leader of its session. Synchronous; throws where there is none to be had. */
export function startInPty(spawnPty: SpawnPty, command: ProcessToStart): CommandProcess {
  const {cwd, startIn = cwd, env} = command;
  const [file, ...args] = hearingOfFolder(command);
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
function hearingOfFolder({argv, cwd, startIn}: ProcessToStart): ProcessToStart['argv'] {
  return startIn === undefined ? argv : ['/bin/sh', '-c', 'PWD=$0 && export PWD && exec "$@"', cwd, ...argv];
}

function signalName(number: number): string {
  const found = Object.entries(constants.signals).find(([, each]) => each === number);
  return found?.[0] ?? `SIG${number}`;
}
