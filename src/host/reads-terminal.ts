import {readFileSync, readlinkSync} from 'node:fs';

/** The number of the system call `read`. */
const READ: Readonly<Record<string, string>> = {x64: '0', arm64: '63'};

/**
 * Whether one of these processes sleeps in a read of its terminal. Only Linux tells; a program that waits for keys and for
 * something else at once is not found. Never throws.
 */
export function readsTerminal(processes: readonly number[]): boolean {
  return process.platform === 'linux' && processes.some(readsItsTerminal);
}

function readsItsTerminal(pid: number): boolean {
  try {
    const [call, file] = readFileSync(`/proc/${pid}/syscall`, 'latin1').split(' ');
    if (call === undefined || call !== READ[process.arch]) return false;
    return /^\/dev\/(?:pts\/\d+|tty)$/.test(readlinkSync(`/proc/${pid}/fd/${Number(file)}`));
  } catch {
    return false;
  }
}
