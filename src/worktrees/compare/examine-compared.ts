import type {ComparedChanges} from '../../session/labels/compared-agent.ts';
import {runAsConfined, type ConfinedSession} from '../../host/shell/confined-program.ts';
import {refused} from '../create-worktree.ts';
import {lookAtWorktree} from '../look-at-worktree.ts';
import type {WorktreeRecord} from '../worktree-record.ts';

interface Examining {
  readonly state: string;
  /** A shell command. */
  readonly check: string | undefined;
  readonly options: ConfinedSession;
  /** Ends the check, and begins none, once it is aborted. */
  readonly ended?: AbortSignal | undefined;
  /** Gets sentences for the user. */
  readonly tell: (text: string) => void;
}

/** Runs the check, and looks at what was changed. */
export async function examineCompared(
  record: WorktreeRecord,
  {state, check, ...running}: Examining,
): Promise<ComparedChanges> {
  const isEnded = () => running.ended?.aborted === true;
  const passed = check !== undefined && !isEnded() && (await passes(check, running));
  const checked = check === undefined || isEnded() ? null : passed ? 'passed' : 'failed';
  return {...(await changesIn(state, record)), check: checked};
}

async function changesIn(state: string, record: WorktreeRecord): Promise<Omit<ComparedChanges, 'check'>> {
  try {
    const {difference} = await lookAtWorktree(state, record);
    const lines = difference.files.map((file) => file.lines ?? {added: 0, removed: 0});
    return {
      files: difference.files.length,
      added: lines.reduce((sum, {added}) => sum + added, 0),
      removed: lines.reduce((sum, {removed}) => sum + removed, 0),
    };
  } catch (error) {
    refused(error, `compare the worktree ${record.name}`);
    return {files: null, added: null, removed: null};
  }
}

const MAX_CHECK_MS = 30 * 60_000;

/** Runs a command on what an agent has written: in its sandbox, if it has one. */
async function passes(
  check: string,
  {options, ended: signal, tell}: Omit<Examining, 'state' | 'check'>,
): Promise<boolean> {
  // What it prints is shown nowhere.
  const command = `exec >/dev/null 2>&1\n${check}`;
  const program = {command, environment: process.env, input: '', limitMs: MAX_CHECK_MS, signal};
  const outcome = await runAsConfined(program, options, tell);
  return 'exitCode' in outcome && outcome.exitCode === 0;
}
