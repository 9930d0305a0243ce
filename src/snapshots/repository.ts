import {createHash} from 'node:crypto';
import {existsSync, realpathSync, writeFileSync} from 'node:fs';
import {devNull, homedir} from 'node:os';
import {join} from 'node:path';
import {readWithGit, runOwnGit} from '../git/git.ts';
import {makeFolder, PRIVATE_FILE} from '../shared/files/safe-files.ts';
import {looseObject} from './objects.ts';

/** A path relative to the folder in git's form: each character is a byte, since names need not be UTF-8. */
export type RawPath = string;

/** Why snapshots of a folder cannot be taken or read; the message follows "Review is off: ". */
export class SnapshotProblem extends Error {}

type Command = Parameters<typeof runOwnGit>[1]['command'];

interface CommandOptions {
  /** Defaults to a path without an index. */
  readonly index?: string;
  /** Defaults to the folder. */
  readonly workTree?: string;
  readonly excludesFile?: string | undefined;
  readonly input?: string | Buffer;
  readonly signal?: AbortSignal | undefined;
  readonly timeoutMs?: number;
  /** Stores all new files in one pack, if git can: a file for each takes several times as long. */
  readonly isPacked?: boolean;
  readonly onWarnings?: (text: string) => void;
}

/** A repository in acp-tui's state folder with the snapshots of one folder; the user's own repository is never written to. */
export interface SnapshotRepository {
  /** Absolute, resolved. */
  readonly folder: string;
  readonly gitDir: string;
  /** Runs git in the folder; throws a SnapshotProblem if it fails. */
  readonly git: (command: Command, options?: CommandOptions) => Promise<Buffer>;
}

/** Content and names are stored unchanged, whatever attributes and settings say. */
const SETTINGS = [
  'core.autocrlf=false',
  'core.safecrlf=false',
  'core.fileMode=true',
  'core.symlinks=true',
  'core.ignoreCase=false',
  'core.precomposeUnicode=false',
  'core.protectNTFS=false',
  'core.protectHFS=false',
  'core.untrackedCache=false',
  'core.bare=false',
  'core.sharedRepository=0600',
  'core.logAllRefUpdates=false',
  `core.attributesFile=${devNull}`,
  'gc.autoDetach=false',
  'gc.auto=3000',
  'gc.pruneExpire=2.days.ago',
];

/** Overrides every .gitattributes: no filters, line endings, keywords, encodings or drivers. */
const ATTRIBUTES = '* -text !eol !crlf !ident !filter !working-tree-encoding !diff !merge\n';

type Version = readonly [major: number, minor: number];

const OLDEST_GIT: Version = [2, 30];

/** Those before make a pack of each file. */
const PACKING_GIT: Version = [2, 37];
/** Makes git store every file of two bytes or more as it stores large ones, as fast as loose objects. */
const PACKED = ['core.bigFileThreshold=1', 'pack.compression=1'];

/** Returns the repository of a folder, creating it if necessary; throws a SnapshotProblem. */
export async function createRepository(folder: string, state: string): Promise<SnapshotRepository> {
  const real = realFolder(folder);
  const home = homedir();
  if (home === real || home.startsWith(real === '/' ? real : `${real}/`))
    throw new SnapshotProblem('this folder is or contains your home folder');
  if (['HEAD', 'objects', 'refs'].every((name) => existsSync(join(real, name))))
    throw new SnapshotProblem('this folder is a git repository without a work tree');
  return fillRepository(repositoryOf(real, state));
}

/** Returns a repository in a folder of its own, creating it if necessary; throws a SnapshotProblem. */
export function createRepositoryAt(folder: string, gitDir: string): Promise<SnapshotRepository> {
  return fillRepository(repositoryAt(realFolder(folder), gitDir));
}

