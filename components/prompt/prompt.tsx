import {Box, Text} from 'ink';
import {useState} from 'react';
import type {Draft} from '../../src/app/editor/draft.ts';
import {layoutDraft, hasRule, viewportOf, type ScreenSize} from '../../src/app/editor/layout.ts';
import {draftLines, ruleLine, type PromptStyle} from './prompt-lines.ts';
import {useCaret} from './use-caret.ts';

export interface PromptProps {
  readonly draft: Draft;
  readonly screen: ScreenSize;
  readonly look: PromptStyle;
  /** What an empty prompt says. */
  readonly placeholder: string;
  /** What is expected behind what is typed. */
  readonly expected?: string | undefined;
  /** True while what is typed goes to the user's own shell. */
  readonly isShell: boolean;
  /** True while keys go to the prompt, which then shows the cursor. */
  readonly isFocused: boolean;
}

/** The draft with its cursor, `promptHeight` rows tall. */
export function Prompt({draft, screen, look, placeholder, expected, isShell, isFocused}: PromptProps) {
  const layout = layoutDraft(draft, screen.columns);
  const [top, setTop] = useState(0);
  const viewport = viewportOf(layout, screen, top);
  if (viewport.top !== top) setTop(viewport.top);
  const {row, column} = layout.caret;
  const box = useCaret(isFocused ? {row: row - viewport.top, column} : undefined);
  return (
    <Box flexDirection="column" flexShrink={0}>
      {hasRule(screen) && <Text wrap="truncate-end">{ruleLine({layout, viewport, isShell}, look)}</Text>}
      <Box ref={box} flexDirection="column" flexShrink={0}>
        {draftLines(draft, {layout, viewport, placeholder, expected}, look).map((line, index) => (
          // Rows have no identity but their place.
          // oxlint-disable-next-line react/no-array-index-key
          <Text key={index} wrap="truncate-end">
            {line === '' ? ' ' : line}
          </Text>
        ))}
      </Box>
    </Box>
  );
}
