import type {SessionMessageEntry} from '../../../src/session/entries.ts';
import {sanitizeLine} from '../../../src/text/sanitize.ts';
import type {Draw} from '../../draw/draw.ts';
import {hanging, indent, inside} from '../../draw/lines.ts';
import {drawContent} from './agent-message.ts';

/** A message from one session to another. */
export function drawSessionMessage(entry: SessionMessageEntry, draw: Draw): string[] {
  const {paint, signs} = draw;
  const from = entry.sender === undefined ? '' : ` from ${sanitizeLine(entry.sender)}`;
  const to = entry.recipient === undefined ? '' : ` to ${sanitizeLine(entry.recipient)}`;
  const headline = hanging(signs.arrow, `Message${from}${to}`, draw).map((line) => paint.dim(line));
  return [...headline, ...indent(drawContent(entry.content, inside(draw)))];
}
