import {execFile} from 'node:child_process';
import {devNull} from 'node:os';
import {delimiter, isAbsolute} from 'node:path';

/** What git prints for a repository of some million files still fits. */
const MAX_BYTES = 512 * 1024 * 1024;
const MAX_MS = 30_000;

/**
 * A repository's own settings may name programs. Those that reading could start are off: an empty `core.fsmonitor` is none for every version
 * of git. What a filter, an alias or a diff could start is left out by what may be asked for, see `Reading`.
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

/** What may be asked of a user's repository: commands that only read its index, its settings and the names of files. */
type Reading = 'ls-files' | 'rev-parse' | 'config' | 'check-ignore' | 'version';

/** What may be asked of a repository of acp-tui's own: plumbing that neither checks out, merges nor fetches. */
type Plumbing =
  | 'cat-file'
  | 'commit-tree'
  | 'diff-files'
  | 'diff-tree'
  | 'for-each-ref'
  | 'gc'
  | 'hash-object'
  | 'init'
  | 'ls-files'
  | 'ls-tree'
  | 'mktree'
  | 'read-tree'
  | 'update-index'
  | 'update-ref'
  | 'write-tree';

/** A repository of acp-tui's own with a user's folder as its work tree. Paths are absolute. */
interface OwnRepository {
  readonly gitDir: string;
  readonly workTree: string;
  readonly index: string;
  /** Settings for this call: `name=value`. */
  readonly settings: readonly string[];
}

interface GitOptions {
  readonly signal?: AbortSignal | undefined;
  readonly input?: string | Buffer | undefined;
  readonly timeoutMs?: number;
}

/** Git's output in bytes, or its error message; `isMissing` if git is not installed. */
type GitOutput =
  | {readonly ok: true; readonly stdout: Buffer}
  | {readonly ok: false; readonly isMissing: boolean; readonly problem: string};

/** Runs git in a folder with the repository that the folder is in, see `Reading`. */
export function readWithGit(
  folder: string,
  command: readonly [Reading, ...string[]],
  options: GitOptions = {},
): Promise<GitOutput> {
  return runGit({folder, command, env: environment()}, options);
}

/** Runs git in a folder with a repository of acp-tui's own; neither the user's settings nor those of a repository count. */
export function runOwnGit(
  folder: string,
  {
    repository,
    command,
  }: {readonly repository: OwnRepository; readonly command: readonly [Plumbing, ...string[]]},
  options: GitOptions = {},
): Promise<GitOutput> {
  const {gitDir, workTree, index, settings} = repository;
  const others = Object.entries(environment()).filter(([name]) => !name.startsWith('GIT_'));
  const env = {
    ...Object.fromEntries(others),
    GIT_DIR: gitDir,
    GIT_WORK_TREE: workTree,
    GIT_INDEX_FILE: index,
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_CONFIG_GLOBAL: devNull,
    GIT_ATTR_NOSYSTEM: '1',
    GIT_OPTIONAL_LOCKS: '0',
    GIT_TERMINAL_PROMPT: '0',
    GIT_LITERAL_PATHSPECS: '1',
    GIT_AUTHOR_NAME: 'acp-tui',
    GIT_AUTHOR_EMAIL: 'acp-tui@localhost',
    GIT_COMMITTER_NAME: 'acp-tui',
    GIT_COMMITTER_EMAIL: 'acp-tui@localhost',
  };
  return runGit({folder, command, env, settings}, options);
}

interface GitCall {
  readonly folder: string;
  readonly command: readonly string[];
  readonly env: NodeJS.ProcessEnv;
  readonly settings?: readonly string[];
}

/** The one place that runs git: nothing that a repository names is run, and nothing is fetched or asked. */
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
    const child = execFile('git', [...flags, ...command], running, (error, stdout, stderr) => {
      if (!error) return resolve({ok: true, stdout});
      const problem = stderr.toString('utf8').trim() || error.message;
      resolve({ok: false, isMissing: error.code === 'ENOENT', problem});
    });
    // A git that fails early reads no more; how it failed is told by its end.
    child.stdin?.on('error', () => undefined);
    child.stdin?.end(options.input);
  });
}

function environment(): NodeJS.ProcessEnv {
  const {PATH = ''} = process.env;
  return {
    ...process.env,
    // Seen from the folder, a relative one is a place in the repository.
    PATH: PATH.split(delimiter).filter(isAbsolute).join(delimiter),
    GIT_OPTIONAL_LOCKS: '0',
    GIT_TERMINAL_PROMPT: '0',
    GIT_PAGER: 'cat',
    // What is missing in a partial clone would be fetched by whatever the repository says.
    GIT_NO_LAZY_FETCH: '1',
    GIT_ALLOW_PROTOCOL: 'none',
  };
}

/**
 * The files in a folder that git tracks, or would track, relative to the folder; without those that are tracked and were
 * deleted. Undefined where there is no repository, or no git.
 */
export async function gitFiles(root: string, signal?: AbortSignal): Promise<readonly string[] | undefined> {
  const list = async (...flags: string[]) => {
    const printed = await readWithGit(root, ['ls-files', '-z', ...flags], {signal});
    return printed.ok ? printed.stdout.toString('utf8').split('\0').slice(0, -1) : undefined;
  };
  const [present, deleted] = await Promise.all([
    list('--cached', '--others', '--exclude-standard', '--deduplicate'),
    list('--deleted'),
  ]);
  if (present === undefined) return undefined;
  if (!deleted || deleted.length === 0) return present;
  const gone = new Set(deleted);
  return present.filter((path) => !gone.has(path));
}
