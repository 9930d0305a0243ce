import {spawn} from 'node:child_process';

/** Runs a program with this text on its standard input; whether it did what it should. */
export type FeedTool = (file: string, args: readonly string[], text: string) => Promise<boolean>;

type Tool = readonly [file: string, ...args: readonly string[]];

/**
 * Puts text into the clipboard with the programs that there are for it here; false where none could. Over SSH the clipboard of
 * this machine is nobody's: there the terminal alone can help.
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
  // tmux keeps what programs send to the terminal's clipboard to itself, unless told otherwise.
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

/** A selection's owner stays, and may keep its outputs open: only its end counts. */
const MAX_MS = 3000;

function feedTool(file: string, args: readonly string[], text: string): Promise<boolean> {
  return new Promise((resolve) => {
    const child = spawn(file, [...args], {
      stdio: ['pipe', 'ignore', 'ignore'],
      timeout: MAX_MS,
      windowsHide: true,
    });
    child.on('error', () => resolve(false));
    child.on('exit', (code) => resolve(code === 0));
    child.stdin.on('error', () => resolve(false));
    child.stdin.end(text);
  });
}
