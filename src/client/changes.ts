import type {ChangedFile, ChangesService} from '../host/services.ts';
import {
  type ChangeGroup,
  type Changes,
  type FileChange,
  reportedDiffs,
  type ReportedDiff,
} from '../session/transcript/diffs.ts';
import {isIdle} from '../session/selectors.ts';
import {escapeHidden, escapeHiddenFile, unescapeHidden} from '../text/hidden.ts';
import type {ClientContext} from './context.ts';

/** Maximum total size of contents loaded for display, in bytes. */
const MAX_BYTES = 8 * 1024 * 1024;

/** Returns the current changes of the session. */
export async function readChanges({host, sink, turn}: ClientContext): Promise<Changes> {
  const {changes} = host;
  const state = sink.state();
  const reported = await notWritten(reportedDiffs(state), changes);
  const ofTurn = {files: changes?.list(turn) ?? [], reported: reported.filter((each) => each.turn === turn)};
  const ofAll = {files: changes?.list() ?? [], reported};
  const isMore = ofAll.reported.length > ofTurn.reported.length || changes?.hasOtherTurns(turn);
  return {
    isRunning: !isIdle(state),
    turn: await groupOf(ofTurn),
    session: isMore ? await groupOf(ofAll) : undefined,
  };
}

/** Agents also report diffs of what they write through acp-tui. */
async function notWritten(
  reported: readonly ReportedDiff[],
  changes: ChangesService | undefined,
): Promise<readonly ReportedDiff[]> {
  if (!changes) return reported;
  const own = await Promise.all(
    reported.map(async ({diff, turn}) => !(await changes.wrote(unescapeHidden(diff.path), turn))),
  );
  return reported.filter((_, index) => own[index]);
}

interface Found {
  readonly files: readonly ChangedFile[];
  readonly reported: readonly ReportedDiff[];
}

async function groupOf({files, reported}: Found): Promise<ChangeGroup> {
  let room = MAX_BYTES;
  const written: FileChange[] = [];
  for (const file of files) {
    room -= file.size;
    written.push(room < 0 ? withNote(file, 'too large to show') : await shown(file));
  }
  return {written, reported: reported.map(({diff, kind}) => ({path: diff.path, diff, kind}))};
}

async function shown(file: ChangedFile): Promise<FileChange> {
  const {before, after} = await file.read();
  if (before === undefined || after === undefined) return withNote(file, 'its content was not kept');
  const [oldText, newText] = [before && textOf(before), textOf(after)];
  if (oldText === undefined || newText === undefined) return withNote(file, 'not text');
  const path = escapeHidden(file.path);
  return {path, diff: {path, oldText, newText}};
}

function withNote({path}: ChangedFile, note: string): FileChange {
  return {path: escapeHidden(path), diff: undefined, note};
}

function textOf(bytes: Buffer): string | undefined {
  try {
    return bytes.includes(0)
      ? undefined
      : escapeHiddenFile(new TextDecoder('utf-8', {fatal: true, ignoreBOM: true}).decode(bytes));
  } catch {
    return undefined;
  }
}
