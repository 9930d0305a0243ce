import {execFileSync} from 'node:child_process';
import {cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import path from 'node:path';
import {fileURLToPath, pathToFileURL} from 'node:url';

/**
 * Checks the table "Where new things go" of docs/internals/developing.md: adds one of each to a copy of the tree, and compares the files that
 * then have type errors with those that the table names. Prints how many files each takes.
 */

const PAGE = 'docs/internals/developing.md';

/** A new item that the types do not know yet. */
interface Addition {
  /** Its name in the table. */
  readonly row: string;
  readonly file: string;
  /** The place in the file, and the text inserted after it. */
  readonly behind: string;
  readonly added: string;
  /** The file represents a package: new items come with its updates. */
  readonly fromPackage?: true;
}

const ADDITIONS: readonly Addition[] = [
  {
    row: 'an effect',
    file: 'src/app/effects.ts',
    behind: "  | {readonly kind: 'quit'}",
    added: "| {readonly kind: 'planted_effect'}",
  },
  {
    row: 'an app event',
    file: 'src/app/events.ts',
    behind: "{readonly type: 'note_sent'}",
    added: "| {readonly type: 'planted_app_event'}",
  },
  {
    row: 'a session event',
    file: 'src/session/events.ts',
    behind: "  | {readonly type: 'cancel_requested'}",
    added: "| {readonly type: 'planted_event'}",
  },
  {
    row: 'a sessionUpdate kind',
    file: 'src/session/events.ts',
    behind: 'acp.SessionUpdate | UnknownUpdate',
    added: "| {readonly sessionUpdate: 'planted_update'}",
    fromPackage: true,
  },
  {
    row: 'an entry type',
    file: 'src/session/entries.ts',
    behind: '  | ElicitationEntry',
    added: "| (EntryBase & {readonly type: 'planted_entry'})",
  },
  {
    row: 'a picker',
    file: 'src/app/state.ts',
    behind: "  | {readonly kind: 'palette'}",
    added: "| {readonly kind: 'planted_picker'}",
  },
  {
    row: 'a key',
    file: 'src/app/keymap/action-descriptions.ts',
    behind: 'export const descriptions = {',
    added: "planted_action: '',",
  },
  {
    row: 'an option',
    file: 'src/cli/options.ts',
    behind: 'export const RUN_OPTIONS = {',
    added: "planted: text('--planted', ''),",
  },
  {
    row: 'a setting',
    file: 'src/settings/schema/all-settings.ts',
    behind: 'export const settingFields = {',
    added: "planted: {...text(''), topic: 'Agents', applies: 'at once', description: ''},",
  },
  {
    row: 'a setting',
    file: 'src/app/preferences.ts',
    behind: 'export interface Preferences {',
    added: 'readonly planted_preference: string;',
  },
  {
    row: 'a subcommand',
    file: 'src/cli/parsed-arguments.ts',
    behind: 'export const SUBCOMMANDS = {',
    added: "planted: '',",
  },
  {
    row: 'an output format',
    file: 'src/cli/options.ts',
    behind: "const OUTPUT_FORMATS = ['text',",
    added: "'planted',",
  },
  {
    row: 'an export format',
    file: 'src/export/format.ts',
    behind: "export const EXPORT_NAMES = ['markdown',",
    added: "'planted',",
  },
  {
    row: 'a session action',
    file: 'src/session/actions.ts',
    behind: 'export interface SessionActions {',
    added: 'planted(): void;',
  },
];

/** Returns what is wrong with the table: `complaints` are the files with type errors once everything is added. */
export function wrongRows(
  table: ReadonlyMap<string, readonly string[]>,
  additions: readonly Pick<Addition, 'row' | 'file' | 'fromPackage'>[],
  complaints: ReadonlySet<string>,
): readonly string[] {
  const rows = [...new Set(additions.map(({row}) => row))];
  const named = new Set(rows.flatMap((row) => table.get(row) ?? []));
  const addedTo = new Set(additions.filter(({fromPackage}) => !fromPackage).map(({file}) => file));
  return [
    ...rows.filter((row) => !table.has(row)).map((row) => `additions: no row says where ${row} goes`),
    ...additions
      .filter(({row, file, fromPackage}) => !fromPackage && table.has(row) && !table.get(row)?.includes(file))
      .map(({row, file}) => `additions: ${row} goes into ${file}, which its row does not name`),
    ...[...complaints]
      .filter((file) => !named.has(file))
      .map(
        (file) =>
          `additions: types complain in ${file}, which no row of ${PAGE} names: does npm run types pass?`,
      ),
    ...[...named]
      .filter((file) => !addedTo.has(file) && !complaints.has(file))
      .map((file) => `additions: a row names ${file}, where forgetting it is no type error`),
  ];
}

/** Returns the files that each row names in code spans, by the name of the item. */
export function rowsOf(page: string): ReadonlyMap<string, readonly string[]> {
  const lines = page.split('\n').filter((line) => line.startsWith('| '));
  return new Map(
    lines.map((line) => {
      const [, name = '', text = ''] = line.split('|').map((cell) => cell.trim());
      const spans = [...text.matchAll(/`((?:[\w-]+\/)*[\w-]+\.tsx?)`/g)].map(([, file = '']) => file);
      return [name, spans.map((file) => (file.startsWith('components/') ? file : `src/${file}`))];
    }),
  );
}

/** Adds all of them to a copy of the tree; returns the compiler's output by line. */
function complaintsAbout(root: string, additions: readonly Addition[]): readonly string[] {
  const copy = mkdtempSync(path.join(tmpdir(), 'acp-tui-additions-'));
  try {
    for (const folder of ['src', 'components'])
      cpSync(path.join(root, folder), path.join(copy, folder), {recursive: true});
    cpSync(path.join(root, 'package.json'), path.join(copy, 'package.json'));
    symlinkSync(path.join(root, 'node_modules'), path.join(copy, 'node_modules'));
    const config = JSON.parse(readFileSync(path.join(root, 'tsconfig.json'), 'utf8')) as object;
    writeFileSync(
      path.join(copy, 'tsconfig.json'),
      JSON.stringify({...config, include: ['src', 'components']}),
    );
    for (const {file, behind, added} of additions) {
      const text = readFileSync(path.join(copy, file), 'utf8');
      if (!text.includes(behind)) throw new Error(`${file} has no "${behind}": correct scripts/additions.ts`);
      writeFileSync(
        path.join(copy, file),
        text.replace(behind, () => `${behind}\n${added}`),
      );
    }
    return outputOf(path.join(root, 'node_modules/typescript/lib/tsc.js'), copy);
  } finally {
    rmSync(copy, {recursive: true, force: true});
  }
}

function outputOf(compiler: string, cwd: string): readonly string[] {
  try {
    execFileSync(process.execPath, [compiler, '--noEmit'], {cwd, encoding: 'utf8', stdio: 'pipe'});
    return [];
  } catch (error) {
    const {stdout} = error as {readonly stdout: string};
    return stdout.split('\n').filter((line) => /^\S+\(\d+,\d+\): error /.test(line));
  }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const root = fileURLToPath(new URL('../', import.meta.url));
  const table = rowsOf(readFileSync(path.join(root, PAGE), 'utf8'));
  const lines = complaintsAbout(root, ADDITIONS);
  const problems = wrongRows(table, ADDITIONS, new Set(lines.map((line) => line.replace(/\(.*/, ''))));
  for (const problem of problems) process.stdout.write(`  error ${problem}\n`);
  if (process.argv.includes('--count'))
    for (const row of new Set(ADDITIONS.map(({row}) => row)))
      process.stdout.write(`${String(table.get(row)?.length ?? 0).padStart(3)} files for ${row}\n`);
  if (process.argv.includes('--all')) process.stdout.write(`${lines.join('\n')}\n`);
  process.exitCode = problems.length > 0 ? 1 : 0;
}
