import {Box} from 'ink';
import {render} from 'ink-testing-library';
import type {ReactNode} from 'react';
import {expect} from 'vitest';
import {type Theme, ThemeContext} from '../../../components/theme/theme.tsx';
import type {Panel} from '../../../components/panels/panel.ts';
import {plainTheme} from './theme.ts';

/** Returns what a part of the screen looks like. */
export function frameOf(part: ReactNode, theme: Theme = plainTheme(), columns = theme.columns): string {
  const {lastFrame, stdout, unmount} = render(
    <ThemeContext value={theme}>
      <Box flexDirection="column" width={columns} flexShrink={0}>
        {part}
      </Box>
    </ThemeContext>,
  );
  if (columns > stdout.columns) {
    Object.defineProperty(stdout, 'columns', {value: columns});
    stdout.emit('resize');
  }
  const frame = lastFrame() ?? '';
  unmount();
  return frame;
}

/** Returns the lines of a panel, which is as high as it says. */
export function linesOfPanel({content, height}: Pick<Panel, 'content' | 'height'>, theme: Theme): string[] {
  const lines = height === 0 ? [] : frameOf(content, theme).split('\n');
  expect(lines).toHaveLength(height);
  return lines;
}
