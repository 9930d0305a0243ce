import {clickOnBoard, turnInPicker, turnOnBoard} from '../../src/app/handlers/index.ts';
import type {AppEvent} from '../../src/app/events.ts';
import {
  patchState,
  emitEvent,
  moveFocus,
  nothing,
  perform,
  patchRequest,
  combine,
  type Reaction,
} from '../../src/app/effects.ts';
import type {KeyEvent} from '../../src/app/input/keys.ts';
import type {MouseEvent} from '../../src/app/input/mouse.ts';
import {END, toggleFold, movePosition, scrollTo, viewedSession} from '../../src/app/pages/viewer.ts';
import type {AppState} from '../../src/app/state.ts';
import {contentItems, type ContentItem} from '../../src/session/content/content-items.ts';
import {findUrls} from '../../src/session/content/find-urls.ts';
import type {SessionState} from '../../src/session/state.ts';
import {createListeners, type Store} from '../../src/shared/store.ts';
import {stripStyles} from '../../src/text/ansi.ts';
import {joinedWidth} from '../../src/text/width.ts';
import {canFold} from './foldable-rows.ts';
import {selectedText, type Cell, type Selection} from './selection.ts';
import type {TabSpan} from './tabs.tsx';
import type {VisibleRows} from './transcript-rows.ts';
import type {Panel} from '../panels/panel.ts';

/** The layout of the screen, for locating mouse events. */
interface Target {
  readonly tabs: readonly TabSpan[];
  /** The first row of the transcript on the screen. */
  readonly top: number;
  readonly view: VisibleRows;
  /** Its rows, without the row with the position. */
  readonly page: number;
  /** Rows of the screen, and columns of the transcript. */
  readonly room: number;
  readonly columns: number;
  /** The first row of the list, page or request below it. */
  readonly panelTop: number;
  readonly panel: Panel;
  readonly promptTop: number;
}

interface PointerOptions {
  readonly store: Store<AppState, AppEvent>;
  readonly take: (reaction: Reaction) => void;
  readonly press: (key: KeyEvent) => void;
}

const WHEEL_ROWS = 3;

export type Pointer = ReturnType<typeof createPointer>;

/** Handles the mouse on the full screen. */
export function createPointer({store, take, press}: PointerOptions) {
  const {subscribe, notify} = createListeners();
  let target: Target | undefined;
  let began: Cell | undefined;
  let selection: Selection | undefined;

  function select(next: Selection | undefined): void {
    if (selection === next) return;
    selection = next;
    notify();
  }

  function point(event: MouseEvent): void {
    const state = store.latest();
    if (target === undefined || !state.mouse || state.overlay.kind === 'review') return;
    switch (event.kind) {
      case 'wheel_up':
      case 'wheel_down':
        select(undefined);
        return turn(event, target, {store, take, press});
      case 'press':
        select(undefined);
        began = isInTranscript(event, target) ? cellAt(event, target) : undefined;
        return undefined;
      case 'drag':
        if (began) select({from: began, to: cellAt(event, target)});
        return undefined;
      case 'release':
        return released(event, target);
    }
  }

  function released(event: MouseEvent, shown: Target): void {
    began = undefined;
    if (selection && !isSameCell(selection)) {
      const text = selectedText(shown.view, selection);
      if (text !== '') take(perform({kind: 'copy', text, what: 'the selection'}));
      return;
    }
    select(undefined);
    take(clicked(store.latest(), event, shown));
  }

  return {
    point,
    /** Call it after each drawing. */
    drawn: (shown: Target) => {
      const by = target && rowsMoved(target, shown);
      target = shown;
      if (by === 0) return;
      began = began && below(began, by);
      const from = selection && below(selection.from, by);
      const to = selection && below(selection.to, by);
      select(from && to && {from, to});
    },
    subscribe,
    selection: () => selection,
  };
}

/** Returns how many rows the transcript has moved down on the screen; undefined if it shows something else. */
function rowsMoved(before: Target, now: Target): number | undefined {
  if (before.view === now.view) return 0;
  if (before.columns !== now.columns) return undefined;
  for (const [at, {entry, row}] of before.view.rows.entries()) {
    const found = now.view.rows.findIndex((other) => other.entry?.id === entry?.id && other.row === row);
    if (entry !== undefined && found !== -1) return found - at;
  }
  return undefined;
}

function below({row, column}: Cell, by: number | undefined): Cell | undefined {
  return by === undefined ? undefined : {row: row + by, column};
}

/** Scrolls the transcript, or moves the selection in what is over it or below it. */
function turn(
  {kind, row}: MouseEvent,
  {panelTop, panel}: Target,
  {store, take, press}: PointerOptions,
): void {
  const state = store.latest();
  const {overlay, focus, board} = state;
  const by = kind === 'wheel_up' ? -1 : 1;
  if (row >= panelTop && row < panelTop + panel.height) {
    if (overlay.kind === 'picker') return take(turnInPicker(overlay.picker, by));
    // Any key would close them, and go on to the prompt.
    if (overlay.kind === 'first_keys' || overlay.kind === 'more_keys') return undefined;
    if (overlay.kind !== 'none' || focus.kind === 'request') return press(key(by < 0 ? 'up' : 'down'));
    if (board) return take(turnOnBoard(state, board, by));
  }
  const position = movePosition(state.viewer.position, by * WHEEL_ROWS);
  take(emitEvent({type: 'viewer_changed', change: scrollTo(position)}));
}

