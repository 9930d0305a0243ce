import {closeSync, constants, fstatSync, openSync, renameSync, statSync, writeSync} from 'node:fs';
import {dirname} from 'node:path';
import {LOG_LEVELS, type LogLevel} from '../shared/log-level.ts';
import {createMask, type Secrets} from './mask.ts';
import {makeFolder, PRIVATE_FILE} from './files.ts';

/** Our own log, instead of a console that belongs to the screen. */
export interface Log {
  /** Undefined if nothing is written. */
  readonly file: string | undefined;
  /** One line: time, pid, level, message with control characters escaped and credentials masked. Never throws. */
  readonly write: (level: LogLevel, message: string) => void;
  /** Writes what waits; for the end of the program, also a crash. */
  readonly flush: () => void;
}

export interface LogOptions {
  /** Without one nothing is written. */
  readonly file: string | undefined;
  /** This level and those that are graver are written. */
  readonly level: LogLevel;
  /** Whose secret values are masked. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** What else is. */
  readonly secrets?: Secrets;
  /** Now, in milliseconds since the epoch. */
  readonly now: () => number;
  /** From this size on the file becomes `<file>.1`, in place of an older one. */
  readonly maxBytes?: number;
}

const MAX_BYTES = 4 * 1024 * 1024;
/** The end of a longer message tells nothing more. Twice as much is masked, so that no secret is cut and not recognized. */
const MAX_MESSAGE = 4000;

/** Opens the log with the first line that is written. Where it cannot be written, lines are dropped: a log is worth no failure. */
export function createLog({file, level, env, secrets, now, maxBytes = MAX_BYTES}: LogOptions): Log {
  const mask = createMask(env, secrets);
  const enabled = new Set(LOG_LEVELS.slice(0, LOG_LEVELS.indexOf(level) + 1));
  let waiting = '';
  let scheduled: NodeJS.Immediate | undefined;
  let handle: number | undefined;

  function flush(): void {
    clearImmediate(scheduled);
    scheduled = undefined;
    const text = waiting;
    waiting = '';
    if (text === '' || file === undefined) return;
    try {
      handle = rotated(file, {handle: handle ?? open(file), maxBytes});
      writeSync(handle, text);
    } catch {
      handle = undefined;
    }
  }

  return {
    file,
    write(messageLevel, message) {
      if (!enabled.has(messageLevel)) return;
      const text = escapeControls(mask(message.slice(0, 2 * MAX_MESSAGE)).slice(0, MAX_MESSAGE));
      waiting += `${new Date(now()).toISOString()} ${process.pid} ${messageLevel} ${text}\n`;
      scheduled ??= setImmediate(flush).unref();
    },
    flush,
  };
}

function open(file: string): number {
  makeFolder(dirname(file));
  // A pipe without a reader is no log, and is not waited for.
  const flags = constants.O_WRONLY | constants.O_APPEND | constants.O_CREAT | (constants.O_NONBLOCK ?? 0);
  return openSync(file, flags, PRIVATE_FILE);
}

/** Several processes write the same log: whoever finds it full renames it, the others notice and follow. */
function rotated(file: string, {handle, maxBytes}: {handle: number; maxBytes: number}): number {
  const current = fstatSync(handle);
  const there = statSync(file, {throwIfNoEntry: false});
  const isSame = there?.ino === current.ino;
  if (isSame && current.size < maxBytes) return handle;
  closeSync(handle);
  if (isSame) renameSync(file, `${file}.1`);
  return open(file);
}

function escapeControls(text: string): string {
  return text
    .replaceAll('\n', '\\n')
    .replaceAll('\t', '\\t')
    .replace(
      /[\u0000-\u001f\u007f-\u009f\u2028\u2029]/g,
      (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
    );
}
