import type {Style} from '../../src/text/markdown/style.ts';
import {drawHeading, drawRule} from '../draw/draw.ts';
import {useTheme} from '../theme/theme.tsx';
import {Row} from './rows.tsx';

interface RuleProps {
  readonly words: string;
  readonly color: Style;
}

/** A horizontal line with words in it, without sides that would be copied with what is above and below it. */
export function Rule({words, color}: RuleProps) {
  return <Row text={drawRule(words, color, useTheme())} />;
}

interface HeadingProps {
  readonly words: string;
  /** At the right end, if there is room. */
  readonly aside: string;
}

/** Returns a heading as it is spoken. */
export function spokenHeading({words, aside}: HeadingProps): string {
  return aside === '' ? words : `${words}  ${aside}`;
}

/** The line above a list or a page. */
export function Heading({words, aside}: HeadingProps) {
  const theme = useTheme();
  return <Row text={drawHeading({words, aside}, theme.paint.accent, theme)} />;
}
