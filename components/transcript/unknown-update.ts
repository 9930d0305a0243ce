import type {UnknownEntry} from '../../src/session/entries.ts';
import type {Theme} from '../theme/theme.tsx';
import {indent, narrow, wrapHanging, wrapHead} from '../layout/lines.ts';

const MAX_UNKNOWN_LINES = 3;

/** Returns the rows of an update of an unknown kind: the kind, and the start of its JSON. */
export function rowsOfUnknownUpdate(entry: UnknownEntry, theme: Theme): string[] {
  const {paint, symbols} = theme;
  const times = entry.count > 1 ? ` ×${entry.count}` : '';
  const headline = wrapHanging(symbols.notice, `Unknown update “${entry.kind}”${times}`, theme);
  const json = wrapHead(entry.json, MAX_UNKNOWN_LINES, narrow(theme));
  return [...headline, ...indent(json)].map((line) => paint.dim(line));
}
