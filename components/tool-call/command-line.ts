import {saysCommand} from '../../src/session/words/command.ts';
import {onOneLine} from '../../src/text/hidden.ts';
import {truncate} from '../../src/text/truncate.ts';
import {width} from '../../src/text/width.ts';
import type {Draw} from '../draw/draw.ts';
import {drawExact, markEscapes} from '../draw/exact.ts';
import type {Extent} from './extent.ts';

/** A command that was read exactly, behind a `$`: in one line where it is cut, else all of it. */
export function drawCommandLine(command: string, extent: Extent, draw: Draw): string[] {
  const {columns, paint} = draw;
  const rows =
    extent === 'folded'
      ? [markEscapes(truncate(`$ ${onOneLine(command)}`, columns), draw)]
      : drawExact(`$ ${command}`, draw);
  return rows.map((row) => paint.dim(row));
}

/** True if the headline, which is cut, says the command; where all is drawn, only one that has room for sure. */
export function isInHeadline(
  command: string,
  {title, extent, columns}: {readonly title: string; readonly extent: Extent; readonly columns: number},
): boolean {
  const hasRoom = extent === 'folded' || (!title.includes('\n') && width(title) <= columns / 2);
  return hasRoom && saysCommand(title, command);
}
