import {finished} from 'node:stream/promises';
import {execa} from 'execa';
import type {CommandProcess, NotStarted, ProcessToStart} from './command-process.ts';

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
