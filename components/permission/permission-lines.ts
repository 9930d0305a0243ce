import {requestHelp} from '../../src/app/help-page.ts';
import {keyName} from '../../src/app/key-names.ts';
import {keysFor, type Keymap} from '../../src/app/keymap.ts';
import type {RequestView} from '../../src/app/state.ts';
import type {ToolCallEntry} from '../../src/session/entries.ts';
import type {PendingPermission} from '../../src/session/state.ts';
import {sanitizeLine} from '../../src/text/sanitize.ts';
import {truncate} from '../../src/text/truncate.ts';
import {width} from '../../src/text/width.ts';
import {wrap} from '../../src/text/wrap.ts';
import type {Draw} from '../draw/draw.ts';
import {drawRule} from '../draw/rule.ts';
import type {ScrolledLines} from '../draw/scrolled.ts';
import {drawHelpRow} from '../overlay/help-lines.ts';
import {drawOptions} from './option-lines.ts';
import {drawRequest} from './request-lines.ts';

export interface PermissionView {
  readonly request: PendingPermission;
  /** How it stands on the screen. */
  readonly view: RequestView;
  /** The tool call that it is about. */
  readonly entry: ToolCallEntry | undefined;
  readonly agentName: string;
  /** True when it has the keyboard. */
  readonly isFocused: boolean;
  /** How many other requests wait behind it. */
  readonly others: number;
  readonly keymap: Keymap;
  /** Rows that it may take. */
  readonly rows: number;
}

/** A request for permission: who asks, what will happen in full (scrolled where it is long), and the answers. */
export function drawPermission(view: PermissionView, draw: Draw): ScrolledLines {
  const content = drawRequest(view.request, view.entry, draw);
  const notes = drawNotes(view, draw);
  const share = shareRows(view, {content: content.length, notes: notes.length});
  const firstRow = Math.max(0, Math.min(view.view.scroll.firstRow, content.length - share.content));
  const visible = content.slice(firstRow, firstRow + share.content);
  const {options} = view.request;
  const {selected} = view.view;
  const frame = view.isFocused ? draw.paint.accent : draw.paint.dim;
  const lines = [
    ...(share.title ? [drawRule(titleOf(view), frame, draw)] : []),
    ...visible,
    ...(share.more ? [drawMore({firstRow, visible: visible.length, total: content.length}, draw)] : []),
    ...drawOptions(
      {
        options,
        ofAgent: view.request.asker === undefined,
        selected,
        isFocused: view.isFocused,
        rows: share.options,
      },
      draw,
    ),
    ...notes.slice(0, share.notes),
  ];
  return {lines, drawn: {firstRow, visibleRows: visible.length, totalRows: content.length}};
}

interface Share {
  readonly title: boolean;
  readonly content: number;
  /** A row that says how much of the content is hidden. */
  readonly more: boolean;
  readonly options: number;
  readonly notes: number;
}

/** From this many rows on there is room for notes. */
const ROWS_FOR_NOTES = 6;

/** Content and the selected option come first; the title, the notes and the other options take what is left. */
function shareRows(
  {rows, request}: PermissionView,
  wishes: {readonly content: number; readonly notes: number},
): Share {
  const title = rows >= 3;
  const notes = rows < ROWS_FOR_NOTES ? 0 : Math.min(wishes.notes, Math.floor(rows / 3));
  const rest = Math.max(2, rows - Number(title) - notes);
  const wanted = Math.min(wishes.content, Math.ceil(rest / 2));
  const options = Math.max(1, Math.min(request.options.length, rest - wanted));
  const room = Math.max(1, rest - options);
  const more = wishes.content > room && room >= 3;
  return {title, notes, options, more, content: Math.min(wishes.content, room - Number(more))};
}

function titleOf({agentName, others, request}: PermissionView): string {
  const more = others === 0 ? '' : ` (${others} more ${others === 1 ? 'waits' : 'wait'})`;
  if (request.asker !== undefined) return `${request.asker} asks${more}`;
  return `${sanitizeLine(agentName)} asks for permission${more}`;
}

function drawMore(
  {firstRow, visible, total}: {readonly firstRow: number; readonly visible: number; readonly total: number},
  draw: Draw,
): string {
  const {paint, signs, columns, keyOf} = draw;
  const below = total - firstRow - visible;
  const parts = [firstRow > 0 ? `${firstRow} above` : '', below > 0 ? `${below} below` : ''].filter(Boolean);
  const text = `${signs.ellipsis} ${parts.join(', ')}; ${keyOf('scroll_page_down')} scrolls, ${keyOf('scroll_end')} goes to the end`;
  return (below > 0 ? paint.warning : paint.dim)(truncate(text, columns));
}

/** What the keys do; who only looks is told elsewhere how to get here. */
function drawNotes({isFocused, view, keymap, request}: PermissionView, draw: Draw): string[] {
  const {paint, columns, keyOf} = draw;
  if (view.explained) {
    const rows = requestHelp(keymap);
    const keys = Math.max(...rows.map((row) => width(row.keys)));
    return rows.flatMap((row) => drawHelpRow(row, Math.min(keys, Math.floor(columns / 3)), draw));
  }
  if (!isFocused) return [];
  const note = view.endSeen
    ? `${keyOf('confirm')} or a number answers, ${keyOf('explain')} explains, ${keyOf('cancel_or_back')} goes back to the prompt`
    : 'Rejecting is possible now, allowing after the end was shown: Space or End';
  return [...drawOfferedRule(request, keymap, draw), paint.dim(truncate(note, columns))];
}

/** No option of the agent's, so it looks like none. */
function drawOfferedRule({rule}: PendingPermission, keymap: Keymap, {paint, columns}: Draw): string[] {
  const [key] = keysFor('allow_by_rule', keymap);
  if (rule === undefined || key === undefined) return [];
  const text = `${keyName(key)}  allow, and from now on by a rule of acp-tui: ${rule}`;
  return wrap(text, columns).map((line) => paint.dim(line));
}
