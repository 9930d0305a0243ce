import type {UnknownEntry} from '../../../src/session/entries.ts';
import type {Draw} from '../../draw/draw.ts';
import {hanging, indent, inside, wrapFolded} from '../../draw/lines.ts';

const MOST_LINES = 3;

/** An update that this version does not know: its kind, and the start of its JSON text. */
export function drawUnknown(entry: UnknownEntry, draw: Draw): string[] {
  const {paint, signs} = draw;
  const times = entry.count > 1 ? ` ${signs.times}${entry.count}` : '';
  const headline = hanging(signs.notice, `Unknown update “${entry.kind}”${times}`, draw);
  const json = wrapFolded(entry.json, {most: MOST_LINES, keep: 'head'}, inside(draw));
  return [...headline, ...indent(json)].map((line) => paint.dim(line));
}
