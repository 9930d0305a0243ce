import {readFileSync} from 'node:fs';

/** Identifies a process despite reused pids: its pid, with its start time if available. */
export interface ProcessIdentity {
  readonly pid: number;
  /** Clock ticks since boot; '' if the platform does not provide them. */
  readonly started: string;
}

export function ownIdentity(): ProcessIdentity {
  return {pid: process.pid, started: startTime(process.pid)};
}

export function isRunning({pid, started}: ProcessIdentity): boolean {
  return processExists(pid) && startTime(pid) === started;
}

/** True if a process with this pid exists. */
export function processExists(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // EPERM: it exists, but belongs to another user.
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}

/** Returns field 22 of `/proc/<pid>/stat`; the name in field 2 may contain spaces and parentheses, so fields count from its end. 'ended' for a zombie. */
function startTime(pid: number): string {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    const [state = '', ...fields] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return 'ZX'.includes(state) ? 'ended' : (fields[18] ?? '');
  } catch {
    return '';
  }
}
