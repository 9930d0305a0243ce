import type {RunTool, ClipboardContent} from './clipboard-tool.ts';

/** Prints the content type (`files`, `image` or `text`), a line end, and the bytes in base64. */
const SCRIPT = [
  'Add-Type -AssemblyName System.Windows.Forms,System.Drawing',
  '$c=[Windows.Forms.Clipboard]',
  'function say($k,$b){$k;[Convert]::ToBase64String($b)}',
  '$u=[Text.Encoding]::UTF8',
  'if($c::ContainsFileDropList()){say files $u.GetBytes(($c::GetFileDropList()) -join "`n")}',
  'elseif($c::ContainsImage()){$m=New-Object IO.MemoryStream;$c::GetImage().Save($m,[Drawing.Imaging.ImageFormat]::Png);say image $m.ToArray()}',
  'elseif($c::ContainsText()){say text $u.GetBytes($c::GetText())}',
]
  .join(';')
  .replaceAll(';elseif', ' elseif');

/** Reads the clipboard of Windows from inside WSL, where its files have other paths. */
export async function readWindowsFromWsl(run: RunTool): Promise<ClipboardContent | undefined> {
  const content = await readWindows(run);
  if (content?.kind !== 'files') return content;
  // Thousands of files may have been copied, usually of one folder.
  const folderOf = (path: string) => path.slice(0, path.lastIndexOf('\\') + 1);
  const folderHere = async (folder: string) => [folder, await run('wslpath', ['-u', folder])] as const;
  const folders = new Map(await Promise.all(Array.from(new Set(content.paths.map(folderOf)), folderHere)));
  const pathHere = (path: string) => {
    const folder = folderOf(path);
    const printed = folders.get(folder);
    if (!Buffer.isBuffer(printed)) return path;
    return `${printed.toString().replace(/\/?\n$/, '')}/${path.slice(folder.length)}`;
  };
  return {kind: 'files', paths: content.paths.map(pathHere)};
}

/** Reads the clipboard of Windows. */
export async function readWindows(run: RunTool): Promise<ClipboardContent | undefined> {
  const printed = await run('powershell.exe', ['-NoProfile', '-STA', '-Command', SCRIPT]);
  if (printed === 'missing') return undefined;
  const [kind, base64 = ''] = printed?.toString().trim().split(/\r?\n/) ?? [];
  const bytes = Buffer.from(base64, 'base64');
  if (kind === 'image') return {kind, bytes, mimeType: 'image/png'};
  if (kind === 'text') return {kind, text: bytes.toString()};
  if (kind === 'files') return {kind, paths: bytes.toString().split('\n')};
  return {kind: 'nothing'};
}
