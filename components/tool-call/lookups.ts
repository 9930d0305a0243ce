import type {ToolCallEntry} from '../../src/session/entries.ts';
import {lookupsLabel} from '../../src/session/labels/tool-labels.ts';
import {onOneLine} from '../../src/text/hidden.ts';
import {truncate} from '../../src/text/truncate.ts';
import {markEscapes} from '../theme/exact-text.ts';
import type {Theme} from '../theme/theme.tsx';
import {stateMark} from '../theme/symbols.ts';

/** Returns a run of reads and searches in one row: how many, and of what. */
export function lookupsRow(entries: readonly ToolCallEntry[], theme: Theme): string {
  const {paint, symbols, columns, cwd} = theme;
  const {label, places} = lookupsLabel(entries, cwd);
  const names = places.map((place) => markEscapes(onOneLine(place), theme)).join(', ');
  const rest = names === '' ? '' : paint.dim(` ${symbols.folded} ${names}`);
  return `${stateMark('completed', theme)} ${truncate(paint.bold(label) + rest, Math.max(1, columns - 2))}`;
}
