import type {ReviewStatus} from '../session/review.ts';
import {
  absenceIn,
  FACTS_ENTRY,
  permissionsOf,
  type SnapshotFacts,
  type UncoveredReason,
  snapshotFacts,
} from './facts.ts';
import {looseObject} from './objects.ts';
import {diffTree, readBlob, type RawPath, type SnapshotRepository} from './repository.ts';

/** A file on one side of a difference. */
export interface FileVersion {
  readonly path: RawPath;
  readonly kind: 'file' | 'link';
  /** Permission bits; meaningless for links. */
  readonly permissions: number;
  /** Git's id of the content; for a link, of its target path. */
  readonly id: string;
}

/** A file that differs between two snapshots; a side without it is undefined. Renamed if the paths differ. */
export interface FileDifference {
  readonly before: FileVersion | undefined;
  readonly after: FileVersion | undefined;
  /** Undefined for binary files. */
  readonly lines: {readonly added: number; readonly removed: number} | undefined;
  /** The deepest folder of an added file that the wanted snapshot has, empty. */
  readonly folder?: RawPath | undefined;
}

export interface Difference {
  /** By path. */
  readonly files: readonly FileDifference[];
  /** All that git lists, in its order, see `patchesBetween`. */
  readonly entries: readonly ListedEntry[];
  /** Files that one of the snapshots does not cover. */
  readonly uncovered: ReadonlyMap<RawPath, UncoveredReason>;
}

/** The ids of two snapshots, see `takeSnapshot`. */
interface SnapshotPair {
  readonly from: string;
  readonly to: string;
  /** The snapshot that may be restored: files it does not cover would not be deleted. Default: `from`. */
  readonly wanted?: 'from' | 'to';
}

const LINK = 0o120000;
const TYPE = 0o170000;
const NOTHING = 0;

/** Compares two snapshots. */
export async function compareSnapshots(
  repository: SnapshotRepository,
  pair: SnapshotPair,
): Promise<Difference> {
  const [before, after, changed] = await Promise.all([
    readFacts(repository, pair.from),
    readFacts(repository, pair.to),
    listChanges(repository, pair),
  ]);
  const {entries, files: listedFiles} = changed;
  const withFacts = (version: FileVersion | undefined, facts: SnapshotFacts): FileVersion | undefined =>
    version && {...version, permissions: permissionsOf(facts, version.path, version.permissions)};
  const files = listedFiles.map(({before: old, after: now, lines}) => ({
    before: withFacts(old, before),
    after: withFacts(now, after),
    lines,
  }));
  const listed = new Set(files.flatMap((file) => [file.before?.path, file.after?.path]));
  const others = await onlyPermissions(repository, {pair, before, after, listed});
  return {entries, ...withoutUncovered([...files, ...others], {pair, before, after})};
}

/** Lists the files that two snapshots have differently: with git's permissions, and also those that one of the snapshots does not cover. */
async function listChanges(
  repository: SnapshotRepository,
  pair: SnapshotPair,
): Promise<Pick<Difference, 'files' | 'entries'>> {
  const args = [...RECURSIVE, '--raw', '--numstat', '--no-abbrev', ...treesOf(pair)];
  const printed = await diffTree(repository, args);
  const {entries, rest} = rawEntries(printed.toString('latin1').split('\0'));
  const counts = countsIn(rest);
  const files = entries.map(({modes, ids, paths}): FileDifference => {
    const version = (at: 0 | 1): FileVersion | undefined => {
      return modes[at] === NOTHING ? undefined : fileVersion(paths[at], modes[at], ids[at]);
    };
    return {before: version(0), after: version(1), lines: counts.get(paths[1])};
  });
  return {files, entries: entries.map(({paths, isRetyped}) => ({path: paths[1], isRetyped}))};
}

