import {execFile} from 'node:child_process';
import {devNull} from 'node:os';
import {ownPath} from '../shared/processes/executable.ts';
import {watchForPipe} from './blocking-file.ts';

/** Enough for git's output in a repository of several million files. */
const MAX_BYTES = 512 * 1024 * 1024;
const MAX_MS = 30_000;

/**
 * A repository's settings may name programs. Those that reading could start are turned off: an empty `core.fsmonitor` means none in every version of git.
 * Filters, aliases and diff drivers are avoided by the allowed commands, see `GitReadCommand`.
 */
const OFF = [
  'core.fsmonitor=',
  `core.hooksPath=${devNull}`,
  'core.sshCommand=false',
  'credential.helper=',
  'diff.external=',
  'submodule.recurse=false',
  'safe.bareRepository=explicit',
];

/** Allowed commands in a user's repository: they only read its index, its trees, its settings and file names. */
type GitReadCommand = 'ls-files' | 'ls-tree' | 'rev-parse' | 'config' | 'check-ignore' | 'version';

/**
 * Allowed commands in the repository of a worktree, beside those: the first only read, and the others change references, an index, or what git knows of
 * worktrees. None of them writes files of a work tree, so that none runs a filter, and hooks are off.
 */
type WorktreeCommand =
  GitReadCommand | 'check-attr' | 'merge-base' | 'rev-list' | 'var' | 'read-tree' | 'update-ref' | 'worktree';

/** Allowed commands in acp-tui's own repository: plumbing that does not check out, merge or fetch. */
type Plumbing =
  | 'cat-file'
  | 'commit-tree'
  | 'diff-tree'
  | 'for-each-ref'
  | 'gc'
  | 'ls-files'
  | 'ls-tree'
  | 'merge-file'
  | 'merge-tree'
  | 'read-tree'
  | 'update-index'
  | 'update-ref'
  | 'write-tree';

/** acp-tui's own repository with a user's folder as its work tree. Paths are absolute. */
interface OwnRepository {
  readonly gitDir: string;
  readonly workTree: string;
  readonly index: string;
  /** Settings for this call: `name=value`. */
  readonly settings: readonly string[];
  /** Where new objects are stored; its own by default. */
  readonly objects?: string;
  /** Who commits; acp-tui by default. */
  readonly identity?: {readonly name: string; readonly email: string};
}

interface GitOptions {
  readonly signal?: AbortSignal | undefined;
  readonly input?: string | Buffer | undefined;
  readonly timeoutMs?: number;
  /** Receives what git wrote to stderr although it succeeded, each character a byte. */
  readonly onWarnings?: (text: string) => void;
}

/** Git's output in bytes, or its error message; `isMissing` if git is not installed, `isBlocked` if it waited for a named pipe. */
type GitOutput =
  | {readonly ok: true; readonly stdout: Buffer}
  | {
      readonly ok: false;
      readonly isMissing: boolean;
      readonly isBlocked?: boolean;
      readonly problem: string;
    };

/** Runs git in a folder, with the folder's repository, see `GitReadCommand`. */
export function readWithGit(
  folder: string,
  command: readonly [GitReadCommand, ...string[]],
  options: GitOptions = {},
): Promise<GitOutput> {
  return runGit({folder, command, env: environment(folder)}, options);
}

/** Variables that would make git work on another repository than the folder's. */
const OF_ANOTHER = new Set([
  'GIT_DIR',
  'GIT_WORK_TREE',
  'GIT_COMMON_DIR',
  'GIT_INDEX_FILE',
  'GIT_OBJECT_DIRECTORY',
  'GIT_ALTERNATE_OBJECT_DIRECTORIES',
  'GIT_NAMESPACE',
  'GIT_PREFIX',
]);

/** Runs git for a worktree: in the repository that the folder is in, or in the named git folder, whatever the environment says. */
export function runWorktreeGit(
  {folder, gitDir}: {readonly folder: string; readonly gitDir?: string},
  command: readonly [WorktreeCommand, ...string[]],
  options: GitOptions = {},
): Promise<GitOutput> {
  const own = Object.entries(environment(folder)).filter(([name]) => !OF_ANOTHER.has(name));
  const env = {
    ...Object.fromEntries(own),
    LC_ALL: 'C',
    ...(gitDir !== undefined && {GIT_DIR: gitDir}),
  };
  return runGit({folder, command, env}, options);
}