function cellAt({row, column}: MouseEvent, {top, page, columns}: Target): Cell {
  return {
    row: Math.max(0, Math.min(row - top, page - 1)),
    column: Math.max(0, Math.min(column, columns - 1)),
  };
}

function isSameCell({from, to}: Selection): boolean {
  return from.row === to.row && from.column === to.column;
}

function isInTranscript({row, column}: MouseEvent, {top, page, columns}: Target): boolean {
  return row >= top && row < top + page && column < columns;
}

function key(name: string): KeyEvent {
  return {kind: 'key', name, text: '', ctrl: false, alt: false, shift: false, at: performance.now()};
}

/** Handles a click: shows a session, folds, scrolls to the end, opens a link, selects in the panel, or focuses the prompt. Answers nothing. */
function clicked(state: AppState, {row, column}: MouseEvent, target: Target): Reaction {
  const {tabs, top, page, room, view, promptTop} = target;
  const at = performance.now();
  if (row < top) {
    const tab = tabs.find(({from, to}) => column >= from && column < to);
    return tab ? emitEvent({type: 'session_activated', key: tab.key}) : nothing;
  }
  if (row >= promptTop) {
    const closed = state.overlay.kind === 'transcript' ? emitEvent({type: 'overlay_closed', at}) : nothing;
    return combine(closed, state.focus.kind === 'request' ? moveFocus({kind: 'prompt'}, at) : nothing);
  }
  if (row >= top + room) return chosen(state, row - target.panelTop, target.panel);
  if (row >= top + page) return emitEvent({type: 'viewer_changed', change: scrollTo(END)});
  const clickedRow = view.rows[row - top];
  const next = view.rows[row - top + 1]?.text;
  const link = clickedRow && linkAt({row: clickedRow.text, next}, column, viewedSession(state));
  if (link) return perform({kind: 'open_content', key: state.active, item: link});
  if (clickedRow?.entry === undefined || !canFold(clickedRow.entry) || !clickedRow.isHead) return nothing;
  return emitEvent({type: 'viewer_changed', change: toggleFold(state.viewer, {id: clickedRow.entry.id})});
}

/** Selects the clicked choice of a list or a request, and focuses it. Only a key accepts it, because a request has to be read first. */
function chosen(state: AppState, row: number, {choices = []}: Panel): Reaction {
  const choice = choices.find((one) => one.row === row);
  if (choice === undefined) return nothing;
  const {of, index: selected} = choice;
  if (of === 'board') return state.board ? clickOnBoard(state, state.board, selected) : nothing;
  if (of === 'menu') return patchState({menu: {...state.menu, selected}});
  if (state.overlay.kind === 'picker')
    return emitEvent({type: 'picker_changed', change: {selected, digits: ''}});
  if (state.request === undefined) return nothing;
  const focused =
    state.focus.kind === 'request'
      ? nothing
      : moveFocus({kind: 'request', id: state.request.id}, performance.now());
  return combine(focused, patchRequest({selected}));
}

interface ClickedRow {
  readonly row: string;
  /** The one below it, if it is on the screen. */
  readonly next: string | undefined;
}

/** Returns the http or https link drawn at a column of a row, for `open_content`; undefined if there is none. */
function linkAt({row, next}: ClickedRow, column: number, session: SessionState): ContentItem | undefined {
  const target = hyperlinkAt(row, column);
  if (target !== undefined) return linkTo(target);
  const text = stripStyles(row).trimEnd();
  const found = urlAt(text, column);
  if (found === undefined || !text.endsWith(found)) return found === undefined ? undefined : linkTo(found);
  // It may continue in the next row.
  const below = stripStyles(next ?? '')
    .replace(/^[\s│┆|]+/, '')
    .trimEnd();
  const goesOn = (rest: string) =>
    next === undefined || (below !== '' && (rest.startsWith(below) || below.startsWith(rest)));
  const links = contentItems(session).filter(({kind}) => kind === 'link');
  const isWhole = ({target: whole = ''}: ContentItem) =>
    whole.startsWith(found) && goesOn(whole.slice(found.length));
  return links.find(isWhole) ?? linkTo(found);
}

function linkTo(target: string): ContentItem | undefined {
  const href = URL.parse(target)?.href;
  if (href === undefined || !/^https?:/.test(href)) return undefined;
  const facts = {mimeType: undefined, bytes: undefined, isOwn: false};
  return {...facts, id: `link ${target}`, kind: 'link', name: href, target};
}

/** A link of the terminal: its target, and its text. */
const HYPERLINK = /\x1b\]8;[^;]*;([^\x07\x1b]+)(?:\x07|\x1b\\)(.*?)(?=\x1b\]8;)/g;

/** Returns the target of the terminal hyperlink at a column. */
function hyperlinkAt(row: string, column: number): string | undefined {
  for (const {index, 1: target, 2: text = ''} of row.matchAll(HYPERLINK))
    if (covers(stripStyles(row.slice(0, index)), stripStyles(text), column)) return target;
  return undefined;
}

/** True if a text is at a column, behind another text. */
function covers(before: string, text: string, column: number): boolean {
  const start = joinedWidth(before);
  return column >= start && column < start + joinedWidth(text);
}

/** Returns the URL at a column of a text without styles. */
function urlAt(text: string, column: number): string | undefined {
  let from = 0;
  for (const url of findUrls(text)) {
    const at = text.indexOf(url, from);
    from = at + url.length;
    if (covers(text.slice(0, at), url, column)) return url;
  }
  return undefined;
}
