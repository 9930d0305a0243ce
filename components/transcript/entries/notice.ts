import type {NoticeEntry} from '../../../src/session/entries.ts';
import type {Draw} from '../../draw/draw.ts';
import {hanging} from '../../draw/lines.ts';

/** A quiet line about something that happened. */
export function drawNotice(entry: NoticeEntry, draw: Draw): string[] {
  const {paint, signs} = draw;
  const looks = {
    info: {sign: signs.notice, style: paint.dim, word: ''},
    warning: {sign: signs.warning, style: paint.warning, word: 'Warning: '},
    error: {sign: signs.failed, style: paint.error, word: 'Error: '},
  };
  const {sign, style, word} = looks[entry.level];
  return hanging(sign, word + entry.text, draw).map((line) => style(line));
}
