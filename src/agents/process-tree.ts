import {setTimeout as sleep} from 'node:timers/promises';
import {hasVariable, processTable, type ProcessRow} from './process-table.ts';

/** A process and everything that it started, also what has left its group or lost its parent. */
export interface ProcessTree {
  /** Looks again; what was seen once is remembered, since a process can hide later by losing its parent. */
  living(): readonly number[];
  signal(name: NodeJS.Signals): void;
  /** Resolves to whether nothing is left, at the latest after `milliseconds`. */
  gone(milliseconds: number): Promise<boolean>;
}

/** The tree below the leader of a process group; `marker` is `NAME=value` in the environment of all of it. */
export function processTree(leader: number, marker: string): ProcessTree {
  const seen = new Map<number, string>();

  /** Whether a process is ours by itself, without looking at its parent. */
  function isOurs({pid, group, started}: ProcessRow, leaderIsAnother: boolean): boolean {
    const known = seen.get(pid);
    if (known !== undefined) return known === started;
    return (group === leader && !leaderIsAnother) || hasVariable(pid, marker);
  }

  function living(): number[] {
    const rows = processTable().filter(({pid}) => pid !== process.pid);
    // Once ours has ended and its group is empty, the system may give its id to somebody else.
    const leaderRow = rows.find(({pid}) => pid === leader);
    const leaderIsAnother =
      leaderRow !== undefined && (seen.get(leader) ?? leaderRow.started) !== leaderRow.started;
    const members = new Set(rows.filter((row) => isOurs(row, leaderIsAnother)).map(({pid}) => pid));
    for (let size = -1; size !== members.size;) {
      size = members.size;
      for (const {pid, parent} of rows) if (members.has(parent)) members.add(pid);
    }
    for (const {pid, started} of rows) if (members.has(pid)) seen.set(pid, started);
    return [...members];
  }
  // Remembers when the leader was started.
  living();

  return {
    living,
    signal(name) {
      for (const pid of living()) kill(pid, name);
    },
    async gone(milliseconds) {
      const deadline = performance.now() + milliseconds;
      while (living().length > 0) {
        if (performance.now() >= deadline) return false;
        await sleep(30);
      }
      return true;
    },
  };
}

function kill(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // It ended meanwhile.
  }
}
