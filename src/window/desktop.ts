import {spawn, type ChildProcess} from 'node:child_process';
import {ownEnvironment} from '../shared/processes/executable.ts';

/** Runs a program with this text on its standard input; resolves to true if it succeeded. */
type FeedTool = (file: string, args: readonly string[], text: string) => Promise<boolean>;

type Tool = readonly [file: string, ...args: readonly string[]];

/**
 * Copies text to the clipboard with the available programs; false if none succeeded. Over SSH this machine's clipboard is useless: only the terminal can copy.
 */
export async function copyWithTools(
  text: string,
  {
    env,
    platform,
    feed = feedTool,
  }: {
    readonly env: NodeJS.ProcessEnv;
    readonly platform: NodeJS.Platform;
    readonly feed?: FeedTool;
  },
): Promise<boolean> {
  let isCopied = false;
  for (const [file, ...args] of toolsFor(env, platform)) {
    if (isCopied) break;
    isCopied = await feed(file, args, text);
  }
  // tmux keeps clipboard sequences to itself by default.
  if (env['TMUX']) return (await feed('tmux', ['load-buffer', '-w', '-'], text)) || isCopied;
  return isCopied;
}

function toolsFor(env: NodeJS.ProcessEnv, platform: NodeJS.Platform): readonly Tool[] {
  if (env['SSH_CONNECTION'] || env['SSH_TTY']) return [];
  if (platform === 'darwin') return [['pbcopy']];
  if (platform === 'win32') return [['clip.exe']];
  return [
    ...(env['WAYLAND_DISPLAY'] ? [['wl-copy'] as const] : []),
    ...(env['DISPLAY']
      ? [['xclip', '-selection', 'clipboard', '-in'] as const, ['xsel', '--clipboard', '--input'] as const]
      : []),
    ...(env['WSL_DISTRO_NAME'] ? [['clip.exe'] as const] : []),
  ];
}

/** A program that owns a selection keeps running, and may keep its outputs open: only its exit counts. */
const MAX_MS = 3000;

function feedTool(file: string, args: readonly string[], text: string): Promise<boolean> {
  return new Promise((resolve) => {
    const child = spawn(file, [...args], {
      env: ownEnvironment(),
      stdio: ['pipe', 'ignore', 'ignore'],
      timeout: MAX_MS,
      killSignal: 'SIGKILL',
      windowsHide: true,
    });
    child.on('error', () => resolve(false));
    child.on('exit', (code) => resolve(code === 0));
    child.stdin.on('error', () => resolve(false));
    child.stdin.end(text);
  });
}

/** In milliseconds. */
const TIMEOUT_MS = 1500;

interface DesktopEnvironment {
  readonly env: NodeJS.ProcessEnv;
  readonly platform: NodeJS.Platform;
  /** How long a program that opens a URL has to fail, in milliseconds; one that succeeds may keep running. */
  readonly timeoutMs?: number;
}

/**
 * Opens a URL in the user's browser: that of `$BROWSER` (a list like `$PATH`, `%s` stands for the URL), else the system's. Resolves to true if a program
 * accepted it; false if there is none, as over SSH.
 */
export async function openInBrowser(href: string, environment: DesktopEnvironment): Promise<boolean> {
  const {env, platform, timeoutMs = TIMEOUT_MS} = environment;
  const separator = platform === 'win32' ? ';' : ':';
  const named = (env['BROWSER'] ?? '').split(separator).filter((line) => line.trim() !== '');
  for (const line of named) if (await isAccepted(() => spawnBrowser(line, href, env), timeoutMs)) return true;
  return named.length === 0 && openOnDesktop(href, environment);
}

/** Opens a file or URL with the system's default program. Resolves like `openInBrowser`. */
export async function openOnDesktop(target: string, environment: DesktopEnvironment): Promise<boolean> {
  if (!hasScreen(environment)) return false;
  const {default: open} = await import('open');
  return isAccepted(() => open(target), environment.timeoutMs ?? TIMEOUT_MS);
}

function hasScreen({env, platform}: DesktopEnvironment): boolean {
  if (platform === 'darwin' || platform === 'win32') return !isRemote(env);
  return [env['DISPLAY'], env['WAYLAND_DISPLAY'], isRemote(env) ? '' : env['WSL_DISTRO_NAME']].some(Boolean);
}

function isRemote(env: NodeJS.ProcessEnv): boolean {
  return Boolean(env['SSH_CONNECTION'] || env['SSH_TTY']);
}

function spawnBrowser(line: string, href: string, env: NodeJS.ProcessEnv): ChildProcess {
  const [file = '', ...args] = line.trim().split(/\s+/);
  const hasPlaceholder = args.some((arg) => arg.includes('%s'));
  const all = hasPlaceholder ? args.map((arg) => arg.replaceAll('%s', () => href)) : [...args, href];
  return spawn(file, all, {env: ownEnvironment(env), stdio: 'ignore', detached: true});
}

/** True once the program has succeeded, or is still running after the time limit. */
async function isAccepted(
  start: () => ChildProcess | Promise<ChildProcess>,
  timeoutMs: number,
): Promise<boolean> {
  const {promise, resolve} = Promise.withResolvers<boolean>();
  const timer = setTimeout(() => resolve(true), timeoutMs);
  const follow = async () => {
    const child = await start();
    child.once('error', () => resolve(false));
    child.once('exit', (code) => resolve(code === 0));
    child.unref();
    if (child.exitCode !== null) resolve(child.exitCode === 0);
  };
  // Starting it may take longer than the limit, too.
  follow().catch(() => resolve(false));
  const accepts = await promise;
  clearTimeout(timer);
  return accepts;
}
