import type {RunTool, ClipboardContent} from './clipboard-tool.ts';

export async function readMac(run: RunTool): Promise<ClipboardContent | undefined> {
  const script = (line: string) => run('osascript', ['-e', line]);
  const file = await script('POSIX path of (the clipboard as «class furl»)');
  if (file === 'missing') return undefined;
  const path = file?.toString().replace(/\r?\n$/, '');
  if (path) return {kind: 'files', paths: [path]};
  const image = await script('the clipboard as «class PNGf»');
  const [, hex] = /«data PNGf([0-9A-F]+)»/.exec(image?.toString() ?? '') ?? [];
  if (hex !== undefined) return {kind: 'image', bytes: Buffer.from(hex, 'hex'), mimeType: 'image/png'};
  const text = await run('pbpaste', []);
  return text instanceof Buffer && text.length > 0
    ? {kind: 'text', text: text.toString()}
    : {kind: 'nothing'};
}
