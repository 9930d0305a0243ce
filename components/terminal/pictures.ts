import type * as acp from '@agentclientprotocol/sdk/unstable';
import type * as encode from '../../src/text/pictures/encode.ts';
import type * as png from '../../src/text/pictures/png.ts';
import type * as sixel from '../../src/text/pictures/sixel.ts';
import {blockRows, placeholderRows, type Picture, type PictureWay} from '../../src/text/pictures/cells.ts';
import {announceArrival} from '../../src/worker/arrivals.ts';
import type {Theme} from '../theme/theme.tsx';

type Codecs = typeof encode & typeof png & typeof sixel;

let codecs: Promise<Codecs> | undefined;

async function loadCodecs(): Promise<Codecs> {
  const [reading, writing, sixels] = await Promise.all([
    import('../../src/text/pictures/png.ts'),
    import('../../src/text/pictures/encode.ts'),
    import('../../src/text/pictures/sixel.ts'),
  ]);
  return {...reading, ...writing, ...sixels};
}

/** Maximum length of base64. */
const MAX_LENGTH = 32 * 1024 * 1024;
/** Maximum number of cached pictures. */
const MAX_PICTURES = 50;

interface Kept {
  /** Undefined while it is read, null if it cannot be shown. */
  picture: Picture | null | undefined;
}

/** By way and content. */
const known = new Map<string, Kept>();

// Another program may have shown pictures in this terminal.
let lastId = 1 + Math.floor(Math.random() * 0xff0000);

/** Returns the rows of a picture in rows of cells, if the terminal shows pictures and it is read; otherwise nothing. */
export function rowsOfPicture(block: acp.ContentBlock, theme: Theme): string[] {
  const {paint, columns} = theme;
  const data = dataOf(block);
  if (!paint.pictures || data === undefined) return [];
  const picture = pictureNow(data, paint.pictures);
  if (picture === undefined) theme.lacks?.();
  if (!picture || picture.columns > columns) return [];
  return picture.pixels ? blockRows(picture, picture.pixels, paint.block) : placeholderRows(picture);
}

function dataOf(block: acp.ContentBlock): string | undefined {
  if (block.type === 'image') return block.data;
  const isImage = block.type === 'resource' && block.resource.mimeType?.startsWith('image/');
  return isImage && 'blob' in block.resource ? block.resource.blob : undefined;
}

/** Returns the picture in base64 data; undefined until it is read, which this starts and announces; null if it cannot be shown. */
function pictureNow(data: string, way: PictureWay): Picture | null | undefined {
  if (data.length > MAX_LENGTH) return null;
  const key = keyOf(data, way);
  const entry = known.get(key);
  if (entry !== undefined) return entry.picture;
  const kept: Kept = {picture: undefined};
  const [oldest] = known.keys();
  if (known.size >= MAX_PICTURES && oldest !== undefined) known.delete(oldest);
  known.set(key, kept);
  void keep(kept, read(data, way));
  return undefined;
}

async function keep(kept: Kept, reading: Promise<Picture | null>): Promise<void> {
  // If it fails, the content that the picture belongs to is still shown.
  kept.picture = await reading.catch(() => null);
  announceArrival();
}

async function read(data: string, way: PictureWay): Promise<Picture | null> {
  codecs ??= loadCodecs();
  const {readPng, packPixels: packed, pngStrips: strips, sixelRows} = await codecs;
  const bytes = new Uint8Array(Buffer.from(data, 'base64'));
  const shrunken = await readPng(bytes);
  if (shrunken === undefined) return null;
  const {pixels, columns, rows} = shrunken;
  const picture = {id: ++lastId, columns, rows};
  if (way === 'kitty') return {...picture, packed: await packed(pixels)};
  if (typeof way === 'object') return {...picture, sixels: sixelRows(pixels, picture, way.cell)};
  return way === 'iterm2' ? {...picture, strips: await strips(pixels, rows)} : {...picture, pixels};
}

/** Returns the picture with an id; undefined if it is no longer cached. */
export function pictureWithId(id: number): Picture | undefined {
  for (const {picture} of known.values()) if (picture?.id === id) return picture;
  return undefined;
}

/** Maximum number of characters in a key: different compressed data differs almost everywhere. */
const SAMPLED = 65_536;

/** Returns a key for the data, so that the data itself is not kept. */
function keyOf(data: string, way: PictureWay): string {
  const step = Math.max(1, Math.floor(data.length / SAMPLED));
  let [one, two] = [0x811c9dc5, 0x9e3779b9];
  for (let at = data.length - 1; at >= 0; at -= step) {
    one = Math.imul(one ^ data.charCodeAt(at), 0x01000193);
    two = Math.imul(two + data.charCodeAt(at), 0x85ebca6b) ^ (two >>> 13);
  }
  return `${JSON.stringify(way)} ${data.length} ${one} ${two}`;
}