/** Returns a file with git's mode of it. */
export function fileVersion(path: RawPath, mode: number, id: string): FileVersion {
  return {path, kind: (mode & TYPE) === LINK ? 'link' : 'file', permissions: mode & ~TYPE, id};
}

/** Leaves out what one of the snapshots does not cover. */
function withoutUncovered(
  files: readonly FileDifference[],
  {pair, before, after}: Pick<Compared, 'pair' | 'before' | 'after'>,
): Pick<Difference, 'files' | 'uncovered'> {
  const uncovered = new Map([...Object.entries(before.uncovered), ...Object.entries(after.uncovered)]);
  const side = pair.wanted === 'to' ? 'after' : 'before';
  const {reasonOf, emptyFolderOf} = absenceIn(side === 'after' ? after : before);
  const covered = files.filter((file) => !isUncovered(file, uncovered));
  const left = covered.flatMap((file) => {
    const path = absentFrom(file, side);
    if (path === undefined) return [file];
    const reason = reasonOf(path);
    if (reason === undefined) return [{...file, folder: emptyFolderOf(path)}];
    if (reason.endsWith('_then')) uncovered.set(path, reason);
    return withoutNew(file, side);
  });
  return {files: left.sort(byPath), uncovered};
}

/** Returns the path of a file that one side does not have. */
function absentFrom(file: FileDifference, side: Side): RawPath | undefined {
  const other = file[side === 'after' ? 'before' : 'after'];
  return other && other.path !== file[side]?.path ? other.path : undefined;
}

type Side = 'before' | 'after';

/** Of a renamed file only the deletion at its old path remains. */
function withoutNew(file: FileDifference, side: Side): readonly FileDifference[] {
  const other = side === 'after' ? 'before' : 'after';
  return file[side] ? [{...file, [other]: undefined, lines: {added: 0, removed: 0}}] : [];
}

/** Changed lines of a file, with the unchanged lines around them. */
export interface Hunk {
  /** The number of the first line, from 1, and the number of lines. */
  readonly oldStart: number;
  readonly oldLines: number;
  readonly newStart: number;
  readonly newLines: number;
  /** Prefixed with ` `, `-` or `+`, as bytes; `\\` marks a remark on the line above. */
  readonly lines: readonly string[];
}

interface Patched extends SnapshotPair {
  /** Of the difference of the two. */
  readonly entries: Difference['entries'];
  /** True for `git apply`: binary files with their content, which takes git a second for a few MiB. Default: only that they differ. */
  readonly hasBinaries?: boolean;
}

/** Time limit for patches with binary files, in milliseconds. */
const MAX_BINARIES_MS = 30 * 60_000;

/** Returns the patches that turn one snapshot into the other, by `pathOf`; each character is a byte. */
export async function patchesBetween(
  repository: SnapshotRepository,
  {hasBinaries = false, entries, ...pair}: Patched,
): Promise<ReadonlyMap<RawPath, string>> {
  const binary = hasBinaries ? ['--binary'] : [];
  const options = hasBinaries ? {timeoutMs: MAX_BINARIES_MS} : {};
  const args = ['-r', '-M', '-p', ...binary, '--full-index', ...SAFE, ...treesOf(pair)];
  const patch = entries.length === 0 ? '' : await diffTree(repository, args, options);
  const sections = patch.toString('latin1').split(SECTION_START);
  const patches = new Map<RawPath, string>();
  for (const {path, isRetyped} of entries) {
    // A file replaced by a link is deleted and created.
    patches.set(path, sections.splice(0, isRetyped ? 2 : 1).join(''));
  }
  return patches;
}

/** Only a line feed starts a line: `^` would match after a carriage return in a file's content, too. */
const SECTION_START = /(?<=\n)(?=diff --git )/;

