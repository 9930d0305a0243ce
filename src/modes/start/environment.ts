import {isAbsolute} from 'node:path';
import {errorMessage} from '../../shared/failure.ts';
import {codeOf} from '../../shared/files/safe-files.ts';

/** Variables that name acp-tui's own folders. An empty one counts as unset, as the XDG specification has it. */
const FOLDERS = [
  ...['CONFIG', 'STATE', 'DATA', 'CACHE'].map((name) => `ACP_TUI_${name}_DIR`),
  ...(process.platform === 'linux'
    ? ['CONFIG', 'STATE', 'DATA', 'CACHE'].map((name) => `XDG_${name}_HOME`)
    : []),
];

/** Variables that name the folder for temporary files, except on Windows; the first one that is set counts. */
const TEMPORARY = process.platform === 'win32' ? [] : ['TMPDIR', 'TMP', 'TEMP'];

/**
 * Returns why nothing can run here, in a sentence: the working folder was removed, or a variable would have files stored in whatever folder acp-tui is
 * started in. The XDG specification says to ignore a relative path; then sessions and settings would be elsewhere than the user said.
 */
export function environmentProblem(env: NodeJS.ProcessEnv): string | undefined {
  try {
    process.cwd();
  } catch (error) {
    const wasRemoved = codeOf(error) === 'ENOENT';
    const why = wasRemoved ? 'it was removed' : errorMessage(error);
    return `Cannot use the working folder, because ${why}: change to another one with cd.`;
  }
  const {HOME: home} = env;
  // Windows has the home folder elsewhere.
  if (home !== undefined && process.platform !== 'win32' && !isAbsolute(home)) {
    const what = home === '' ? 'empty' : `the relative path ${JSON.stringify(home)}`;
    return `Cannot use HOME, because it is ${what}: set it to your home folder.`;
  }
  const temporary = TEMPORARY.filter((name) => env[name]).slice(0, 1);
  const relative = [...FOLDERS, ...temporary].find((name) => !isAbsolute(env[name] || '/'));
  return relative === undefined
    ? undefined
    : `Cannot use ${relative}, because it is the relative path ${JSON.stringify(env[relative])}: set it to an absolute one, or unset it.`;
}
