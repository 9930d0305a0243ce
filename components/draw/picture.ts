import type * as acp from '@agentclientprotocol/sdk/unstable';
import {blockRows, placeholderRows, type Picture} from '../../src/text/pictures/cells.ts';
import {pictureNow} from '../../src/text/pictures/picture-now.ts';
import type {Draw} from './draw.ts';

/** Draws a picture in rows of cells, if the terminal shows pictures and it is read; otherwise nothing. */
export function drawPicture(block: acp.ContentBlock, draw: Draw): string[] {
  const {paint, columns} = draw;
  const picture = readPicture(block, draw);
  if (!picture || picture.columns > columns) return [];
  return picture.pixels ? blockRows(picture, picture.pixels, paint.block) : placeholderRows(picture);
}

/** True while a picture is being read that will be drawn. */
export function isReadingPicture(blocks: readonly acp.ContentBlock[], draw: Pick<Draw, 'paint'>): boolean {
  return blocks.some((block) => readPicture(block, draw) === undefined);
}

/** Returns a picture if it is read; undefined while it is being read, null if there is none to draw. */
function readPicture(
  block: acp.ContentBlock,
  {paint: {pictures}}: Pick<Draw, 'paint'>,
): Picture | null | undefined {
  const data = dataOf(block);
  return pictures === undefined || data === undefined ? null : pictureNow(data, pictures);
}

function dataOf(block: acp.ContentBlock): string | undefined {
  if (block.type === 'image') return block.data;
  const isImage = block.type === 'resource' && block.resource.mimeType?.startsWith('image/');
  return isImage && 'blob' in block.resource ? block.resource.blob : undefined;
}
