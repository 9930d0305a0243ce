import {mediaType} from './media-type.ts';
import {runTool, type RunTool, type ClipboardContent} from './clipboards/clipboard-tool.ts';
import {readWayland, readX11} from './clipboards/linux.ts';
import {readMac} from './clipboards/mac.ts';
import {readWindows, readWindowsFromWsl} from './clipboards/windows.ts';

/** Reads the clipboard with a platform's tools; undefined if its tool is missing. */
type ReadClipboard = (run: RunTool) => Promise<ClipboardContent | undefined>;

interface ClipboardEnvironment {
  readonly platform: NodeJS.Platform;
  readonly env: NodeJS.ProcessEnv;
}

const INSTEAD = 'Attach a file with @ and its path, or drop it on the terminal.';

/** Reads the clipboard of the local machine with the platform's tools. Never throws. */
export async function readClipboard({platform, env}: ClipboardEnvironment): Promise<ClipboardContent> {
  const run = runTool(env);
  const {readers, tools} = waysOf({platform, env});
  for (const read of readers) {
    const content = await read(run);
    if (content) return checked(content);
  }
  return {kind: 'unavailable', why: `${reasonFor({platform, env}, tools)} ${INSTEAD}`};
}

/** An image is identified by its content. */
function checked(content: ClipboardContent): ClipboardContent {
  if (content.kind !== 'image') return content;
  const type = mediaType(content.bytes);
  return type?.media === 'image' ? {...content, mimeType: type.mimeType} : {kind: 'nothing'};
}

function waysOf({platform, env}: ClipboardEnvironment): {
  readonly readers: readonly ReadClipboard[];
  readonly tools: readonly string[];
} {
  if (platform === 'darwin') return {readers: [readMac], tools: ['osascript']};
  if (platform === 'win32') return {readers: [readWindows], tools: ['powershell.exe']};
  const isWayland = Boolean(env['WAYLAND_DISPLAY']);
  const isX11 = Boolean(env['DISPLAY']);
  return {
    readers: [
      ...(isWsl(env) ? [readWindowsFromWsl] : []),
      ...(isWayland ? [readWayland] : []),
      ...(isX11 ? [readX11] : []),
    ],
    tools: isWayland ? ['wl-paste (package wl-clipboard)'] : isX11 ? ['xclip'] : [],
  };
}

function reasonFor({env}: ClipboardEnvironment, tools: readonly string[]): string {
  if (isWsl(env)) return 'Cannot read the Windows clipboard: powershell.exe is not on the PATH of WSL.';
  if (tools.length > 0) return `Cannot read the clipboard: ${tools.join(' or ')} is not installed.`;
  return env['SSH_CONNECTION'] || env['SSH_TTY']
    ? 'The clipboard of your machine cannot be read over SSH.'
    : 'No clipboard: neither a Wayland nor an X11 display is set.';
}

function isWsl(env: NodeJS.ProcessEnv): boolean {
  return Boolean(env['WSL_DISTRO_NAME'] || env['WSL_INTEROP']);
}
