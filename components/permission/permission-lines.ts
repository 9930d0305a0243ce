import type * as acp from '@agentclientprotocol/sdk/unstable';
import type {RequestView} from '../../src/app/state.ts';
import type {ToolCallEntry} from '../../src/session/entries.ts';
import type {PendingPermission} from '../../src/session/state.ts';
import {sanitizeLine} from '../../src/text/sanitize.ts';
import {truncate} from '../../src/text/truncate.ts';
import type {Draw} from '../draw/draw.ts';
import {drawRule} from '../draw/rule.ts';
import type {ScrolledLines} from '../draw/scrolled.ts';
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
  /** Rows that it may take. */
  readonly rows: number;
}

const kindWords: Readonly<Record<acp.PermissionOptionKind, string>> = {
  allow_once: 'allow once',
  allow_always: 'allow always',
  reject_once: 'reject once',
  reject_always: 'reject always',
};

/** A request for permission: who asks, what will happen in full (scrolled where it is long), and the answers. */
export function drawPermission(view: PermissionView, draw: Draw): ScrolledLines {
  const content = drawRequest(view.request, view.entry, draw);
  const share = shareRows(view, content.length);
  const firstRow = Math.max(0, Math.min(view.view.scroll.firstRow, content.length - share.content));
  const visible = content.slice(firstRow, firstRow + share.content);
  const {paint} = draw;
  const frame = view.isFocused ? paint.accent : paint.dim;
  const below = content.length - firstRow - visible.length;
  const lines = [
    ...(share.title ? [drawRule(titleOf(view), frame, draw)] : []),
    ...visible,
    ...(share.more ? [drawMore({above: firstRow, below}, draw)] : []),
    ...drawOptions(view, share.options, draw),
    ...(share.hint ? [paint.dim(truncate(hintOf(view, below === 0), draw.columns))] : []),
  ];
  return {lines, drawn: {firstRow, visibleRows: visible.length, totalRows: content.length}};
}

interface Share {
  readonly title: boolean;
  readonly content: number;
  /** A row that says how much of the content is hidden. */
  readonly more: boolean;
  readonly options: number;
  readonly hint: boolean;
}

/** Content and the selected option come first; the title, the hint and the other options take what is left. */
function shareRows({rows, request}: PermissionView, contentRows: number): Share {
  const title = rows >= 3;
  const hint = rows >= 6;
  const rest = Math.max(2, rows - Number(title) - Number(hint));
  const wanted = Math.min(contentRows, Math.ceil(rest / 2));
  const options = Math.max(1, Math.min(request.options.length, rest - Math.max(1, wanted)));
  const room = Math.max(1, rest - options);
  const more = contentRows > room && room >= 3;
  return {title, hint, options, more, content: Math.min(contentRows, room - Number(more))};
}

function titleOf({agentName, others}: PermissionView): string {
  const more = others === 0 ? '' : ` (${others} more ${others === 1 ? 'waits' : 'wait'})`;
  return `${sanitizeLine(agentName)} asks for permission${more}`;
}

function drawMore({above, below}: {readonly above: number; readonly below: number}, draw: Draw): string {
  const {paint, signs, columns} = draw;
  const parts = [above > 0 ? `${above} above` : '', below > 0 ? `${below} below` : ''].filter(Boolean);
  const text = `${signs.ellipsis} ${parts.join(', ')}; Page Down scrolls, End goes to the end`;
  return (below > 0 ? paint.warning : paint.dim)(truncate(text, columns));
}

function drawOptions(
  {request, view: {selected}, isFocused}: PermissionView,
  rows: number,
  draw: Draw,
): string[] {
  const {paint, signs, columns} = draw;
  const first = Math.max(0, Math.min(selected - rows + 1, request.options.length - rows));
  return request.options.slice(first, first + rows).map((option, index) => {
    const number = first + index + 1;
    const isSelected = number - 1 === selected;
    const mark = isSelected ? signs.selected : ' ';
    const name = sanitizeLine(option.name);
    const kind = kindWords[option.kind] ?? option.kind;
    const words = name.toLowerCase() === kind ? '' : ` (${kind})`;
    const text = truncate(`${mark} ${number}. ${name}${words}`, columns);
    return isSelected && isFocused ? paint.selected(text) : text;
  });
}

function hintOf({isFocused, view}: PermissionView, endShown: boolean): string {
  if (!isFocused) return 'Tab to answer';
  if (!endShown && !view.endSeen)
    return 'Allowing is possible after the end was shown: Space or End. Rejecting is possible now.';
  return 'Enter or a number answers, ? explains, Esc goes back to the prompt';
}
