import type * as acp from '@agentclientprotocol/sdk/unstable';
import {leaderKeysHelp} from '../../src/app/pages/help-page.ts';
import {choosesFirstSession} from '../../src/app/pickers/session-picker.ts';
import {formFor} from '../../src/app/requests/form.ts';
import {menuOf} from '../../src/app/completion/menu.ts';
import {scopeHint} from '../../src/app/pickers/history-search.ts';
import {openedByItself, visibleItems} from '../../src/app/pickers/picker.ts';
import {readingOf} from '../../src/app/requests/request-guard.ts';
import {activeSession} from '../../src/app/sessions.ts';
import type {AppState, Picker} from '../../src/app/state.ts';
import {subagentAsker} from '../../src/session/subagents/names.ts';
import {agentName} from '../../src/app/status/status-line.ts';
import {askedToolCall, pendingRequest} from '../../src/session/selectors.ts';
import {wrap} from '../../src/text/wrap.ts';
import {drawChanges, drawMenu, drawLeaderKeys, drawPage} from './page-panels.ts';
import type {ReviewView} from '../../src/app/review/review-view.ts';
import {drawLinearReview} from '../review/linear-review.ts';
import {movedCells, type ChoiceCells, type Draw, type ScrolledLines} from '../draw/draw.ts';
import {drawForm} from './form-panel.ts';
import {drawLink} from './link-panel.ts';
import {drawPermission} from './permission-panel.ts';
import type {CaretPlace} from '../prompt/use-caret.ts';
import {drawPicker} from './picker-panel.ts';
import {unscrolled, type Scroll} from '../../src/app/pages/scroll.ts';
import type {RowRange} from '../../src/app/requests/seen-rows.ts';

/** The panel over the prompt. */
export interface Panel {
  readonly lines: readonly string[];
  /** Its content and scroll position. */
  readonly scrolled?: {readonly subject: PanelSubject; readonly drawn: Scroll};
  /** The text being typed in it, for linear output. */
  readonly typed?: string;
  /** The position of the cursor in it. */
  readonly caret?: CaretPlace;
  /** The choices that a click selects: of a list, of a request, and of the menu below it. */
  readonly choices?: readonly ChoiceCells[];
  readonly menuChoices?: readonly ChoiceCells[];
}

type PanelSubject =
  | {
      readonly kind: 'request';
      readonly id: string;
      readonly version: number;
      readonly columns: number;
      /** The tool call that it shows completely. */
      readonly toolCallId: acp.ToolCallId | undefined;
      /** The rows of the suggested rule. */
      readonly rule?: RowRange | undefined;
    }
  | {readonly kind: 'page'}
  /** A list that opened by itself, and since when its keys count. */
  | {readonly kind: 'list'; readonly answerFrom: number};

/** Draws the overlay, or else the menu and the oldest pending request, in at most `rows` rows. */
export function drawPanel(state: AppState, rows: number, draw: Draw): Panel {
  const {overlay} = state;
  switch (overlay.kind) {
    case 'picker':
      return drawPickerPanel(state, overlay.picker, {rows, draw});
    case 'changes': {
      const lines = drawChanges(overlay.changes, undefined, draw);
      return asPage(drawPage({title: 'Changed files', lines, firstRow: overlay.scroll.firstRow, rows}, draw));
    }
    case 'text': {
      const lines = wrap(overlay.text, draw.columns);
      const {title, scroll} = overlay;
      const keys = overlay.over && `${draw.keyOf('copy_text')} copy`;
      return asPage(drawPage({title, lines, firstRow: scroll.firstRow, rows, keys}, draw));
    }
    case 'review':
      return draw.isLinear ? asLinear(overlay, draw) : {lines: []};
    // Drawn on a separate screen.
    case 'transcript':
    case 'editor':
      return {lines: []};
    case 'more_keys':
      return {lines: drawLeaderKeys(leaderKeysHelp(state.keymap), draw).slice(0, rows)};
    case 'none':
      return drawMenuPanel(state, rows, draw) ?? drawRequestPanel(state, rows, draw) ?? {lines: []};
  }
}

/** Number of menu rows below a pending request. */
const MENU_ROWS_BELOW_REQUEST = 4;
/** With fewer rows a request is hidden until the menu is closed. */
const MIN_REQUEST_ROWS = 4;

/** Draws the menu, which has the focus while it is open, and the pending request above it if both fit. */
function drawMenuPanel(state: AppState, rows: number, draw: Draw): Panel | undefined {
  const menu = menuOf(state);
  if (!menu) return undefined;
  const most = state.request ? Math.min(rows, MENU_ROWS_BELOW_REQUEST) : rows;
  const {lines, choices} = drawMenu(menu, most, draw);
  const room = rows - lines.length;
  const request = room < MIN_REQUEST_ROWS ? undefined : drawRequestPanel(state, room, draw);
  if (!request) return {lines, menuChoices: choices};
  const menuChoices = movedCells(choices, request.lines.length);
  return {...request, lines: [...request.lines, ...lines], menuChoices};
}

function drawPickerPanel(state: AppState, picker: Picker, {rows, draw}: {rows: number; draw: Draw}): Panel {
  const hints = {
    keys: scopeHint(picker, state.keymap),
    closes: choosesFirstSession(state) ? 'new session' : undefined,
  };
  const list = drawPicker({picker, items: visibleItems(picker), rows, ...hints}, draw);
  if (!openedByItself(picker)) return list;
  return {...list, scrolled: {subject: {kind: 'list', answerFrom: picker.answerFrom}, drawn: unscrolled}};
}

function asLinear(view: ReviewView, draw: Draw): Panel {
  return {lines: drawLinearReview(view, draw), ...(view.typing && {typed: view.typing.draft.text})};
}

function asPage({lines, drawn}: ScrolledLines): Panel {
  return {lines, scrolled: {subject: {kind: 'page'}, drawn}};
}

function drawRequestPanel(state: AppState, rows: number, draw: Draw): Panel | undefined {
  const tab = activeSession(state);
  const {request: view, focus, keymap} = state;
  const request = view && pendingRequest(tab.session, view.id);
  if (view === undefined || request === undefined) return undefined;
  const {id} = request;
  const asked = {
    view,
    entry: askedToolCall(tab.session, request),
    agentName: request.subagent === undefined ? agentName(tab) : subagentAsker(tab.session, request.subagent),
    isFocused: focus.kind === 'request' && focus.id === id,
    others: tab.session.pending.length - 1,
    keymap,
    reading: readingOf(request, view, state.requireReading),
    rows,
  };
  const subject = {
    kind: 'request',
    id,
    version: view.version,
    columns: draw.columns,
    toolCallId: undefined,
  } as const;
  switch (request.kind) {
    case 'permission': {
      const {lines, drawn, rule, choices} = drawPermission({...asked, request}, draw);
      const {toolCallId} = request;
      return {lines, scrolled: {subject: {...subject, toolCallId, rule}, drawn}, choices};
    }
    case 'form': {
      const {lines, drawn, caret} = drawForm({...asked, request, form: formFor(tab, request)}, draw);
      return {lines, scrolled: {subject, drawn}, ...(caret && {caret})};
    }
    case 'url': {
      const {lines, drawn, choices} = drawLink({...asked, request}, draw);
      return {lines, scrolled: {subject, drawn}, choices};
    }
  }
}

/** Returns the tool call that a panel shows completely. */
export function shownToolCalls({scrolled}: Panel): ReadonlySet<acp.ToolCallId> {
  const shown = scrolled?.subject.kind === 'request' ? scrolled.subject.toolCallId : undefined;
  return new Set(shown === undefined ? [] : [shown]);
}
