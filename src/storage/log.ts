import {closeSync, constants, fstatSync, openSync, renameSync, statSync, writeSync} from 'node:fs';
import {dirname} from 'node:path';
import {LOG_LEVELS, type LogLevel} from '../shared/log-level.ts';
import {createMask, type Secrets} from '../shared/mask.ts';
import {makeFolder, PRIVATE_FILE} from '../shared/files/safe-files.ts';
import {jsonEscape} from '../text/json.ts';

/** acp-tui's log file, since the console belongs to the screen. */
export interface Log {
  /** Undefined if logging is off. */
  readonly file: string | undefined;
  /** Writes a line: time, pid, level, message with control characters escaped and credentials masked. Never throws. */
  readonly write: (level: LogLevel, message: string) => void;
  /** Writes buffered lines; for exits, including crashes. */
  readonly flush: () => void;
}

export interface LogOptions {
  /** Undefined to turn logging off. */
  readonly file: string | undefined;
  /** The least severe level to write. */
  readonly level: LogLevel;
  /** Environment whose secret values are masked. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Other values to mask. */
  readonly secrets?: Secrets;
  /** Now, in milliseconds since the epoch. */
  readonly now: () => number;
  /** At this size the file is renamed to `<file>.1`, replacing an older one. */
  readonly maxBytes?: number;
}

const MAX_BYTES = 4 * 1024 * 1024;
/** Maximum length of a message. Twice as much is masked, so that no secret is cut and then missed. */
const MAX_MESSAGE = 4000;

/** Opens the log on the first line. If it cannot be written, lines are dropped: logging never causes a failure. */
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
  // A FIFO without a reader is not waited for.
  const flags = constants.O_WRONLY | constants.O_APPEND | constants.O_CREAT | (constants.O_NONBLOCK ?? 0);
  return openSync(file, flags, PRIVATE_FILE);
}

/** Several processes write the same log: the first one that finds it full renames it, and the others detect that. */
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
    .replace(/[\u0000-\u001f\u007f-\u009f\u2028\u2029]/g, jsonEscape);
}
