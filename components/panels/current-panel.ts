import {hintsOf} from '../../src/app/keymap/hints.ts';
import {noPanel, type Panel} from './panel.ts';
import {firstKeys, leaderKeysHelp} from '../../src/app/pages/help-page.ts';
import {choosesFirstSession} from '../../src/app/pickers/session-picker.ts';
import {menuOf} from '../../src/app/completion/menu.ts';
import {visibleItems} from '../../src/app/pickers/picker.ts';
import type {AppState} from '../../src/app/state.ts';
import {wrap} from '../../src/text/wrap.ts';
import {rowsOfChanges} from './changes-page.ts';
import {menuPanel} from './command-menu.ts';
import {keysPanel} from './keys.ts';
import {pagePanel} from './page.ts';
import {stackedPanel} from './panel-rows.tsx';
import type {Theme} from '../theme/theme.tsx';
import {boardPanel} from '../board/board.ts';
import {requestPanel} from '../requests/request-panel.ts';
import {pickerPanel} from './picker.ts';

/** Returns the overlay, or else the menu and the oldest pending request, in at most `rows` rows. */
export function panelOf(state: AppState, rows: number, theme: Theme): Panel {
  const {overlay} = state;
  const key = hintsOf(theme);
  switch (overlay.kind) {
    case 'picker':
      return pickerPanel(
        {
          picker: overlay.picker,
          items: visibleItems(overlay.picker),
          rows,
          closes: choosesFirstSession(state) ? 'new session' : undefined,
        },
        theme,
      );
    case 'changes': {
      const lines = rowsOfChanges(overlay.changes, theme);
      return pagePanel({title: 'Changed files', lines, firstRow: overlay.scroll.firstRow, rows}, theme);
    }
    case 'text': {
      const lines = wrap(overlay.text, theme.columns);
      const {title, scroll} = overlay;
      const keys = overlay.over && key('copy_text', 'copy');
      return pagePanel({title, lines, firstRow: scroll.firstRow, rows, keys}, theme);
    }
    // On a separate screen.
    case 'review':
    case 'transcript':
    case 'editor':
      return noPanel;
    case 'first_keys':
      return keysPanel(
        {
          title: 'Keys',
          keys: firstKeys(state.keymap),
          hints: [key('help_when_empty', 'all keys'), key('cancel_or_back', 'close')],
        },
        rows,
        theme,
      );
    case 'more_keys': {
      const {title, rows: all} = leaderKeysHelp(state.keymap);
      // The editor has a key of its own, and the side panel is on the full screen only.
      const keys = all.filter(
        ({action}) =>
          action !== 'edit_externally' && (action !== 'toggle_side_panel' || state.screen === 'full'),
      );
      // The palette is for the session that the board covers.
      const palette = state.board ? '' : key('open_palette', 'lists all');
      const hints = [palette, 'Any other key closes'];
      return keysPanel({title, keys, hints}, rows, theme);
    }
    case 'none':
      return state.board
        ? boardPanel(state, state.board, rows, theme)
        : (menuBelowRequest(state, rows, theme) ?? requestPanel(state, rows, theme) ?? noPanel);
  }
}

/** Number of menu rows below a pending request. */
const MENU_ROWS_BELOW_REQUEST = 4;
/** With fewer rows a request is hidden until the menu is closed. */
const MIN_REQUEST_ROWS = 4;

/** Returns the menu, which has the focus while it is open, and the pending request above it if both fit. */
function menuBelowRequest(state: AppState, rows: number, theme: Theme): Panel | undefined {
  const open = menuOf(state);
  if (!open) return undefined;
  const menu = menuPanel(open, state.request ? Math.min(rows, MENU_ROWS_BELOW_REQUEST) : rows, theme);
  const room = rows - menu.height;
  const request = room < MIN_REQUEST_ROWS ? undefined : requestPanel(state, room, theme);
  return stackedPanel(request ?? noPanel, menu);
}
