import type {NoticeEntry} from '../../src/session/entries.ts';
import type {Theme} from '../theme/theme.tsx';
import {wrapHanging} from '../layout/lines.ts';

/** Returns the rows of a dimmed line about an event. */
export function rowsOfNotice(entry: NoticeEntry, theme: Theme): string[] {
  const {paint, symbols} = theme;
  const looks = {
    info: {sign: symbols.notice, style: paint.dim, word: ''},
    warning: {sign: symbols.warning, style: paint.warning, word: 'Warning: '},
    error: {sign: symbols.failed, style: paint.error, word: 'Error: '},
  };
  const {sign, style, word} = looks[entry.level];
  return wrapHanging(sign, word + entry.text, theme).map((line) => style(line));
}