async function fillRepository(repository: SnapshotRepository): Promise<SnapshotRepository> {
  const real = repository.folder;
  if (existsSync(join(repository.gitDir, 'info', 'attributes'))) return repository;
  const version = await gitVersion(real);
  if (isOlder(version, OLDEST_GIT))
    throw new SnapshotProblem(
      `git ${version.join('.')} is too old; ${OLDEST_GIT.join('.')} or later is required`,
    );
  for (const name of ['objects', 'refs', 'info']) makeFolder(join(repository.gitDir, name));
  for (const [name, text] of Object.entries({...FILES, 'work-folder': `${real}\n`}))
    writeFileSync(join(repository.gitDir, name), text, {mode: PRIVATE_FILE});
  // Written last: a repository without it is created again.
  writeFileSync(join(repository.gitDir, 'info', 'attributes'), ATTRIBUTES, {mode: PRIVATE_FILE});
  return repository;
}

/** What `git init` writes, in the format that every version of git reads. */
const FILES = {HEAD: 'ref: refs/heads/main\n', config: '[core]\n\trepositoryformatversion = 0\n'};

/** Returns the repository of a folder, undefined if no snapshot was ever taken; throws a SnapshotProblem. */
export function existingRepository(folder: string, state: string): SnapshotRepository | undefined {
  const repository = repositoryOf(realFolder(folder), state);
  return existsSync(join(repository.gitDir, 'info', 'attributes')) ? repository : undefined;
}

function realFolder(folder: string): string {
  try {
    return realpathSync.native(folder);
  } catch {
    throw new SnapshotProblem('the folder cannot be opened');
  }
}

function repositoryOf(folder: string, state: string): SnapshotRepository {
  const key = createHash('sha256').update(folder).digest('hex').slice(0, 24);
  return repositoryAt(folder, join(state, 'snapshots', key));
}

/** Returns the repository in a git folder of acp-tui's own. `folder` is a real path. */
export function repositoryAt(folder: string, gitDir: string): SnapshotRepository {
  return {
    folder,
    gitDir,
    git: async (
      command,
      {index = join(gitDir, 'no-index'), workTree = folder, excludesFile, isPacked = false, ...options} = {},
    ) => {
      const settings = [
        ...SETTINGS,
        ...(excludesFile === undefined ? [] : [`core.excludesFile=${excludesFile}`]),
        ...(isPacked && !isOlder(await gitVersion(folder), PACKING_GIT) ? PACKED : []),
      ];
      const repository = {gitDir, workTree, index, settings};
      const done = await runOwnGit(folder, {repository, command}, options);
      if (done.ok) return done.stdout;
      throw new SnapshotProblem(
        done.isMissing ? 'git was not found' : `git ${command[0]} failed: ${done.problem}`,
      );
    },
  };
}

/** The version of the git on a PATH. */
let knownGit: {readonly path: string; readonly version: Version} | undefined;

async function gitVersion(folder: string): Promise<Version> {
  const {PATH: path = ''} = process.env;
  if (knownGit?.path === path) return knownGit.version;
  const printed = await readWithGit(folder, ['version']);
  if (!printed.ok) throw new SnapshotProblem(printed.isMissing ? 'git was not found' : printed.problem);
  const [, major = '0', minor = '0'] = /(\d+)\.(\d+)/.exec(printed.stdout.toString('utf8')) ?? [];
  knownGit = {path, version: [Number(major), Number(minor)]};
  return knownGit.version;
}

function isOlder([major, minor]: Version, [otherMajor, otherMinor]: Version): boolean {
  return major < otherMajor || (major === otherMajor && minor < otherMinor);
}

/** Outputs of `diffTree`, the newest last. */
const known = new Map<string, Buffer>();
const MAX_KNOWN = {outputs: 16, bytes: 1024 * 1024} as const;

/** Runs `git diff-tree` on snapshots, or returns the output of an earlier run: they never change. Throws a SnapshotProblem. */
export async function diffTree(
  {git, gitDir}: SnapshotRepository,
  args: readonly string[],
  options: Pick<CommandOptions, 'input' | 'timeoutMs'> = {},
): Promise<Buffer> {
  const key = JSON.stringify([gitDir, args, options.input]);
  const output = known.get(key) ?? (await git(['diff-tree', ...args], options));
  known.delete(key);
  if (output.length <= MAX_KNOWN.bytes) known.set(key, output);
  for (const oldest of known.keys()) if (known.size > MAX_KNOWN.outputs) known.delete(oldest);
  return output;
}

