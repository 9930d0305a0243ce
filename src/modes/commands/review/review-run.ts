import {resolve} from 'node:path';
import {findPaths} from '../../../shared/files/paths.ts';
import {maxOf} from '../../../text/lists.ts';
import {openStored} from '../../../storage/sessions/session-store.ts';
import {compareSnapshots, patchesBetween} from '../../../snapshots/differences.ts';
import {existingRepository, SnapshotProblem, type SnapshotRepository} from '../../../snapshots/repository.ts';
import {listSnapshots, turnsWithoutSnapshot, type StoredSnapshot} from '../../../snapshots/snapshot-log.ts';
import {takeSnapshot} from '../../../snapshots/take/take-snapshot.ts';
import {failureSentence} from '../../../shared/failure-messages.ts';
import type {Failure} from '../../../shared/failure.ts';
import {NO_SUCH_SESSION} from '../../../cli/exit-codes.ts';
import {findSession} from '../sessions/session-lookup.ts';
import {openSubcommandIo, printFailure, type SubcommandIo} from '../../../cli/terminal-io.ts';
import type {ReviewOptions} from './review-arguments.ts';
import {printReview, type Review} from './print-review.ts';

/** Runs `acp-tui review` in this process; resolves to the exit code. Changes neither the folder nor its repository. */
export async function reviewRun(options: ReviewOptions): Promise<number> {
  const io = openSubcommandIo();
  try {
    return io.end(await review(options, io));
  } catch (error) {
    if (!(error instanceof SnapshotProblem)) throw error;
    return io.end(printFailure(io.stderr, `No review: ${error.message}.`));
  }
}

async function review({cwd = '.', session, turn, form}: ReviewOptions, io: SubcommandIo): Promise<number> {
  const {state} = findPaths();
  const named = session === undefined ? undefined : await namedSession(session, state, io);
  if (named && 'exitCode' in named) return named.exitCode;
  const folder = named?.cwd ?? resolve(cwd);
  const repository = existingRepository(folder, state);
  const range = repository && (await findRange(repository, {session: named?.id, turn}));
  if (!repository || !range) {
    const which = turn === undefined ? 'turn' : `turn ${turn}`;
    const problem = `No snapshots of a ${which} in ${folder}. The window takes them; see acp-tui help review.`;
    return printFailure(io.stderr, problem, NO_SUCH_SESSION);
  }
  const pair = {from: range.from.id, to: range.to?.id ?? (await takeSnapshot(repository))};
  const difference = await compareSnapshots(repository, pair);
  const patches =
    form === 'text'
      ? undefined
      : await patchesBetween(repository, {...pair, ...difference, hasBinaries: form === 'patch'});
  const {missing} = range;
  const shown: Review = {
    ...difference,
    patches,
    session: range.from.session,
    since: range.from.at,
    turn,
    missing,
  };
  printReview(shown, form, io);
  return 0;
}

/** Returns the agent's id of a stored session and its folder; or the exit code after printing why it was not found. */
async function namedSession(
  id: string,
  state: string,
  {stderr, warn}: SubcommandIo,
): Promise<{readonly id: string; readonly cwd: string} | {readonly exitCode: number}> {
  const onProblem = (problem: Failure) => warn(failureSentence(problem));
  const {database, store} = openStored({state, onDamaged: warn, onProblem});
  try {
    const found = await findSession(id, {store, stderr, cwd: process.cwd()});
    if ('exitCode' in found) return found;
    return {id: found.session.agentSessionId ?? '', cwd: found.session.cwd};
  } finally {
    database.close();
  }
}

interface Range {
  readonly from: StoredSnapshot;
  /** Undefined for the current state of the folder. */
  readonly to: StoredSnapshot | undefined;
  /** The turns of the session that are not covered. */
  readonly missing: readonly number[];
}

/** Returns the range from the session's first covered turn until now, or of one turn; undefined if not covered. */
async function findRange(
  repository: SnapshotRepository,
  {session, turn}: {readonly session: string | undefined; readonly turn: number | undefined},
): Promise<Range | undefined> {
  const listed = await listSnapshots(repository, session);
  const of = session ?? listed.at(-1)?.session;
  const snapshots = listed.filter(({session, when}) => session === of && when !== 'saved');
  const index = snapshots.findLastIndex(
    (snapshot) => snapshot.when === 'before' && (turn === undefined || snapshot.turn === turn),
  );
  // Where the first turn is not covered, from its end on.
  const from = turn === undefined ? snapshots[0] : snapshots[index];
  if (!from) return undefined;
  // A turn whose end has no snapshot ends at the next one.
  if (turn === undefined) {
    const last = maxOf(
      snapshots.map((each) => each.turn),
      0,
    );
    return {from, to: undefined, missing: turnsWithoutSnapshot(snapshots, {turn: last})};
  }
  return {from, to: snapshots[index + 1], missing: []};
}
