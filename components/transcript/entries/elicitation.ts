import type {ElicitationEntry} from '../../../src/session/entries.ts';
import {answerLines, outcomeWords} from '../../../src/session/words/elicitation.ts';
import {sanitize} from '../../../src/text/sanitize.ts';
import {wrap} from '../../../src/text/wrap.ts';
import type {Draw} from '../../draw/draw.ts';
import {hanging, indent, inside} from '../../draw/lines.ts';

/** What the agent asked back, and what it was told. */
export function drawElicitation(entry: ElicitationEntry, draw: Draw): string[] {
  const {paint, signs} = draw;
  const inner = inside(draw);
  const address = entry.url === undefined ? [] : wrap(entry.url, inner.columns);
  const answers = answerLines(entry).flatMap((line) => wrap(line, inner.columns));
  const sign = entry.outcome === 'accepted' ? paint.success(signs.done) : paint.warning(signs.cancelled);
  return [
    ...hanging(sign, sanitize(entry.message), draw),
    ...indent([
      ...address,
      ...answers.map((line) => paint.user(line)),
      ...wrap(outcomeWords(entry), inner.columns).map((line) => paint.dim(line)),
    ]),
  ];
}
