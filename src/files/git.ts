import {execFile} from 'node:child_process';
import {devNull} from 'node:os';
import {delimiter, isAbsolute} from 'node:path';

/** What git prints for a repository of some million files still fits. */
const MAX_BYTES = 512 * 1024 * 1024;
const MAX_MS = 30_000;

/**
 * A repository's own settings may name programs. Those that reading could start are off: an empty `core.fsmonitor` is none for every version
 * of git. What a filter, an alias or a diff could start is left out by what may be asked for, see `runGit`.
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

/**
 * Runs a plumbing command of git that only reads the index and the names of files, and gives what it prints: undefined where there is no
 * git, no repository, or one that git does not trust. The one place that runs git: nothing that the repository names is run, and
 * nothing is locked, fetched or asked.
 */
function runGit(
  folder: string,
  [command, ...args]: readonly ['ls-files', ...string[]],
  signal?: AbortSignal,
): Promise<string | undefined> {
  const options = {
    cwd: folder,
    env: environment(),
    maxBuffer: MAX_BYTES,
    timeout: MAX_MS,
    killSignal: 'SIGKILL' as const,
    windowsHide: true,
    ...(signal && {signal}),
  };
  const flags = ['--no-pager', '--no-optional-locks', ...OFF.flatMap((setting) => ['-c', setting])];
  return new Promise((resolve) => {
    execFile('git', [...flags, command, ...args], options, (error, stdout) => {
      resolve(error ? undefined : stdout);
    });
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
    const printed = await runGit(root, ['ls-files', '-z', ...flags], signal);
    return printed?.split('\0').slice(0, -1);
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
