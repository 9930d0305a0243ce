import {writeSync} from 'node:fs';
import type {Log} from '../../storage/log.ts';
import {errorMessage, errorStack} from '../../shared/failure.ts';

/** The log for stacks of unexpected errors, which are never printed on the terminal. */
interface CrashLog {
  readonly log: Log;
  /** Undefined if nothing is stored. */
  readonly file: string | undefined;
}

let known: CrashLog | undefined;

/** Writes unexpected errors to this log from now on. */
export function logCrashesIn(log: Log, file: string | undefined): void {
  known = {log, file};
}

/** Ends the program with one sentence and exit code 1 on an unexpected error; a window has its own handler and exits cleanly. */
export function watchCrashes(): void {
  // A file at its size limit (`ulimit -f`) is an error of the write, like a full disk.
  process.on('SIGXFSZ', () => {});
  // Without standard error there is nowhere to report to.
  process.stderr.on('error', () => {});
  process.on('uncaughtException', crashed);
  process.on('unhandledRejection', crashed);
}

function crashed(error: unknown): void {
  if (process.listenerCount('uncaughtException') > 1) return;
  process.off('uncaughtException', crashed).off('unhandledRejection', crashed);
  // Further errors are ignored, so that the exit completes.
  process.on('uncaughtException', () => {}).on('unhandledRejection', () => {});
  void end(error);
}

async function end(error: unknown): Promise<never> {
  const why = errorMessage(error).split('\n', 1)[0] ?? '';
  const file = await writtenInto(error);
  const where = file === undefined ? '' : ` See the log: ${file}`;
  try {
    writeSync(2, `acp-tui: Unexpected error (${printable(why)}).${where}\n`);
  } finally {
    process.exit(1);
  }
}

/** Returns the log that contains the error, if there is one. */
async function writtenInto(error: unknown): Promise<string | undefined> {
  try {
    const {log, file} = known ?? (await defaultLog());
    log.write('error', `crashed: ${errorStack(error)}`);
    log.flush();
    return file;
  } catch {
    return undefined;
  }
}

async function defaultLog(): Promise<CrashLog> {
  const [{createLog}, {findPaths, logFile}] = await Promise.all([
    import('../../storage/log.ts'),
    import('../../shared/files/paths.ts'),
  ]);
  const file = logFile(findPaths());
  return {log: createLog({file, level: 'error', env: process.env, now: Date.now}), file};
}

function printable(text: string): string {
  return text.replaceAll(/\p{Cc}/gu, ' ');
}
