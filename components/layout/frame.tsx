import type {Style} from '../../src/text/markdown/style.ts';
import {drawEdge} from '../draw/box.ts';
import {useTheme} from '../theme/theme.tsx';
import {Row} from './rows.tsx';

interface EdgeProps {
  readonly side: 'top' | 'bottom';
  readonly color: Style;
  /** Words at the left, and at the right if they fit. */
  readonly left?: string;
  readonly right?: string;
}

/** The upper or lower edge of a frame, with words in it, which Ink's own borders cannot have. */
export function Edge({side, color, left = '', right = ''}: EdgeProps) {
  const theme = useTheme();
  return <Row text={drawEdge(side, {left, right}, {style: color, draw: theme})} />;
}
