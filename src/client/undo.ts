import type {UndoneFile, UndoPlan} from '../session/transcript/diffs.ts';
import {shownPath} from '../text/format.ts';
import type {ClientContext} from './context.ts';

/** What undoing the newest turn with changes would do: to what snapshots cover, and to what was written through acp-tui elsewhere. */
export async function planUndo({host, sink, snapshots}: ClientContext): Promise<UndoPlan | undefined> {
  const {sessionId} = sink.state();
  const [covered, written] = await Promise.all([
    sessionId === undefined ? undefined : snapshots?.planUndo(sessionId),
    host.changes?.plan(),
  ]);
  if (!covered || !written || covered.turn !== written.turn)
    return (covered?.turn ?? -1) > (written?.turn ?? -1) ? covered : written;
  return {turn: covered.turn, files: joined(covered.files, written.files)};
}

/** Undoes a turn, and says so in the transcript. */
export async function undoTurn(context: ClientContext, turn: number): Promise<void> {
  const {sink, options} = context;
  const tell = (level: 'info' | 'warning', text: string) =>
    sink.emit({type: 'notice', level, text, at: Date.now()});
  try {
    const files = await restoreTurn(context, turn);
    const isWhole = files.every(({refused}) => refused === undefined);
    tell(isWhole ? 'info' : 'warning', inWords(turn, files, options.cwd));
  } catch (error) {
    tell(
      'warning',
      `Turn ${turn} was not undone: ${error instanceof Error ? error.message : String(error)}.`,
    );
  }
}

/** What snapshots cover, and what was written through acp-tui elsewhere; what one of them has restored the other leaves alone. */
async function restoreTurn(
  {host, sink, snapshots}: ClientContext,
  turn: number,
): Promise<readonly UndoneFile[]> {
  const {sessionId: session} = sink.state();
  if (!snapshots || session === undefined) return (await host.changes?.undo(turn)) ?? [];
  await snapshots.save({session, turn});
  const written = (await host.changes?.undo(turn)) ?? [];
  return joined(await snapshots.undo({session, turn}), written);
}

/** Each file once: where both know it, what can be done, or was. */
function joined(covered: readonly UndoneFile[], written: readonly UndoneFile[]): readonly UndoneFile[] {
  const files = new Map<string, UndoneFile>();
  for (const file of [...covered, ...written]) {
    const known = files.get(file.path);
    if (!known || (known.refused !== undefined && file.refused === undefined)) files.set(file.path, file);
  }
  return [...files.values()];
}

function inWords(turn: number, files: readonly UndoneFile[], cwd: string): string {
  const list = (chosen: readonly UndoneFile[]) => chosen.map(({path}) => shownPath(path, cwd)).join(', ');
  const done = files.filter(({refused}) => refused === undefined);
  const restored = done.filter(({does}) => does === 'restore');
  const deleted = done.filter(({does}) => does === 'delete');
  const parts = [
    ...(restored.length > 0 ? [`restored ${list(restored)}`] : []),
    ...(deleted.length > 0 ? [`deleted ${list(deleted)}`] : []),
  ];
  const left = files.flatMap(({path, refused}) =>
    refused === undefined ? [] : [`${shownPath(path, cwd)} is unchanged: ${refused}.`],
  );
  const sentences = [
    parts.length > 0 ? `Turn ${turn} undone: ${parts.join('; ')}.` : `Nothing of turn ${turn} was undone.`,
    ...left,
    ...(parts.length > 0 ? ['The agent is not notified.'] : []),
  ];
  return sentences.join(' ');
}
