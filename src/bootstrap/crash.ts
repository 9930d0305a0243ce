import {writeSync} from 'node:fs';
import type {Log} from '../storage/log.ts';

/** Where the stack of an unexpected error goes: never to the terminal. */
interface CrashLog {
  readonly log: Log;
  /** Undefined if nothing is stored. */
  readonly file: string | undefined;
}

let known: CrashLog | undefined;

/** From now on an unexpected error is written into this log. */
export function logCrashesIn(log: Log, file: string | undefined): void {
  known = {log, file};
}

/** Ends the program with one sentence and exit code 1 on an error that nothing expected; a window, which listens itself, leaves in order. */
export function watchCrashes(): void {
  // A file that may not grow any more (`ulimit -f`) is an error of what writes it, as a full disk is.
  process.on('SIGXFSZ', () => {});
  // Nobody is left to be told that standard error is gone.
  process.stderr.on('error', () => {});
  process.on('uncaughtException', crashed);
  process.on('unhandledRejection', crashed);
}

function crashed(error: unknown): void {
  if (process.listenerCount('uncaughtException') > 1) return;
  process.off('uncaughtException', crashed).off('unhandledRejection', crashed);
  // What fails now may fail unheard: this way out has to end.
  process.on('uncaughtException', () => {}).on('unhandledRejection', () => {});
  void end(error);
}

async function end(error: unknown): Promise<never> {
  const why = (error instanceof Error ? error.message : String(error)).split('\n', 1)[0] ?? '';
  const file = await writtenInto(error);
  const where = file === undefined ? '' : ` See the log: ${file}`;
  try {
    writeSync(2, `acp-tui: Unexpected error (${printable(why)}).${where}\n`);
  } finally {
    process.exit(1);
  }
}

/** The log that contains the error, if there is one. */
async function writtenInto(error: unknown): Promise<string | undefined> {
  try {
    const {log, file} = known ?? (await defaultLog());
    log.write('error', `crashed: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`);
    log.flush();
    return file;
  } catch {
    return undefined;
  }
}

async function defaultLog(): Promise<CrashLog> {
  const [{createLog}, {findPaths, logFile}] = await Promise.all([
    import('../storage/log.ts'),
    import('../storage/paths.ts'),
  ]);
  const file = logFile(findPaths());
  return {log: createLog({file, level: 'error', env: process.env, now: Date.now}), file};
}

function printable(text: string): string {
  return text.replaceAll(/\p{Cc}/gu, ' ');
}
