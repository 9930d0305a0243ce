import {spawnSync} from 'node:child_process';
import {readdirSync, readFileSync} from 'node:fs';

/** One process that runs on this machine. */
export interface ProcessRow {
  readonly pid: number;
  readonly parent: number;
  readonly group: number;
  /** Tells a process from a later one with the same id; '' where the system does not tell. */
  readonly started: string;
}

/** Everything that runs, zombies left out. Synchronous, since it is needed in exits that cannot wait. */
export function processTable(): ProcessRow[] {
  return process.platform === 'linux' ? fromProc() : fromPs();
}

/** True when the process was started with this variable in its environment; false where that cannot be read. */
export function hasVariable(pid: number, variable: string): boolean {
  return (read(`/proc/${pid}/environ`) ?? '').split('\0').includes(variable);
}

function fromProc(): ProcessRow[] {
  const rows: ProcessRow[] = [];
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    const stat = read(`/proc/${name}/stat`);
    if (stat === undefined) continue;
    // The second field is the command in parentheses, which may itself hold spaces and parentheses.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const [state, parent, group] = fields;
    if (state === 'Z' || state === 'X') continue;
    rows.push({pid: Number(name), parent: Number(parent), group: Number(group), started: fields[19] ?? ''});
  }
  return rows;
}

function fromPs(): ProcessRow[] {
  const {stdout} = spawnSync('ps', ['-A', '-o', 'pid=,ppid=,pgid=,stat='], {encoding: 'utf8', timeout: 2000});
  return (stdout ?? '').split('\n').flatMap((line) => {
    const [pid, parent, group, state] = line.trim().split(/\s+/);
    if (!state || state.startsWith('Z')) return [];
    return [{pid: Number(pid), parent: Number(parent), group: Number(group), started: ''}];
  });
}

function read(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
}
