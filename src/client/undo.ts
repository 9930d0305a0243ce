import type {UndoneFile, UndoPlan} from '../session/transcript/diffs.ts';
import {errorMessage} from '../shared/failure.ts';
import type {ClientContext} from './context.ts';
import {reportRestored, withDoubt, withDoubts} from './restored-files.ts';

/** Returns what undoing the newest turn with changes would do, to files covered by snapshots and to others written through acp-tui. */
export async function planUndo(context: ClientContext): Promise<UndoPlan | undefined> {
  const {host, sink, snapshots} = context;
  const {sessionId} = sink.state();
  const logged = (error: unknown) => {
    sink.log('warn', `no undo: ${errorMessage(error)}`);
    return undefined;
  };
  const [found, written] = await Promise.all([
    sessionId === undefined
      ? undefined
      : snapshots?.planUndo({session: sessionId, turn: context.turn}).catch(logged),
    host.changes?.plan(),
  ]);
  const outside = new Set<string>();
  const covered = found && {...found, files: withDoubts(context, found.files, {turn: found.turn, outside})};
  if (covered?.files.length === 0) return {...covered, ...written};
  if (!covered || !written || covered.turn !== written.turn)
    return (covered?.turn ?? -1) > (written?.turn ?? -1) ? covered : written;
  const refused = new Set(written.files.flatMap(({path, refused}) => (refused === undefined ? [] : [path])));
  const files = covered.files.map((file) =>
    refused.has(file.path) ? withDoubt(file, 'also_changed') : file,
  );
  return {...covered, files: joined(files, written.files)};
}

/** Undoes a turn, or only some of its files; adds a notice. */
export function undoTurn(context: ClientContext, turn: number, only?: readonly string[]): Promise<void> {
  const beginnings = {done: `Turn ${turn} undone`, nothing: `Nothing of turn ${turn} was undone`};
  return reportRestored(context, beginnings, restoreTurn(context, turn, only));
}

/** Restores files covered by snapshots, and others written through acp-tui; no file twice. */
async function restoreTurn(
  {host, sink, snapshots}: ClientContext,
  turn: number,
  only: readonly string[] | undefined,
): Promise<readonly UndoneFile[]> {
  const {sessionId: session} = sink.state();
  if (!snapshots || session === undefined) return (await host.changes?.undo(turn)) ?? [];
  await snapshots.save({session, turn});
  // It is known who wrote these.
  const written = (await host.changes?.undo(turn)) ?? [];
  return joined(await snapshots.undo({session, turn}, only), written);
}

/** Merges both lists, each file once: if both have it, the entry that can be, or was, undone. */
function joined(covered: readonly UndoneFile[], written: readonly UndoneFile[]): readonly UndoneFile[] {
  const files = new Map<string, UndoneFile>();
  for (const file of [...covered, ...written]) {
    const known = files.get(file.path);
    if (!known || (known.refused !== undefined && file.refused === undefined)) files.set(file.path, file);
  }
  return [...files.values()];
}
