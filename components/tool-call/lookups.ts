import type {ToolCallEntry} from '../../src/session/entries.ts';
import {shownPath} from '../../src/text/format.ts';
import {onOneLine} from '../../src/text/hidden.ts';
import {truncate} from '../../src/text/truncate.ts';
import {markEscapes} from '../theme/exact-text.ts';
import type {Theme} from '../theme/theme.tsx';
import {stateMark} from '../theme/symbols.ts';

/** Returns a run of reads and searches in one row: how many, and of what. */
export function lookupsRow(entries: readonly ToolCallEntry[], theme: Theme): string {
  const {paint, symbols, columns, cwd} = theme;
  const reads = entries.filter(({kind}) => kind === 'read');
  const places = new Set(reads.flatMap(({locations}) => locations.map(({path}) => shownPath(path, cwd))));
  const searches = entries.length - reads.length;
  const words = [
    ...(reads.length > 0 ? [`Read ${filesLabel(places.size || reads.length)}`] : []),
    ...(searches > 0 ? [`${reads.length > 0 ? 'searched' : 'Searched'} ${times(searches)}`] : []),
  ].join(', ');
  const names = [...places].map((place) => markEscapes(onOneLine(place), theme)).join(', ');
  const rest = names === '' ? '' : paint.dim(` ${symbols.folded} ${names}`);
  return `${stateMark('completed', theme)} ${truncate(paint.bold(words) + rest, Math.max(1, columns - 2))}`;
}

function filesLabel(count: number): string {
  return count === 1 ? 'a file' : `${count} files`;
}

function times(count: number): string {
  return count === 1 ? 'once' : count === 2 ? 'twice' : `${count} times`;
}