/** Returns the hunks of a patch of one file; none for a binary file. */
export function hunksIn(patch: string): readonly Hunk[] {
  const lines = patch.split('\n').slice(0, -1);
  const hunks: (Hunk & {readonly lines: string[]})[] = [];
  for (const line of lines) {
    const head = /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@/.exec(line);
    if (head) {
      const [oldStart = 0, oldLines = 1, newStart = 0, newLines = 1] = head
        .slice(1)
        .map((digits) => (digits === undefined ? undefined : Number(digits)));
      hunks.push({oldStart, oldLines, newStart, newLines, lines: []});
    } else if (line.startsWith('diff --git ')) continue;
    else if (/^[ +\-\\]/.test(line)) hunks.at(-1)?.lines.push(line);
  }
  return hunks;
}

/** Returns the current path of a file, or its last one. */
export function pathOf({before, after}: FileDifference): RawPath {
  return (after ?? before)?.path ?? '';
}

/** Returns the status of a file, as in `git status`. */
export function statusOf({before, after}: FileDifference): ReviewStatus {
  if (!before) return 'added';
  if (!after) return 'deleted';
  if (before.path !== after.path) return 'renamed';
  return before.kind === after.kind ? 'modified' : 'retyped';
}

/** Returns how the permission bits of a file changed; undefined if they did not. */
export function modeChange({before, after}: FileDifference): string | undefined {
  const areFiles = before?.kind === 'file' && after?.kind === 'file';
  if (!areFiles || before.permissions === after.permissions) return undefined;
  return `mode ${octal(before)} → ${octal(after)}`;
}

/** Returns permission bits in octal, as for `chmod`. */
export function octal({permissions}: FileVersion): string {
  return permissions.toString(8).padStart(4, '0');
}

/** Git attributes could name external diff programs. */
const SAFE = ['--no-ext-diff', '--no-textconv', '--no-color'];
const RECURSIVE = ['-r', '-z', '-M', ...SAFE];

function treesOf({from, to}: SnapshotPair): readonly string[] {
  return [`${from}:files`, `${to}:files`];
}

/** Returns the facts of a snapshot; throws a SnapshotProblem. */
export async function readFacts(repository: SnapshotRepository, id: string): Promise<SnapshotFacts> {
  const snapshot = await looseObject(repository.gitDir, 'tree', id);
  const start = FACTS_ENTRY.length;
  const isKnown = snapshot?.toString('latin1', 0, start) === FACTS_ENTRY;
  const blob = isKnown ? snapshot.toString('hex', start, start + 20) : `${id}:facts`;
  return snapshotFacts.parse(JSON.parse((await readBlob(repository, blob)).toString('utf8')));
}

/** An entry of git's list of differences. */
interface ListedEntry {
  readonly path: RawPath;
  /** True for a file replaced by a link, or a link by a file. */
  readonly isRetyped: boolean;
}

interface RawEntry extends Pick<ListedEntry, 'isRetyped'> {
  readonly modes: readonly [number, number];
  readonly ids: readonly [string, string];
  readonly paths: readonly [RawPath, RawPath];
}

/** Parses `:100644 100644 <id> <id> M`, a path, and for renames another one, as long as there are such; returns the other fields, too. */
function rawEntries(fields: readonly string[]): {
  readonly entries: readonly RawEntry[];
  readonly rest: readonly string[];
} {
  const entries: RawEntry[] = [];
  let at = 0;
  while (fields[at]?.startsWith(':')) {
    const [from = '', to = '', idBefore = '', idAfter = '', status = ''] = (fields[at] ?? '')
      .slice(1)
      .split(' ');
    const isRename = /^[RC]/.test(status);
    const path = fields[at + 1] ?? '';
    entries.push({
      modes: [parseInt(from, 8), parseInt(to, 8)],
      ids: [idBefore, idAfter],
      paths: [path, isRename ? (fields[at + 2] ?? '') : path],
      isRetyped: status === 'T',
    });
    at += isRename ? 3 : 2;
  }
  return {entries, rest: fields.slice(at)};
}

