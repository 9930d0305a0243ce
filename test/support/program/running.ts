import {readFileSync} from 'node:fs';

/** True if a process runs; a zombie does not. */
export function isProcessRunning(pid: number): boolean {
  try {
    return !/\) [ZX] /.test(readFileSync(`/proc/${pid}/stat`, 'latin1'));
  } catch {
    return false;
  }
}
