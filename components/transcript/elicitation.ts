import type {ElicitationEntry} from '../../src/session/entries.ts';
import {answerLines, outcomeLabel} from '../../src/session/labels/labels.ts';
import {sanitize} from '../../src/text/sanitize.ts';
import {wrap} from '../../src/text/wrap.ts';
import type {Theme} from '../theme/theme.tsx';
import {indent, narrow, wrapHanging} from '../layout/lines.ts';

/** Returns the rows of an elicitation and its answer. */
export function rowsOfElicitation(entry: ElicitationEntry, theme: Theme): string[] {
  const {paint, symbols} = theme;
  const inner = narrow(theme);
  const address = entry.url === undefined ? [] : wrap(entry.url, inner.columns);
  const answers = answerLines(entry).flatMap((line) => wrap(line, inner.columns));
  const sign = entry.outcome === 'accepted' ? paint.success(symbols.done) : paint.warning(symbols.cancelled);
  return [
    ...wrapHanging(sign, sanitize(entry.message), theme),
    ...indent([
      ...address,
      ...answers.map((line) => paint.user(line)),
      ...wrap(outcomeLabel(entry), inner.columns).map((line) => paint.dim(line)),
    ]),
  ];
}
