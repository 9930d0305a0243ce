import {openSubcommandIo, printFailure} from '../../../cli/terminal-io.ts';
import {failureSentence} from '../../../shared/failure-messages.ts';
import {findPaths} from '../../../shared/files/paths.ts';
import {openStored} from '../../../storage/sessions/session-store.ts';
import {escapeHiddenLine} from '../../../text/hidden.ts';
import {applyWorktree} from '../../../worktrees/apply-worktree.ts';
import {mergeWorktree} from '../../../worktrees/merge-worktree.ts';
import {lossesOf, releaseWorktree, removeWorktree} from '../../../worktrees/remove-worktree.ts';
import {tidyWorktrees} from '../../../worktrees/tidy-worktrees.ts';
import {readRecord, readRecords, type WorktreeRecord} from '../../../worktrees/worktree-record.ts';
import {whyInUse} from '../../../worktrees/worktree-sessions.ts';
import {listWorktrees, type WorktreesContext} from './list-worktrees.ts';
import type {WorktreesCommand} from './worktrees-arguments.ts';

/** Runs `acp-tui worktrees …` in this process; resolves to the exit code. */
export async function worktreesRun(command: WorktreesCommand): Promise<number> {
  const io = openSubcommandIo();
  const {state} = findPaths();
  const onProblem = (problem: Parameters<typeof failureSentence>[0]) => io.warn(failureSentence(problem));
  const {database, store} = openStored({state, onDamaged: io.warn, onProblem});
  const exitCode = await runWorktreesCommand(command, {...io, state, store, now: Date.now});
  database.close();
  return io.end(exitCode);
}

/** Runs the parsed command, after what a killed process has left is tidied; resolves to the exit code. */
async function runWorktreesCommand(command: WorktreesCommand, context: WorktreesContext): Promise<number> {
  const {state, stderr, stdout, store, now} = context;
  for (const sentence of await tidyWorktrees(state, now()))
    stderr(`acp-tui: ${escapeHiddenLine(sentence)}\n`);
  if (command.kind === 'list') return listWorktrees(command, context);
  const record = readRecord(state, command.name);
  if (!record) return printFailure(stderr, unknownName(command.name, readRecords(state)), 2);
  const inUse = command.kind === 'apply' ? undefined : whyInUse(record, store);
  if (inUse !== undefined) return printFailure(stderr, `The worktree ${record.name} is in use: ${inUse}.`);
  const done =
    command.kind === 'remove'
      ? await remove(record, command, context)
      : await finish(command.kind, record, state);
  if (done === undefined) {
    stderr('Nothing removed.\n');
    return 0;
  }
  if (!done.ok) return printFailure(stderr, done.failure);
  stdout.write(`${escapeHiddenLine(done.value.sentence)}\n`);
  return 0;
}

function unknownName(name: string, records: readonly WorktreeRecord[]): string {
  const names = records.map((record) => record.name).join(', ');
  return `No worktree ${JSON.stringify(name)}. ${names === '' ? 'There are none.' : `There are: ${names}.`}`;
}

function finish(kind: 'apply' | 'merge' | 'keep', record: WorktreeRecord, state: string) {
  const run = {apply: applyWorktree, merge: mergeWorktree, keep: releaseWorktree}[kind];
  return run(record, {state});
}

/** Names what would be lost, and asks; undefined for a no. */
async function remove(
  record: WorktreeRecord,
  {yes}: {readonly yes: boolean},
  {state, stderr, confirm}: WorktreesContext,
) {
  const losses = await lossesOf(record, state);
  if (!losses.ok) return losses;
  const {sentence} = losses.value;
  if (sentence !== undefined) {
    stderr(`${escapeHiddenLine(`${record.name}: ${sentence}`)}\n`);
    const isSure = yes || (await confirm?.(`Remove the worktree ${record.name}? [y/N] `));
    if (isSure === undefined) {
      const why = 'removing it needs confirmation; no terminal here, pass --yes';
      return {
        ok: false,
        failure: {kind: 'not_offered', cannot: `remove the worktree ${record.name}`, why},
      } as const;
    }
    if (!isSure) return undefined;
  }
  return removeWorktree(record, {state, agreed: losses.value});
}
