import type * as acp from '@agentclientprotocol/sdk/unstable';
import {blockRows, placeholderRows} from '../../src/text/pictures/cells.ts';
import {pictureIfReady} from '../../src/worker/pictures.ts';
import type {Theme} from '../theme/theme.tsx';

/** Returns the rows of a picture in rows of cells, if the terminal shows pictures and it is read; otherwise nothing. */
export function rowsOfPicture(block: acp.ContentBlock, theme: Theme): string[] {
  const {paint, columns} = theme;
  const data = dataOf(block);
  if (!paint.pictures || data === undefined) return [];
  const picture = pictureIfReady(data, paint.pictures);
  if (picture === undefined) theme.lacks?.();
  if (!picture || picture.columns > columns) return [];
  return picture.pixels ? blockRows(picture, picture.pixels, paint.block) : placeholderRows(picture);
}

function dataOf(block: acp.ContentBlock): string | undefined {
  if (block.type === 'image') return block.data;
  const isImage = block.type === 'resource' && block.resource.mimeType?.startsWith('image/');
  return isImage && 'blob' in block.resource ? block.resource.blob : undefined;
}