/** Runs git in a folder with acp-tui's own repository; neither the user's settings nor those of a repository apply. */
export function runOwnGit(
  folder: string,
  {
    repository,
    command,
  }: {readonly repository: OwnRepository; readonly command: readonly [Plumbing, ...string[]]},
  options: GitOptions = {},
): Promise<GitOutput> {
  const {gitDir, workTree, index, settings, objects, identity = OWN_IDENTITY} = repository;
  const others = Object.entries(environment(folder)).filter(([name]) => !name.startsWith('GIT_'));
  const env = {
    ...Object.fromEntries(others),
    GIT_DIR: gitDir,
    GIT_WORK_TREE: workTree,
    GIT_INDEX_FILE: index,
    LC_ALL: 'C',
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_CONFIG_GLOBAL: devNull,
    GIT_ATTR_NOSYSTEM: '1',
    GIT_OPTIONAL_LOCKS: '0',
    GIT_TERMINAL_PROMPT: '0',
    GIT_LITERAL_PATHSPECS: '1',
    GIT_AUTHOR_NAME: identity.name,
    GIT_AUTHOR_EMAIL: identity.email,
    GIT_COMMITTER_NAME: identity.name,
    GIT_COMMITTER_EMAIL: identity.email,
    MALLOC_TOP_PAD_: KEPT_MEMORY,
    ...(objects !== undefined && {GIT_OBJECT_DIRECTORY: objects}),
  };
  return runGit({folder, command, env, settings}, options);
}

/** Bytes that glibc keeps: git frees a quarter of a MiB after each object that it writes, and to get it back from the system takes longer than all the rest. */
const KEPT_MEMORY = String(4 * 1024 ** 2);

const OWN_IDENTITY = {name: 'acp-tui', email: 'acp-tui@localhost'};

interface GitCall {
  readonly folder: string;
  readonly command: readonly string[];
  readonly env: NodeJS.ProcessEnv;
  readonly settings?: readonly string[];
}

/** The only function that runs git: it runs no program named by a repository, fetches nothing and asks for nothing. */
function runGit({folder, command, env, settings = []}: GitCall, options: GitOptions): Promise<GitOutput> {
  const flags = [
    '--no-pager',
    '--no-optional-locks',
    ...[...OFF, ...settings].flatMap((each) => ['-c', each]),
  ];
  const running = {
    cwd: folder,
    env,
    encoding: 'buffer' as const,
    maxBuffer: MAX_BYTES,
    timeout: options.timeoutMs ?? MAX_MS,
    killSignal: 'SIGKILL' as const,
    windowsHide: true,
    ...(options.signal && {signal: options.signal}),
  };
  return new Promise((resolve) => {
    let blocking: string | undefined;
    const child = execFile('git', [...flags, ...command], running, (error, stdout, stderr) => {
      stopWatching();
      if (!error) {
        options.onWarnings?.(stderr.toString('latin1'));
        return resolve({ok: true, stdout});
      }
      if (blocking !== undefined) {
        const problem = `${blocking} is a named pipe`;
        return resolve({ok: false, isMissing: false, isBlocked: true, problem});
      }
      // Otherwise its code is a string: it was cancelled, printed too much, or is missing.
      const isLate = error.killed && typeof error.code !== 'string';
      const why = isLate ? `it took longer than ${running.timeout / 1000} s` : error.message;
      const problem = stderr.toString('utf8').trim() || why;
      resolve({ok: false, isMissing: error.code === 'ENOENT', problem});
    });
    const stopWatching = watchForPipe(child.pid, folder, (found) => {
      blocking = found;
      child.kill('SIGKILL');
    });
    // If git fails early, writing to it fails too; its exit reports why.
    child.stdin?.on('error', () => undefined);
    child.stdin?.end(options.input);
  });
}

function environment(folder: string): NodeJS.ProcessEnv {
  return {
    ...process.env,
    PATH: ownPath(process.env['PATH'], folder),
    GIT_OPTIONAL_LOCKS: '0',
    GIT_TERMINAL_PROMPT: '0',
    GIT_PAGER: 'cat',
    // Otherwise missing objects of a partial clone would be fetched from wherever the repository says.
    GIT_NO_LAZY_FETCH: '1',
    GIT_ALLOW_PROTOCOL: 'none',
  };
}

/**
 * Returns the files in a folder that git tracks, or would track, relative to the folder; without deleted ones. Undefined without a repository, or without git.
 */
export async function gitFiles(root: string, signal?: AbortSignal): Promise<readonly string[] | undefined> {
  const printed = await readWithGit(
    root,
    ['ls-files', '-z', '-t', '--cached', '--others', '--deleted', '--exclude-standard'],
    {signal},
  );
  if (!printed.ok) return undefined;
  const present = new Set<string>();
  const deleted = new Set<string>();
  for (const line of printed.stdout.toString('utf8').split('\0').slice(0, -1))
    (line.startsWith(DELETED) ? deleted : present).add(line.slice(DELETED.length));
  return [...present].filter((path) => !deleted.has(path));
}

/** Each path has a letter before it; a deleted one is listed a second time. */
const DELETED = 'R ';
