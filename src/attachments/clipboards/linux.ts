import type {RunTool, ClipboardContent} from './clipboard-tool.ts';

const IMAGES = ['image/png', 'image/jpeg', 'image/webp', 'image/gif'];
/** The types that file managers offer, in order of preference. */
const FILES = ['text/uri-list', 'x-special/gnome-copied-files'];
const TEXTS = ['text/plain;charset=utf-8', 'UTF8_STRING', 'text/plain', 'STRING', 'TEXT'];

export async function readWayland(run: RunTool): Promise<ClipboardContent | undefined> {
  return readOffered(await run('wl-paste', ['--list-types']), (type) =>
    run('wl-paste', ['--no-newline', '--type', type]),
  );
}

export async function readX11(run: RunTool): Promise<ClipboardContent | undefined> {
  const get = (type: string) => run('xclip', ['-selection', 'clipboard', '-out', '-target', type]);
  return readOffered(await get('TARGETS'), get);
}

async function readOffered(
  listed: Buffer | 'missing' | undefined,
  get: (type: string) => Promise<Buffer | 'missing' | undefined>,
): Promise<ClipboardContent | undefined> {
  if (listed === 'missing') return undefined;
  const offered = new Set(listed?.toString().split('\n'));
  const best = (types: readonly string[]) => types.find((type) => offered.has(type));
  const fetch = async (type: string | undefined) => {
    const bytes = type === undefined ? undefined : await get(type);
    return bytes instanceof Buffer && bytes.length > 0 ? bytes : undefined;
  };
  const [imageType, fileType, textType] = [best(IMAGES), best(FILES), best(TEXTS)];
  const files = (await fetch(fileType))?.toString().split(/\r?\n/).filter(isPath) ?? [];
  if (files.length > 0) return {kind: 'files', paths: files};
  const image = await fetch(imageType);
  if (image) return {kind: 'image', bytes: image, mimeType: imageType ?? ''};
  const text = await fetch(textType);
  return text ? {kind: 'text', text: text.toString()} : {kind: 'nothing'};
}

function isPath(line: string): boolean {
  return line.startsWith('file://') || line.startsWith('/');
}
