import type {Picture, PictureWay} from '../text/pictures/cells.ts';
import {announceArrival} from './arrivals.ts';

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

/** Returns the picture in base64 data; undefined until it is read, which this starts and announces; null if it cannot be shown. */
export function pictureIfReady(data: string, way: PictureWay): Picture | null | undefined {
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
  const [{readPng}, {packPixels: packed, pngStrips: strips}, {sixelRows}] = await Promise.all([
    import('../text/pictures/png.ts'),
    import('../text/pictures/encode.ts'),
    import('../text/pictures/sixel.ts'),
  ]);
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

/** Maximum length of the part of the data in a key. */
const MAX_KEY = 65_536;

/** Returns a key for the data, so that the data itself is not kept: at the end of a PNG are checksums of all of it. */
function keyOf(data: string, way: PictureWay): string {
  return `${JSON.stringify(way)} ${data.length} ${data.slice(-MAX_KEY)}`;
}
