import {execFileSync} from 'node:child_process';
import {readdirSync, readFileSync} from 'node:fs';

export interface Running {
  readonly pid: number;
  readonly command: string;
}

/** Every process that was started, directly or not, with this home: each test has its own. */
export function processesOf(home: string): readonly Running[] {
  return process.platform === 'linux' ? fromProc(home) : fromPs(home);
}

/** Kills them, for a test that has failed. */
export function endProcesses(home: string): void {
  for (const {pid} of processesOf(home)) kill(pid);
}

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It has just exited by itself.
  }
}

function fromProc(home: string): readonly Running[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => read(`/proc/${pid}/environ`).split('\0').includes(`HOME=${home}`))
    .map((pid) => ({pid: Number(pid), command: read(`/proc/${pid}/cmdline`).replaceAll('\0', ' ').trim()}));
}

/** Empty for a process that has exited meanwhile, or is not readable. */
function read(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}

function fromPs(home: string): readonly Running[] {
  return execFileSync('ps', ['-A', '-E', '-ww', '-o', 'pid=,command='], {encoding: 'utf8'})
    .split('\n')
    .filter((line) => line.includes(` HOME=${home} `))
    .map((line) => ({pid: Number.parseInt(line, 10), command: line.trim()}));
}
