import {closeSync, fchmodSync, openSync, readSync, statSync} from 'node:fs';
import {resolve} from 'node:path';
import type {Failure, Result} from '../../shared/failure.ts';
import {fileFailed, writeFailure, tryFileOperation} from '../../shared/files/file-failure.ts';
import {
  toRecordingLine,
  type RecordedProcess,
  type RecordingLine,
  type WireEvent,
} from '../../recording/format.ts';
import {createMaskDeep, type Secrets} from '../../shared/mask.ts';
import {PRIVATE_FILE} from '../../shared/files/safe-files.ts';
import {appendFile, type Write} from '../sessions/event-writer.ts';

export interface RecordingOptions {
  /** As typed: relative to the current folder. */
  readonly file: string;
  /** False to keep credentials. */
  readonly mask: boolean;
  /** Environment whose secret values are masked. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Other values to mask. */
  readonly secrets?: Secrets;
  /** Called once; recording then stops. */
  readonly onProblem: (failure: Failure) => void;
  /** Writes bytes into the file; `writeSync` by default. */
  readonly write?: Write;
}

export interface WireRecorder {
  /** Absolute. */
  readonly file: string;
  /** Writes an event synchronously, so that a kill loses nothing. */
  readonly record: (event: WireEvent) => void;
  readonly close: () => void;
  /** Returns why the recording is incomplete. */
  readonly failure: () => Failure | undefined;
}

/** Opens a recording for appending; the failure `file` if it cannot be written, or is another kind of file. */
export function openRecording(options: RecordingOptions): Result<WireRecorder> {
  const {file, mask, env, secrets, onProblem, write} = options;
  const path = resolve(file);
  const maskDeep = mask ? createMaskDeep(env, secrets) : <T>(value: T): T => value;
  const out = appendFile(path, write);
  const problem = tryFileOperation(file, () => problemWith(path));
  if (!problem.ok) return problem;
  if (problem.value !== undefined) return fileFailed(file, problem.value);
  const processes = new Map<number, RecordedProcess & {stderr: string}>();
  let before = 0;
  let failure: Failure | undefined;

  function processOf({kind, pid, at}: WireEvent): RecordedProcess & {stderr: string} {
    const known = processes.get(pid);
    // The pid of an ended process may be reused.
    if (known && kind !== 'started') return known;
    const started = {startedAt: at, before: before++, stderr: ''};
    processes.set(pid, started);
    return started;
  }

  function add(event: WireEvent): void {
    const line = toRecordingLine(event, processOf(event));
    const masked = maskDeep(line);
    const isAsSent = masked === line && event.kind === 'message' && 'm' in line;
    guarded(() => out.write(`${isAsSent ? asSent(line, event.line) : JSON.stringify(masked)}\n`));
  }

  function guarded(work: () => void): void {
    if (failure) return;
    try {
      work();
    } catch (error) {
      failure = writeFailure({file}, error);
      onProblem(failure);
    }
  }

  /** Whole lines only, so that no credential is split. */
  function addStderr(event: WireEvent, text: string): void {
    const process = processOf(event);
    const lines = (process.stderr + text).split('\n');
    process.stderr = lines.pop() ?? '';
    for (const line of lines) add({kind: 'stderr', pid: event.pid, at: event.at, text: line});
  }

  return {
    ok: true,
    value: {
      file: path,
      record(event) {
        if (event.kind === 'stderr') return addStderr(event, event.text);
        if (event.kind === 'exited' && processOf(event).stderr !== '') addStderr(event, '\n');
        add(event);
      },
      close: () => guarded(() => out.close()),
      failure: () => failure,
    },
  };
}

/** The message unchanged, byte for byte. */
function asSent({t, p, d}: RecordingLine, message: string): string {
  return `${JSON.stringify({t, p, d}).slice(0, -1)},"m":${message}}`;
}

/** Returns why a file must not be appended to; undefined if it is new, empty or a recording, which is then made private. */
function problemWith(path: string): string | undefined {
  const found = statSync(path, {throwIfNoEntry: false});
  if (found && !found.isFile()) return 'it is not a regular file';
  const handle = openSync(path, 'a+', PRIVATE_FILE);
  try {
    const head = Buffer.alloc(64);
    const text = head.toString('utf8', 0, readSync(handle, head, 0, head.length, 0));
    if (text !== '' && !/^\{"t":\d+,"d":"[<>!#]"/.test(text)) return 'it exists and is not a recording';
    fchmodSync(handle, PRIVATE_FILE);
    return undefined;
  } finally {
    closeSync(handle);
  }
}
