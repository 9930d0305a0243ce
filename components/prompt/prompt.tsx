import type {Hint} from '../../src/app/keymap/hints.ts';
import {Box} from 'ink';
import {useState} from 'react';
import {type Draft, isEmpty} from '../../src/app/editor/draft.ts';
import {
  type DraftLayout,
  layoutDraft,
  hasRule,
  promptColumns,
  rowPieces,
  type RowPiece,
  viewportOf,
  type ScreenSize,
  type Viewport,
} from '../../src/app/editor/layout.ts';
import {sanitizeLine} from '../../src/text/sanitize.ts';
import {truncate} from '../../src/text/truncate.ts';
import {width} from '../../src/text/width.ts';
import type {Style} from '../../src/text/markdown/style.ts';
import {hasBox, rowBetweenSides} from '../layout/box.ts';
import {Edge} from '../layout/frame.tsx';
import {fittingLine} from '../layout/hints.ts';
import {Row, Rows} from '../layout/rows.tsx';
import {hiddenRows} from '../requests/question.ts';
import {type Theme, useTheme} from '../theme/theme.tsx';
import {useCaret} from './use-caret.ts';

interface PromptProps {
  readonly draft: Draft;
  readonly screen: ScreenSize;
  /** The agent, whose color the prompt has. */
  readonly agent: string;
  /** True for a shell command: that must be visible before Enter. */
  readonly isShell: boolean;
  /** True while the prompt has the focus. */
  readonly isFocused: boolean;
  /** Text of an empty prompt. */
  readonly placeholder: string;
  /** Keys behind it. */
  readonly hints?: readonly Hint[];
  /** The argument hint after the typed text. */
  readonly expected?: string | undefined;
}

/** Columns before the draft in its box. */
const BEFORE_DRAFT = 4;

/** The draft with its cursor, `promptHeight` rows tall; the lower edge of its box is the status line. */
export function Prompt({screen, ...prompt}: PromptProps) {
  const theme = useTheme();
  const layout = layoutDraft(prompt.draft, promptColumns(screen.columns));
  const [top, setTop] = useState(0);
  const viewport = viewportOf(layout, screen, top);
  if (viewport.top !== top) setTop(viewport.top);
  const {row, column} = layout.caret;
  const isBoxed = hasBox(theme);
  const caret = {row: row - viewport.top, column: (isBoxed ? BEFORE_DRAFT : 0) + column};
  const box = useCaret(prompt.isFocused ? caret : undefined);
  const style = promptStyle(prompt, theme);
  const hidden = hiddenRows(viewport.top, layout.rows.length - viewport.top - viewport.height);
  const label = [prompt.isShell ? 'your shell' : '', hidden].filter(Boolean).join(', ');
  const rows = rowsOfDraft(prompt, {layout, viewport}, theme);
  const boxed = (line: string, index: number) =>
    rowBetweenSides(`${index === 0 ? style(theme.symbols.selected) : ' '} ${line}`, style, theme);
  return (
    <Box flexDirection="column" flexShrink={0}>
      {hasRule(screen) && <PromptEdge label={label} style={style} />}
      <Box ref={box} flexDirection="column" flexShrink={0}>
        <Rows of={isBoxed ? rows.map(boxed) : rows} />
      </Box>
    </Box>
  );
}

/** Returns the style of the prompt's frame: in the agent's color while focused. */
export function promptStyle(
  {agent, isShell, isFocused}: Pick<PromptProps, 'agent' | 'isShell' | 'isFocused'>,
  {paint}: Theme,
): Style {
  if (isShell) return paint.accent;
  return isFocused ? (text) => paint.agent(agent, text) : paint.line;
}

/** The line above the draft, with its destination if that is not the agent, and the number of hidden rows. */
function PromptEdge({label, style}: {readonly label: string; readonly style: Style}) {
  const theme = useTheme();
  if (hasBox(theme)) return <Edge side="top" color={style} left={label && style(label)} />;
  const {rule} = theme.symbols;
  const start = label === '' ? '' : truncate(`${rule.repeat(2)} ${label} `, theme.columns);
  return <Row text={style(start + rule.repeat(theme.columns - start.length))} />;
}

/** Minimum columns after the text for the argument hint. */
const MIN_EXPECTED = 4;

/** Returns the visible rows of a draft; an empty draft shows the placeholder, and a command its argument hint. */
function rowsOfDraft(
  {draft, placeholder, hints = [], expected = ''}: Omit<PromptProps, 'screen'>,
  {layout, viewport}: {readonly layout: DraftLayout; readonly viewport: Viewport},
  theme: Theme,
): string[] {
  const {dim} = theme.paint;
  if (isEmpty(draft)) {
    const words = dim(truncate(placeholder, layout.columns));
    if (hints.length === 0) return [words];
    return [`${words} ${fittingLine(hints, layout.columns - width(words) - 1, theme)}`];
  }
  const lines = layout.rows.slice(viewport.top, viewport.top + viewport.height).map((row) =>
    rowPieces(draft, row, layout.columns)
      .map((piece) => styledPiece(piece, theme))
      .join(''),
  );
  const last = lines.at(-1) ?? '';
  const room = layout.columns - width(last);
  if (expected === '' || room < MIN_EXPECTED) return lines;
  return [...lines.slice(0, -1), last + dim(truncate(sanitizeLine(expected), room))];
}

function styledPiece({kind, text, isSelected}: RowPiece, {paint}: Theme): string {
  if (isSelected) return paint.selected(text);
  return kind === 'placeholder' ? paint.accent(text) : text;
}