/** Returns a path inside a folder as bytes for the file system. */
export function bytesOf(folder: string, path: RawPath): Buffer {
  return Buffer.concat([Buffer.from(folder), Buffer.from(path, 'latin1')]);
}

/** Returns a path as text; bytes that are not UTF-8 become U+FFFD. */
export function textOf(path: RawPath): string {
  return Buffer.from(path, 'latin1').toString('utf8');
}

/** Maximum amount that is read at once. */
const MAX_READ = {blobs: 500, bytes: 64 * 1024 * 1024} as const;

/** Returns the content of a blob, given by its id; throws a SnapshotProblem. */
export async function readBlob({git, gitDir}: SnapshotRepository, id: string): Promise<Buffer> {
  return (await looseObject(gitDir, 'blob', id)) ?? git(['cat-file', 'blob', id]);
}

/** Returns a reader of blobs by id, to be called in about this order: git reads many packed ones at once. It throws a SnapshotProblem for a missing one. */
export function readBlobs(
  {git, gitDir}: SnapshotRepository,
  ids: readonly string[],
): (id: string) => Promise<Buffer> {
  const wanted = [...new Set(ids)];
  let sizes: ReadonlyMap<string, number> | undefined;
  /** The last two groups: callers that read in parallel are not all in the newest one. */
  let groups: readonly ReadonlyMap<string, Buffer>[] = [];
  let reading: Promise<unknown> = Promise.resolve();

  async function run(how: '--batch' | '--batch-check', blobs: readonly string[]): Promise<Buffer> {
    return git(['cat-file', how], {input: blobs.map((id) => `${id}\n`).join('')});
  }

  /** Reads the blob with this id, and those after it. */
  async function readFrom(id: string): Promise<Map<string, Buffer>> {
    sizes ??= sizesIn(await run('--batch-check', wanted));
    if (!sizes.has(id)) throw new SnapshotProblem('its content is no longer stored');
    const group: string[] = [];
    let bytes = 0;
    for (const each of wanted.slice(wanted.indexOf(id))) {
      const size = sizes.get(each);
      if (size === undefined) continue;
      bytes += size;
      if (group.length > 0 && (bytes > MAX_READ.bytes || group.length === MAX_READ.blobs)) break;
      group.push(each);
    }
    return blobsIn(await run('--batch', group));
  }

  async function readPacked(id: string): Promise<Buffer> {
    const isRead = (group: ReadonlyMap<string, Buffer>) => group.has(id);
    if (!groups.some(isRead)) groups = [await readFrom(id), ...groups.slice(0, 1)];
    return groups.find(isRead)?.get(id) ?? Buffer.alloc(0);
  }

  return async (id) => {
    const loose = await looseObject(gitDir, 'blob', id);
    if (loose) return loose;
    const read = reading.then(
      () => readPacked(id),
      () => readPacked(id),
    );
    reading = read;
    return read;
  };
}

const HEAD = /^(\w+) blob (\d+)$/;

/** Parses lines like `<id> blob <size>`, or `<id> missing`. */
function sizesIn(printed: Buffer): ReadonlyMap<string, number> {
  const heads = printed
    .toString('latin1')
    .split('\n')
    .map((line) => HEAD.exec(line));
  return new Map(heads.flatMap((head) => (head ? [[head[1] ?? '', Number(head[2])]] : [])));
}

/** Each blob has such a line before it, and a line feed after it. */
function blobsIn(printed: Buffer): Map<string, Buffer> {
  const blobs = new Map<string, Buffer>();
  for (let at = 0; at < printed.length;) {
    const end = printed.indexOf('\n', at);
    const [, id = '', size = '0'] = HEAD.exec(printed.toString('latin1', at, end)) ?? [];
    blobs.set(id, printed.subarray(end + 1, end + 1 + Number(size)));
    at = end + 1 + Number(size) + 1;
  }
  return blobs;
}
