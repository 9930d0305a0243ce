import {type Hint, hintsOf} from '../../src/app/keymap/hints.ts';
import {spokenOf} from '../layout/spoken.ts';
import type {Theme} from '../theme/theme.tsx';
import type {Panel} from './panel.ts';
import {listPanel, scrolledRows} from './panel-rows.tsx';

interface PageView {
  readonly title: string;
  /** All of them, wrapped. */
  readonly lines: readonly string[];
  /** The first visible row; clamped to the page. */
  readonly firstRow: number;
  /** Maximum rows of the page. */
  readonly rows: number;
  /** Keys of this page only. */
  readonly keys?: Hint | undefined;
}

/** Returns a page of text that can be scrolled. */
export function pagePanel({title, lines, firstRow, rows, keys = ''}: PageView, theme: Theme): Panel {
  const room = Math.max(1, rows - 2);
  const first = Math.max(0, Math.min(firstRow, lines.length - room));
  const shown = lines.slice(first, first + room);
  const isWhole = shown.length === lines.length;
  const aside = isWhole ? '' : `${first + 1} to ${first + shown.length} of ${lines.length}`;
  const key = hintsOf(theme);
  const scrolling = isWhole ? '' : key(['scroll_page_up', 'scroll_page_down'], 'scroll');
  const hints = [scrolling, keys, key('cancel_or_back', 'close')];
  const panel = listPanel({title, aside, rows: scrolledRows(shown, first), hints});
  return {
    ...panel,
    spoken: () => spokenOf(title, panel.spoken()),
    scrolled: {
      subject: {kind: 'page'},
      drawn: {firstRow: first, visibleRows: shown.length, totalRows: lines.length},
    },
  };
}
