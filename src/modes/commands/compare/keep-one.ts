import type {SubcommandIo} from '../../../cli/terminal-io.ts';
import {printFailure} from '../../../cli/terminal-io.ts';
import {findPaths} from '../../../shared/files/paths.ts';
import {escapeHiddenLine} from '../../../text/hidden.ts';
import {applyWorktree} from '../../../worktrees/apply-worktree.ts';
import {lossesOf, removeWorktree} from '../../../worktrees/remove-worktree.ts';
import {readRecord, type WorktreeRecord} from '../../../worktrees/worktree-record.ts';
import type {CompareCommand} from './compare-arguments.ts';

interface Entry {
  readonly agent: string;
  readonly record: WorktreeRecord;
  /** False if the agent did not end its turn. */
  readonly isDone: boolean;
}

/** Applies the changes of one agent, and removes the worktrees after a yes; false if that failed. */
export async function keepOne(
  entries: readonly Entry[],
  {keep}: CompareCommand,
  {stderr, confirm}: SubcommandIo,
): Promise<boolean> {
  const {state} = findPaths();
  let chosen = entries.find(({agent}) => agent === keep);
  if (chosen && !chosen.isDone) {
    const {agent, record} = chosen;
    stderr(
      `acp-tui: ${agent} did not finish, so its changes are not applied: acp-tui worktrees apply ${record.name} does that.\n`,
    );
    return false;
  }
  for (const entry of chosen ? [] : entries)
    if (!chosen && (await confirm?.(`Apply the changes of ${entry.agent} to ${entry.record.source}? [y/N] `)))
      chosen = entry;
  // Its session has ended since.
  const ended = chosen && readRecord(state, chosen.record.name);
  const applied = ended && (await applyWorktree(ended, {state}));
  if (applied && !applied.ok) printFailure(stderr, applied.failure);
  if (applied?.ok) stderr(`${escapeHiddenLine(applied.value.sentence)}\n`);
  for (const {agent, record} of entries.filter((entry) => entry !== chosen)) {
    const losses = await lossesOf(record, state);
    if (!losses.ok) continue;
    const {sentence = 'It has no changes.'} = losses.value;
    const question = `${agent}: ${escapeHiddenLine(sentence)} Remove the worktree ${record.name}? [y/N] `;
    if (await confirm?.(question)) await removeWorktree(record, {state, agreed: losses.value});
  }
  return applied?.ok !== false;
}
