import {type Hint, RULE_ENDS} from '../../src/app/keymap/hints.ts';
import type {Style} from '../../src/text/markdown/style.ts';
import {truncate} from '../../src/text/truncate.ts';
import {width} from '../../src/text/width.ts';
import {type Theme, useTheme} from '../theme/theme.tsx';
import {styledHints} from './hints.ts';
import {Row} from './rows.tsx';

/** Returns a horizontal rule with text, without sides that would be copied with the content. */
export function ruleRow(words: string, style: Style, {columns, symbols, isLinear}: Theme): string {
  if (isLinear) return style(words);
  if (words === '') return style(symbols.rule.repeat(columns));
  const text = truncate(words, Math.max(0, columns - RULE_ENDS));
  const head = `${symbols.rule} ${text} `;
  return style(truncate(head + symbols.rule.repeat(Math.max(0, columns - width(head))), columns));
}

/** A horizontal line with words in it, without sides that would be copied with what is above and below it. */
export function Rule({words, color}: {readonly words: string; readonly color: Style}) {
  return <Row text={ruleRow(words, color, useTheme())} />;
}

/** The line below a list or a page, with its keys. */
export function HintRule({hints}: {readonly hints: readonly Hint[]}) {
  const theme = useTheme();
  const {columns, symbols, paint, isLinear} = theme;
  const words = styledHints(hints, theme);
  if (isLinear) return <Row text={words} />;
  const text = truncate(words, Math.max(0, columns - RULE_ENDS));
  const rest = symbols.rule.repeat(Math.max(0, columns - width(text) - 3));
  return <Row text={truncate(`${paint.dim(symbols.rule)} ${text} ${paint.dim(rest)}`, columns)} />;
}

/** Columns of a heading without text. */
const ROUND_HEADING = 7;

/** The line above a list or a page; `aside` is at its right end, if there is room. */
export function Heading({words, aside}: {readonly words: string; readonly aside: string}) {
  const {columns, symbols, paint} = useTheme();
  const free = columns - width(words) - width(aside) - ROUND_HEADING;
  if (aside === '' || free < 0) return <Rule words={words} color={paint.accent} />;
  const left = paint.accent(`${symbols.rule} ${words} ${symbols.rule.repeat(free + 1)}`);
  return <Row text={`${left} ${paint.dim(aside)} ${paint.accent(symbols.rule)}`} />;
}
