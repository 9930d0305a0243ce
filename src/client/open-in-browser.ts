import {spawn, type ChildProcess} from 'node:child_process';

export interface BrowserSurroundings {
  readonly env: NodeJS.ProcessEnv;
  readonly platform: NodeJS.Platform;
  /** How long a program that opens an address has to fail in, in milliseconds; one that opens it may go on for as long as it likes. */
  readonly patienceMs?: number;
}

/**
 * Opens an address in the user's browser: that of `$BROWSER` (a list as in `$PATH`, `%s` stands for the address), else the one of the
 * system. Resolves to whether something took it; false where there is none, as over SSH.
 */
export async function openInBrowser(href: string, surroundings: BrowserSurroundings): Promise<boolean> {
  const {env, platform, patienceMs = 1500} = surroundings;
  const separator = platform === 'win32' ? ';' : ':';
  const named = (env['BROWSER'] ?? '').split(separator).filter((line) => line.trim() !== '');
  for (const line of named) if (await tookIt(() => spawnBrowser(line, href, env), patienceMs)) return true;
  if (named.length > 0 || !hasScreen(surroundings)) return false;
  const {default: open} = await import('open');
  return tookIt(() => open(href), patienceMs);
}

function hasScreen({env, platform}: BrowserSurroundings): boolean {
  if (platform === 'darwin' || platform === 'win32') return !isRemote(env);
  return [env['DISPLAY'], env['WAYLAND_DISPLAY'], isRemote(env) ? '' : env['WSL_DISTRO_NAME']].some(Boolean);
}

function isRemote(env: NodeJS.ProcessEnv): boolean {
  return Boolean(env['SSH_CONNECTION'] || env['SSH_TTY']);
}

function spawnBrowser(line: string, href: string, env: NodeJS.ProcessEnv): ChildProcess {
  const [file = '', ...args] = line.trim().split(/\s+/);
  const isTold = args.some((arg) => arg.includes('%s'));
  const all = isTold ? args.map((arg) => arg.replaceAll('%s', () => href)) : [...args, href];
  return spawn(file, all, {env, stdio: 'ignore', detached: true});
}

/** True once the program has ended well, or still runs after a while. */
async function tookIt(
  start: () => ChildProcess | Promise<ChildProcess>,
  patienceMs: number,
): Promise<boolean> {
  const {promise, resolve} = Promise.withResolvers<boolean>();
  const timer = setTimeout(() => resolve(true), patienceMs);
  try {
    const child = await start();
    child.once('error', () => resolve(false));
    child.once('exit', (code) => resolve(code === 0));
    child.unref();
    if (child.exitCode !== null) resolve(child.exitCode === 0);
  } catch {
    resolve(false);
  }
  const isTaken = await promise;
  clearTimeout(timer);
  return isTaken;
}
