import {createHash} from 'node:crypto';
import {execFileSync} from 'node:child_process';
import {
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  writeFileSync,
} from 'node:fs';
import {dirname, join} from 'node:path';
import {compareSnapshots, pathOf, type Difference} from '../../../src/snapshots/differences.ts';
import {createRepository, type SnapshotRepository} from '../../../src/snapshots/repository.ts';
import {takeSnapshot, type TakeOptions} from '../../../src/snapshots/take/take-snapshot.ts';
import {temporaryFolder} from './temporary-folder.ts';

/** A folder with the snapshots that acp-tui takes of it. */
export interface SnapshotFolder {
  readonly folder: string;
  readonly repository: SnapshotRepository;
  readonly write: (files: Readonly<Record<string, string | Buffer>>) => void;
  readonly git: (...args: readonly string[]) => string;
  readonly take: (options?: TakeOptions) => Promise<string>;
  /** The differences, each as its letter and path: `M a.txt`. */
  readonly changes: (from: string, to: string) => Promise<readonly string[]>;
  readonly compare: (from: string, to: string) => Promise<Difference>;
}

/** Opens the snapshots of a folder inside a new one, after `prepare` has filled it. */
export async function snapshotFolder(
  prepare: (folder: string) => void = () => {},
  inside = '',
): Promise<SnapshotFolder> {
  const scratch = realpathSync(temporaryFolder());
  const folder = join(scratch, 'work', inside);
  mkdirSync(folder, {recursive: true});
  prepare(folder);
  const repository = await createRepository(folder, join(scratch, 'state'));
  const compare = (from: string, to: string) => compareSnapshots(repository, {from, to});
  return {
    folder,
    repository,
    write: (files) => writeFiles(folder, files),
    git: (...args) => git(folder, ...args),
    take: (options) => takeSnapshot(repository, options),
    compare,
    async changes(from, to) {
      const {files} = await compare(from, to);
      return files.map((file) => `${letter(file)} ${pathOf(file)}`);
    },
  };
}

function letter({before, after}: Difference['files'][number]): string {
  if (!before) return 'A';
  if (!after) return 'D';
  if (before.kind !== after.kind) return 'T';
  return before.path === after.path ? 'M' : 'R';
}

export function writeFiles(folder: string, files: Readonly<Record<string, string | Buffer>>): void {
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), {recursive: true});
    writeFileSync(join(folder, name), content);
  }
}

export function git(folder: string, ...args: readonly string[]): string {
  const identity = [
    '-c',
    'user.name=t',
    '-c',
    'user.email=t@example.org',
    '-c',
    'protocol.file.allow=always',
  ];
  return execFileSync('git', [...identity, ...args], {cwd: folder, encoding: 'utf8', stdio: 'pipe'});
}

/** Everything below a folder, with hashes, modes, links and modification times. */
export function everythingIn(folder: string): Readonly<Record<string, string>> {
  const names = readdirSync(folder, {recursive: true, encoding: 'utf8'}).sort();
  return Object.fromEntries(
    names.map((name) => {
      const path = join(folder, name);
      const stats = lstatSync(path);
      const content = stats.isSymbolicLink()
        ? readlinkSync(path)
        : stats.isFile()
          ? `${stats.size} ${createHash('sha1').update(readFileSync(path)).digest('hex')}`
          : '';
      return [name, `${stats.mode.toString(8)} ${stats.mtimeMs} ${content}`];
    }),
  );
}

/** Its files and links without times and git's own files; git keeps no empty folders. */
export function contentOf(folder: string): Readonly<Record<string, string>> {
  const entries = Object.entries(everythingIn(folder));
  return Object.fromEntries(
    entries
      .filter(([name, text]) => !/^\.git(?:\/|$)/.test(name) && !text.startsWith('40'))
      .map(([name, text]) => [name, text.replace(/ [\d.]+ /, ' ')]),
  );
}
