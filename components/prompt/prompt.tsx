import {Box} from 'ink';
import {useState} from 'react';
import type {Draft} from '../../src/app/editor/draft.ts';
import {
  layoutDraft,
  hasRule,
  promptColumns,
  viewportOf,
  type ScreenSize,
} from '../../src/app/editor/layout.ts';
import {hasBox} from '../layout/box.ts';
import {boxedDraft, draftLines, promptStyle, ruleLine, type PromptState} from './prompt-lines.ts';
import {Row, Rows} from '../layout/rows.tsx';
import {useTheme} from '../theme/theme.tsx';
import {useCaret} from './use-caret.ts';

export interface PromptProps extends PromptState {
  readonly draft: Draft;
  readonly screen: ScreenSize;
  /** Text of an empty prompt. */
  readonly placeholder: string;
  /** The argument hint after the typed text. */
  readonly expected?: string | undefined;
}

/** Columns before the draft in its box. */
const BEFORE_DRAFT = 4;

/** The draft with its cursor, `promptHeight` rows tall; the lower edge of its box is the status line. */
export function Prompt({screen, ...prompt}: PromptProps) {
  const look = useTheme();
  const {draft, placeholder, expected, isShell, isFocused} = prompt;
  const layout = layoutDraft(draft, promptColumns(screen.columns));
  const [top, setTop] = useState(0);
  const viewport = viewportOf(layout, screen, top);
  if (viewport.top !== top) setTop(viewport.top);
  const {row, column} = layout.caret;
  const before = hasBox(look) ? BEFORE_DRAFT : 0;
  const box = useCaret(isFocused ? {row: row - viewport.top, column: before + column} : undefined);
  const style = promptStyle(prompt, look);
  const lines = draftLines(draft, {layout, viewport, placeholder, expected}, look);
  return (
    <Box flexDirection="column" flexShrink={0}>
      {hasRule(screen) && <Row text={ruleLine({layout, viewport, isShell, style}, look)} />}
      <Box ref={box} flexDirection="column" flexShrink={0}>
        <Rows of={boxedDraft(lines, style, look)} />
      </Box>
    </Box>
  );
}
