import {printFailure, type SubcommandIo} from '../../../cli/terminal-io.ts';
import type {Failure} from '../../../shared/failure.ts';
import {failureSentence} from '../../../shared/failure-messages.ts';
import {findPaths} from '../../../shared/files/paths.ts';
import {escapeHiddenLine} from '../../../text/hidden.ts';
import {applyWorktree} from '../../../worktrees/apply-worktree.ts';
import {lossesOf, removeWorktree} from '../../../worktrees/remove-worktree.ts';
import {openStored, type SessionStore} from '../../../storage/sessions/session-store.ts';
import {readRecord, type WorktreeRecord} from '../../../worktrees/worktree-record.ts';
import {whyInUse} from '../../../worktrees/worktree-sessions.ts';
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
  {keep}: Pick<CompareCommand, 'keep'>,
  {stderr, warn, confirm}: Pick<SubcommandIo, 'stderr' | 'warn' | 'confirm'>,
): Promise<boolean> {
  const {state} = findPaths();
  const say = (sentence: string) => stderr(`${escapeHiddenLine(sentence)}\n`);
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
  if (applied?.ok) say(applied.value.sentence);
  if (confirm) {
    const others = entries.filter((entry) => entry !== chosen);
    const onProblem = (problem: Failure) => warn(failureSentence(problem));
    const {database, store} = openStored({state, onDamaged: warn, onProblem});
    for (const entry of others) await removeOne(entry, {state, store, stderr, confirm, say});
    database.close();
  }
  return applied?.ok !== false;
}

interface Removing extends Pick<SubcommandIo, 'stderr'> {
  readonly state: string;
  readonly store: SessionStore;
  readonly confirm: (question: string) => Promise<boolean>;
  readonly say: (sentence: string) => void;
}

/** Removes a worktree after a yes, unless somebody has gone on in it. */
async function removeOne(
  {agent, record: {name}}: Entry,
  {state, store, stderr, confirm, say}: Removing,
): Promise<void> {
  const record = readRecord(state, name);
  if (!record) return;
  const losses = await lossesOf(record, state);
  if (!losses.ok) return void printFailure(stderr, losses.failure);
  const {sentence = 'It has no changes.'} = losses.value;
  const question = `${agent}: ${escapeHiddenLine(sentence)} Remove the worktree ${name}? [y/N] `;
  if (whyInUse(record, store) === undefined && !(await confirm(question))) return;
  // Also meanwhile.
  const inUse = whyInUse(readRecord(state, name) ?? record, store);
  if (inUse !== undefined) return say(`The worktree ${name} is in use: ${inUse}.`);
  const removed = await removeWorktree(record, {state, agreed: losses.value});
  if (removed.ok) say(removed.value.sentence);
  else printFailure(stderr, removed.failure);
}
