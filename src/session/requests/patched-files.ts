import {escapeHiddenOnce, onOneLine} from '../../text/hidden.ts';
import {addAll} from '../../text/lists.ts';
import type {ToolCallEntry} from '../entries.ts';
import {memoize} from '../memoize.ts';
import {fileChangeOf, type FileChange} from '../transcript/diffs.ts';

/** The lines of a patch that name files: of git, of a unified diff, where one alone may be a removed or added line, and of `apply_patch`. */
const NAMING =
  /(?<![^\n])(diff --git |--- (?=[^\n]*\n\+\+\+ ([^\t\r\n]+))|(?:rename|copy) (?:from|to) |\*\*\* (?:(?:Add|Update|Delete) File|Move to): )([^\t\r\n]+)/g;

/** What git says of a file behind the line that names it, with the two lines that name it again. */
const HEADER =
  /(?:[^\n]*\n(?:(?:old|new|deleted file|new file) mode|(?:dis)?similarity index|index|rename|copy) )*[^\n]*(?:\n--- [^\t\r\n][^\n]*\n\+\+\+ [^\t\r\n])?/y;

/** The lines that go on with the line before them, and that line. */
const GOES_ON: Readonly<Record<string, string>> = {
  'rename to ': 'rename from ',
  'copy to ': 'copy from ',
  '*** Move to: ': '*** Update File: ',
};

/** Input fields that may contain a patch; the empty name is the input itself. */
const FIELD = /patch|diff|^input$|^$/i;
const DEEPEST = 8;

/** What a call says about files: as shown in its content, and in patches in its input. */
type Asked = Pick<ToolCallEntry, 'content' | 'kind' | 'rawInput'>;

/** Returns all that a call does to files, also what only a patch in its input says; names are exact readings. */
export const requestedChanges = memoize(({content, kind, rawInput}: Asked): readonly FileChange[] => [
  ...content.flatMap((part) => fileChangeOf(part, kind) ?? []),
  ...changesInInput(rawInput).map(({does, path, oldPath}) => ({
    does,
    path: exact(path),
    oldPath: oldPath === undefined ? undefined : exact(oldPath),
  })),
]);

/** A quoted name can have any characters, also where the patch has been escaped. */
function exact(name: string): string {
  return onOneLine(escapeHiddenOnce(name));
}

/** Returns what the patches in an input do to files. */
export function changesInInput(input: unknown, field = '', depth = 0): readonly FileChange[] {
  if (typeof input === 'string') return FIELD.test(field) ? patchedFiles(input) : [];
  if (typeof input !== 'object' || input === null || depth > DEEPEST) return [];
  return Object.entries(input).flatMap(([name, each]) =>
    changesInInput(each, Array.isArray(input) ? field : name, depth + 1),
  );
}

/** True for the text of a patch. Lines of git alone may be a command. */
export function isPatch(text: string): boolean {
  return [...text.matchAll(NAMING)].some(([, start]) => start !== 'diff --git ');
}

/** Returns what a patch does to each file that it names; nothing if the text is not a patch. */
export function patchedFiles(text: string): readonly FileChange[] {
  const found: FileChange[] = [];
  let last = {start: '', end: -1};
  for (const {0: line, 1: start = '', 2: after = '', 3: name = '', index} of text.matchAll(NAMING)) {
    const end = index + line.length;
    const goesOn = GOES_ON[start] === last.start && /^\r?\n$/.test(text.slice(last.end, index));
    HEADER.lastIndex = end;
    if (start === 'diff --git ') addAll(found, namedByGit(name, HEADER.exec(text)?.[0] ?? ''));
    else if (start === '--- ') addSides(found, name, after);
    else add(found, {start, path: unquoted(name)}, goesOn);
    last = {start, end};
  }
  return [...new Map(found.map((change) => [JSON.stringify(change), change])).values()];
}

/** Names of files are what they are behind the line of git only if it says no more than that they are changed: what is moved or copied, or has lines that change, is named again. */
function namedByGit(names: string, header: string): readonly FileChange[] {
  if (/\n(?:rename|copy|\+\+\+) /.test(header)) return [];
  const does = header.includes('\ndeleted file mode ') ? 'delete' : 'edit';
  const half = names.length >> 1;
  // Without a move, both are the same.
  const [one, other] = [names.slice(0, half), names.slice(half + 1)].map(withoutPrefix);
  const paths = one === other ? [one] : names.split(/ (?="?[ab]\/)/).map(withoutPrefix);
  return paths.flatMap((path) => (path ? [{does, path}] : []));
}

/** Adds what the two lines of a unified diff name, before and after. */
function addSides(found: FileChange[], before: string, after: string): void {
  const [old, path] = [before, after].map((side) => (isNowhere(side) ? undefined : withoutPrefix(side)));
  if (path === undefined) return old === undefined ? undefined : void found.push({does: 'delete', path: old});
  if (old !== undefined && found.some((change) => change.path === path && change.oldPath === old)) return;
  for (const name of new Set([old ?? path, path])) found.push({does: 'edit', path: name});
}

function add(
  found: FileChange[],
  {start, path}: {readonly start: string; readonly path: string},
  goesOn: boolean,
) {
  const does = start.startsWith('copy')
    ? 'copy'
    : /^rename|Move/.test(start)
      ? 'move'
      : start.includes('Delete')
        ? 'delete'
        : 'edit';
  const first = goesOn ? found.pop() : undefined;
  found.push({does, path, ...(first && {oldPath: first.path})});
}

function isNowhere(side: string): boolean {
  return /^[ab]?\/dev\/null$/.test(side.trim());
}

function withoutPrefix(name: string): string {
  return unquoted(name).replace(/^[ab]\//, '');
}

/** Git quotes names with signs that are not plain, and writes those as the bytes of UTF-8. */
function unquoted(name: string): string {
  const text = name.trim();
  if (!/^".*"$/.test(text)) return text;
  return text
    .slice(1, -1)
    .replaceAll(/(?:\\[0-7]{3})+/g, (bytes) =>
      new TextDecoder().decode(
        Uint8Array.from(bytes.slice(1).split('\\'), (each) => Number.parseInt(each, 8)),
      ),
    )
    .replaceAll(/\\(.)/g, '$1');
}