/** Parses `3\t1\t<path>`; a rename's paths follow as two separate fields; a binary file has `-` counts. */
function countsIn(fields: readonly string[]): ReadonlyMap<RawPath, FileDifference['lines']> {
  const counts = new Map<RawPath, FileDifference['lines']>();
  for (let at = 0; at + 1 < fields.length; at++) {
    const [, added = '', removed = '', path = ''] = /^(\S+)\t(\S+)\t([^]*)$/.exec(fields[at] ?? '') ?? [];
    const name = path === '' ? (fields[(at += 2)] ?? '') : path;
    if (added !== '-') counts.set(name, {added: Number(added), removed: Number(removed)});
  }
  return counts;
}

interface Compared {
  readonly pair: SnapshotPair;
  readonly before: SnapshotFacts;
  readonly after: SnapshotFacts;
  /** Paths that are already listed as different. */
  readonly listed: ReadonlySet<RawPath | undefined>;
}

/** Git stores one permission bit of nine: these files differ in others only. */
async function onlyPermissions(
  {git}: SnapshotRepository,
  {pair, before, after, listed}: Compared,
): Promise<readonly FileDifference[]> {
  const paths = new Set([...Object.keys(before.modes), ...Object.keys(after.modes)]);
  const differ = [...paths].filter((path) => before.modes[path] !== after.modes[path] && !listed.has(path));
  if (differ.length === 0) return [];
  const tree = (await git(['ls-tree', '-r', '-z', `${pair.to}:files`]))
    .toString('latin1')
    .split('\0')
    .slice(0, -1);
  const entries = new Map(tree.map((line) => [line.slice(line.indexOf('\t') + 1), line.split(/[ \t]/)]));
  return differ.flatMap((path): FileDifference[] => {
    const [mode = '', , id = ''] = entries.get(path) ?? [];
    if (id === '') return [];
    const version = (facts: SnapshotFacts): FileVersion => ({
      path,
      kind: 'file',
      permissions: permissionsOf(facts, path, parseInt(mode, 8)),
      id,
    });
    return [{before: version(before), after: version(after), lines: {added: 0, removed: 0}}];
  });
}

function isUncovered({before, after}: FileDifference, uncovered: Difference['uncovered']): boolean {
  return [before, after].some((version) => version !== undefined && uncovered.has(version.path));
}

function byPath(one: FileDifference, other: FileDifference): number {
  return pathOf(one) < pathOf(other) ? -1 : 1;
}

type HunkSide = 'old' | 'new';

/** Returns a file with one side of a hunk applied; undefined if it does not contain the other side there. */
export function withHunk(content: Buffer, hunk: Hunk, side: HunkSide): Buffer | undefined {
  const from = textOfSide(hunk, side === 'new' ? 'old' : 'new');
  const start = startOf(content, hunk, side === 'new' ? 'old' : 'new');
  const end = start + from.length;
  if (!content.subarray(start, end).equals(from)) return undefined;
  const to = textOfSide(hunk, side);
  return Buffer.concat([content.subarray(0, start), to, content.subarray(end)]);
}

const SIGNS = {old: ' -', new: ' +'} as const;

/** The lines of a side, byte for byte. */
function textOfSide({lines}: Hunk, side: HunkSide): Buffer {
  const text = lines.map((line, index) => {
    if (line === '' || !SIGNS[side].includes(line.charAt(0))) return '';
    const hasEnd = !lines[index + 1]?.startsWith('\\');
    return line.slice(1) + (hasEnd ? '\n' : '');
  });
  return Buffer.from(text.join(''), 'latin1');
}

/** Returns the byte offset of a side of a hunk in its file. */
function startOf(content: Buffer, hunk: Hunk, side: HunkSide): number {
  let at = 0;
  for (let line = side === 'old' ? hunk.oldStart : hunk.newStart; line > 1; line--) {
    const end = content.indexOf('\n', at);
    if (end === -1) return content.length;
    at = end + 1;
  }
  return at;
}
