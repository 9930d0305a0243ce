import {randomUUID} from 'node:crypto';
import {closeSync, constants, openSync, readlinkSync, unlinkSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';

/**
 * An open file without a name that a program inherits, and with it everything that it starts. Whoever has it open belongs to the program, also after leaving its
 * session and clearing its environment; only what closes the files that it has inherited is lost.
 */
export interface Leash {
  /** For the start of the program. */
  readonly stdio: readonly ['pipe', 'pipe', 'pipe', ...(9 | 'ignore')[]];
  /** To close it here, as soon as the program has started. */
  readonly close: () => void;
  /** What it is called in /proc. */
  readonly link: string;
}

/** Its descriptor: scripts use those below 10 for their own files, and Node closes those up to 16 in what it starts. */
const DESCRIPTOR = 20;

/** Returns a new one; undefined on systems other than Linux, and if the temporary folder takes no files. */
export function openLeash(): Leash | undefined {
  if (process.platform !== 'linux') return undefined;
  const path = join(tmpdir(), `acp-tui-leash-${randomUUID()}`);
  let fd: number;
  try {
    fd = openSync(path, constants.O_RDONLY | constants.O_CREAT | constants.O_EXCL, 0o600);
    unlinkSync(path);
  } catch {
    return undefined;
  }
  const unused = Array.from({length: DESCRIPTOR - 3}, () => 'ignore' as const);
  return {
    // execa takes any descriptor, but its types end at 9.
    stdio: ['pipe', 'pipe', 'pipe', ...unused, fd as 9],
    close: () => closeSync(fd),
    link: readlinkSync(`/proc/self/fd/${fd}`),
  };
}

/** True if a process has it open. */
export function isOnLeash(pid: number, {link}: Leash): boolean {
  try {
    return readlinkSync(`/proc/${pid}/fd/${DESCRIPTOR}`) === link;
  } catch {
    return false;
  }
}
