import type {ReactNode} from 'react';
import type {Style} from '../../src/text/markdown/style.ts';
import {width} from '../../src/text/width.ts';
import {type EdgeProps, edgeRow, edgeRoom, hasBox, insideBox} from './box.ts';
import {type Theme, ThemeContext, useTheme} from '../theme/theme.tsx';
import {Row, Rows, Sides} from './rows.tsx';
import {Rule} from './rule.tsx';

/** The upper or lower edge of a frame, with words in it, which Ink's own borders cannot have. */
export function Edge(props: EdgeProps) {
  return <Row text={edgeRow(props, useTheme())} />;
}

export interface FrameProps {
  /** Undefined without an upper edge, on few rows. */
  readonly title: string | undefined;
  /** At the right of the title. */
  readonly aside?: string | undefined;
  /** True for a question of acp-tui's own, whose frame has a color that no other has. */
  readonly isOwn?: boolean | undefined;
  /** True if it has the focus, which the frame shows. */
  readonly isFocused: boolean;
  /** Key hints: in the lower edge if they fit there. */
  readonly notes: readonly string[];
  /** Rows of the lower edge and the notes. */
  readonly footer: number;
  /** `Row`s. */
  readonly children: ReactNode;
}

/** A box with words in its edges; below 40 columns, a rule above what is in it. */
export function Frame({title, aside = '', isOwn = false, isFocused, notes, footer, children}: FrameProps) {
  const theme = useTheme();
  const {paint} = theme;
  const color = isOwn ? paint.accent : paint.warning;
  const heading: Style = isFocused ? (text) => paint.bold(color(text)) : isOwn ? color : paint.dim;
  if (!hasBox(theme))
    return (
      <>
        {title !== undefined && <Rule words={headOf(title, aside)} color={heading} />}
        {children}
        <Rows of={notes.slice(0, footer)} />
      </>
    );
  const line: Style = isFocused || isOwn ? color : paint.line;
  const isInEdge = areInEdge(notes, theme);
  return (
    <>
      {title !== undefined && <Edge side="top" color={line} left={heading(title)} right={paint.dim(aside)} />}
      <ThemeContext value={insideBox(theme)}>
        <Sides value={line}>
          {children}
          <Rows of={isInEdge ? [] : notes.slice(0, Math.max(0, footer - 1))} />
        </Sides>
      </ThemeContext>
      {footer > 0 && <Edge side="bottom" color={line} left={isInEdge ? notes.join('') : ''} />}
    </>
  );
}

/** Returns the title of a frame in one line, without an edge. */
export function headOf(title: string, aside: string): string {
  return aside === '' ? title : `${title} · ${aside}`;
}

/** Returns the rows that notes take, with the lower edge. */
export function footerRows(notes: readonly string[], theme: Theme): number {
  if (!hasBox(theme)) return notes.length;
  return areInEdge(notes, theme) ? 1 : notes.length + 1;
}

function areInEdge(notes: readonly string[], theme: Theme): boolean {
  return notes.length === 1 && width(notes[0] ?? '') <= edgeRoom(theme);
}
