import {fstatSync, readdirSync, readFileSync, type Stats, statSync} from 'node:fs';
import {once} from 'node:events';
import type {Readable} from 'node:stream';
import {bytes} from '../../text/format.ts';
import {fileFailed} from '../../shared/files/file-failure.ts';
import type {Result} from '../../shared/failure.ts';

/**
 * What standard input is for a run that was not told to read it:
 * - `nothing`: a terminal, a device, or closed;
 * - `ours`: a file, or a pipe from another command, for this run;
 * - `shared`: a program above reads it, too, such as the shell of a loop or of a script that comes through a pipe;
 * - `maybe`: left open by the program that started this one, which may write into it or not.
 */
export type InputKind = 'nothing' | 'ours' | 'shared' | 'maybe';

/** A process above this one, as far as standard input is concerned. */
interface Ancestor {
  readonly parent: number;
  readonly name: string;
  /** What it has read since it was forked or executed, in bytes: a shell's subshell that only runs a function has read nothing. */
  readonly read: number;
}

/** What is known of other processes; undefined where the system does not say. */
export interface Processes {
  readonly parent: number;
  find(pid: number): Ancestor | undefined;
  /** True if the process has the same open file as standard input. */
  sharesInput(pid: number): boolean;
  /** True if the process can write into the same pipe. */
  writesInput(pid: number): boolean;
  /** True for a file of which something has been read. */
  hasBeenRead(): boolean;
}

type InputStat = Pick<Stats, 'isFIFO' | 'isSocket' | 'isFile' | 'size'>;

/** Programs that read lines and run others in between: shells and interpreters. What is not one, such as `timeout` or `npx`, passes its input on. */
const READERS =
  /^(?:busybox|(?:ba|da|z|k|mk|pdk|ya|a|c|tc|fi)?sh|nu|elvish|xonsh|python[\d.]*|perl[\d.]*|ruby[\d.]*|php[\d.]*|lua[\d.]*|[gmn]?awk|tclsh[\d.]*|expect|Rscript)$/;

/** Returns what standard input is, from its kind and the processes above, if they are known. Reads nothing of it. */
export function inputKind(stat: InputStat | undefined, processes: Processes | undefined): InputKind {
  const isFile = stat?.isFile() === true && stat.size > 0;
  if (!stat || !(isFile || stat.isFIFO() || stat.isSocket())) return 'nothing';
  // A file may be that of a loop, and nothing tells.
  if (!processes) return isFile ? 'shared' : 'maybe';
  if (isFile) return processes.hasBeenRead() ? 'shared' : 'ours';
  let pid = processes.parent;
  for (let found; (found = processes.find(pid)) && processes.sharesInput(pid); pid = found.parent)
    if (READERS.test(found.name) && found.read > 0) return 'shared';
  return stat.isSocket() || processes.writesInput(pid) ? 'maybe' : 'ours';
}

/** Returns what standard input of this process is. */
export function ownInputKind(): InputKind {
  let stat: Stats;
  try {
    stat = fstatSync(0);
  } catch {
    return 'nothing';
  }
  return inputKind(stat, process.platform === 'linux' ? processesOfProc(stat) : undefined);
}

function processesOfProc({dev, ino}: Stats): Processes {
  const isSame = (path: string) => {
    const found = tryTo(() => statSync(path), undefined);
    return found?.ino === ino && found.dev === dev;
  };
  const read = (path: string) => tryTo(() => readFileSync(`/proc/${path}`, 'latin1'), '');
  return {
    parent: process.ppid,
    find(pid) {
      const status = read(`${pid}/status`);
      const parent = Number(/\nPPid:\s*(\d+)/.exec(status)?.[1]);
      if (!parent) return undefined;
      const characters = /rchar: (\d+)/.exec(read(`${pid}/io`))?.[1];
      return {parent, name: read(`${pid}/comm`).trimEnd(), read: Number(characters ?? Infinity)};
    },
    sharesInput: (pid) => isSame(`/proc/${pid}/fd/0`),
    hasBeenRead: () => !/pos:\s*0\n/.test(read('self/fdinfo/0')),
    writesInput: (pid) =>
      tryTo(() => readdirSync(`/proc/${pid}/fd`), []).some(
        (fd) => isSame(`/proc/${pid}/fd/${fd}`) && /flags:\s*\d*[12]\n/.test(read(`${pid}/fdinfo/${fd}`)),
      ),
  };
}

function tryTo<Value>(read: () => Value, otherwise: Value): Value {
  try {
    return read();
  } catch {
    return otherwise;
  }
}

/** Standard input of a run that was not told to read it. */
export interface OfferedInput {
  /** False for one that may stay empty: nothing has to wait for it. */
  readonly isMeant: boolean;
  /** Its text; '' if there is none. */
  readonly text: Promise<Result<string>>;
}

/** How long it may stay silent, in milliseconds. */
const SILENCE_MS = 3000;

/** Reads standard input if it is meant for this run; `warn` gets why it does not, or what it waits for. */
export function readOfferedInput(
  kind: InputKind,
  stream: () => Readable,
  {warn, silenceMs = SILENCE_MS}: {readonly warn: (text: string) => void; readonly silenceMs?: number},
): OfferedInput {
  const none = Promise.resolve({ok: true as const, value: ''});
  if (kind === 'shared')
    warn('Standard input is ignored, because a program above may read it, too; add --stdin to send it.');
  if (kind === 'shared' || kind === 'nothing') return {isMeant: true, text: none};
  const input = stream();
  const silent = new Promise<'silent'>((resolve) => setTimeout(resolve, silenceMs, 'silent').unref());
  const began = once(input, 'readable').then(
    () => 'began' as const,
    () => 'began' as const,
  );
  const read = async () => {
    if ((await Promise.race([began, silent])) === 'began') return readAll(input);
    if (kind === 'ours') {
      warn('Waiting for standard input; < /dev/null sends the prompt without it.');
      return readAll(input);
    }
    input.pause();
    warn(
      `Standard input is ignored, because nothing came for ${silenceMs / 1000} s; add --stdin to wait for it.`,
    );
    return none;
  };
  return {isMeant: kind === 'ours', text: read()};
}

/** Returns the text of a prompt: the arguments, and standard input after a blank line; undefined if there is nothing. */
export function withInput(typed = '', input = ''): string | undefined {
  const parts = [typed, input.trimEnd()].filter((part) => part.trim() !== '');
  return parts.length === 0 ? undefined : parts.join('\n\n');
}

/** Maximum size of a prompt: agents accept messages of 32 MiB at most. */
const MAX_BYTES = 24 * 1024 * 1024;

/** Reads UTF-8 to the end; drops a byte order mark, and invalid sequences become U+FFFD. Fails for what is no text. */
export async function readAll(stream: AsyncIterable<Uint8Array>): Promise<Result<string>> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  try {
    for await (const chunk of stream) {
      size += chunk.byteLength;
      if (size > MAX_BYTES) return fileFailed('standard input', `it has more than ${bytes(MAX_BYTES)}`);
      if (chunk.includes(0))
        return fileFailed(
          'standard input',
          'it is not text: it has a NUL byte; -f attaches a file of any type',
        );
      chunks.push(chunk);
    }
  } catch (error) {
    return fileFailed('standard input', error);
  }
  return {ok: true, value: new TextDecoder().decode(Buffer.concat(chunks))};
}
