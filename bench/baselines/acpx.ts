import {execFileSync} from 'node:child_process';
import {existsSync} from 'node:fs';
import {homedir} from 'node:os';
import path from 'node:path';

const VERSION = '0.19.1';
export const ACPX = `acpx ${VERSION}`;

/**
 * Returns the arguments with which Node runs one prompt in acpx, another headless client, with an agent given as one command line.
 * acpx is installed from npm into the user's cache the first time; undefined, with a line on stderr, if that fails.
 */
export function acpxArguments(agent: string, prompt: string): string[] | undefined {
  const program = installed();
  return program === undefined ? undefined : [program, '--format', 'quiet', '--agent', agent, 'exec', prompt];
}

function installed(): string | undefined {
  const cache = process.env['XDG_CACHE_HOME'] ?? path.join(homedir(), '.cache');
  const folder = path.join(cache, 'acp-tui-bench', `acpx-${VERSION}`);
  const program = path.join(folder, 'node_modules/.bin/acpx');
  if (existsSync(program)) return program;
  try {
    const options = ['--prefix', folder, '--no-audit', '--no-fund', '--ignore-scripts'];
    execFileSync('npm', ['install', ...options, `acpx@${VERSION}`], {stdio: 'ignore'});
    return program;
  } catch (error) {
    console.error(`${ACPX} is left out: ${String(error)}`);
    return undefined;
  }
}
