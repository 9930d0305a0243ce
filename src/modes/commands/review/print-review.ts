import {
  hunksIn,
  modeChange,
  octal,
  pathOf,
  statusOf,
  type Difference,
  type FileDifference,
  type FileVersion,
} from '../../../snapshots/differences.ts';
import {UNCOVERED_REASONS} from '../../../snapshots/facts.ts';
import {STATUS_LETTERS} from '../../../session/review.ts';
import {textOf, type RawPath} from '../../../snapshots/repository.ts';
import {uncoveredTurns} from '../../../snapshots/snapshot-log.ts';
import {jsonText} from '../../../text/json.ts';
import {escapeHiddenFile, escapeHiddenLine} from '../../../text/hidden.ts';
import type {OutputPage} from '../../../cli/output-style.ts';
import {tableLines} from '../../../cli/table.ts';
import type {SubcommandIo} from '../../../cli/terminal-io.ts';
import type {ReviewOptions} from './review-arguments.ts';
import {pluralize} from '../../../text/format.ts';

/** The changes between two snapshots of a session. */
export interface Review extends Difference {
  /** By path; undefined if they are not printed. */
  readonly patches: ReadonlyMap<RawPath, string> | undefined;
  /** The agent's id. */
  readonly session: string;
  /** Milliseconds since the epoch. */
  readonly since: number;
  readonly turn: number | undefined;
  /** The turns of the session whose beginning or end is in no snapshot. */
  readonly missing: readonly number[];
}

type Printed = Pick<SubcommandIo, 'stdout' | 'stderr' | 'writeBytes'>;

/** Prints a review; paths without coverage are reported on standard error, unless they are part of the format. */
export function printReview(review: Review, form: ReviewOptions['form'], io: Printed): void {
  if (form === 'json') return io.stdout.write(`${jsonText(jsonOf(review), 2)}\n`);
  if (form === 'patch') printPatch(review, io);
  else for (const line of textLines(review, io.stdout)) io.stdout.write(`${line}\n`);
  for (const line of uncoveredLines(review)) io.stderr(`${line}\n`);
}

/** Unchanged bytes, unless the output is a terminal. */
function printPatch({files, patches}: Review, {stdout, writeBytes}: Printed): void {
  const patch = files.map((file) => patches?.get(pathOf(file)) ?? '').join('');
  const bytes = Buffer.from(patch, 'latin1');
  if (stdout.columns === undefined) writeBytes(bytes);
  else stdout.write(escapeHiddenFile(bytes.toString('utf8')));
}

function textLines({files, missing}: Review, stdout: OutputPage): readonly string[] {
  if (files.length === 0)
    return [missing.length === 0 ? 'No changes.' : 'No changes in what snapshots cover.'];
  const {bold, dim} = stdout.style;
  const table = tableLines(
    [
      {texts: files.map((file) => STATUS_LETTERS[statusOf(file)]), style: bold},
      {texts: files.map(countsOf)},
      {texts: files.map(nameOf)},
    ],
    stdout,
  );
  const total = (side: 'added' | 'removed') => files.reduce((sum, {lines}) => sum + (lines?.[side] ?? 0), 0);
  return [...table, dim(`${pluralize(files.length, 'file')} +${total('added')} −${total('removed')}`)];
}

function countsOf({lines}: FileDifference): string {
  return lines ? `+${lines.added} −${lines.removed}` : 'binary';
}

function nameOf(file: FileDifference): string {
  const {before, after} = file;
  const name = shownPath(pathOf(file));
  const from = before && after && before.path !== after.path ? `${shownPath(before.path)} → ` : '';
  const mode = modeChange(file);
  return `${from}${name}${mode === undefined ? '' : ` (${mode})`}`;
}

function shownPath(path: RawPath): string {
  return escapeHiddenLine(textOf(path));
}

function uncoveredLines({uncovered, missing}: Review): readonly string[] {
  const files = Array.from(uncovered, ([path, reason]) => ({
    path: shownPath(path),
    reason: UNCOVERED_REASONS[reason],
  }));
  return [...uncoveredTurns(missing), ...files].map(({path, reason}) => `Not covered: ${path} (${reason})`);
}

function jsonOf({files, uncovered, patches, session, since, turn, missing}: Review) {
  return {
    v: 1,
    session,
    since,
    ...(turn !== undefined && {turn}),
    files: files.map((file) => ({
      status: statusOf(file),
      path: textOf(pathOf(file)),
      ...(statusOf(file) === 'renamed' && {oldPath: textOf(file.before?.path ?? '')}),
      before: versionJson(file.before),
      after: versionJson(file.after),
      binary: file.lines === undefined,
      ...file.lines,
      hunks: hunksIn(patches?.get(pathOf(file)) ?? '').map((hunk) => ({
        oldStart: hunk.oldStart,
        oldLines: hunk.oldLines,
        newStart: hunk.newStart,
        newLines: hunk.newLines,
        lines: hunk.lines.map((line) => Buffer.from(line, 'latin1').toString('utf8')),
      })),
    })),
    uncovered: Array.from(uncovered, ([path, reason]) => ({path: textOf(path), reason})),
    turnsWithoutSnapshot: missing,
  };
}

function versionJson(version: FileVersion | undefined) {
  return version ? {kind: version.kind, mode: octal(version)} : null;
}
