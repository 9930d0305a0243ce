import {requestHelp} from '../../src/app/help-page.ts';
import {deliberateWords, pageKeys} from '../../src/app/keys/held-off.ts';
import {keyName} from '../../src/app/key-names.ts';
import {keysFor, type Keymap} from '../../src/app/keymap.ts';
import {isDeceptive, type Reading, type RowRange} from '../../src/app/reading.ts';
import type {RequestView} from '../../src/app/state.ts';
import type {ToolCallEntry} from '../../src/session/entries.ts';
import type {PendingPermission, PendingRequest} from '../../src/session/state.ts';
import {sanitizeLine} from '../../src/text/sanitize.ts';
import {truncate} from '../../src/text/truncate.ts';
import {width} from '../../src/text/width.ts';
import {wrap} from '../../src/text/wrap.ts';
import type {Draw} from '../draw/draw.ts';
import type {ScrolledLines} from '../draw/scrolled.ts';
import {hanging} from '../draw/lines.ts';
import {drawHelpRow} from '../overlay/help-lines.ts';
import {drawCutOptions, drawOptions} from './option-lines.ts';
import {drawQuestion, othersWords} from './question-lines.ts';
import {drawRequest} from './request-lines.ts';

/** A request as it stands on the screen. */
export interface AskedView<Request extends PendingRequest> {
  readonly request: Request;
  readonly view: RequestView;
  /** The tool call that it is about. */
  readonly entry: ToolCallEntry | undefined;
  readonly agentName: string;
  /** True when it has the keyboard. */
  readonly isFocused: boolean;
  /** How many other requests wait behind it. */
  readonly others: number;
  readonly keymap: Keymap;
  readonly reading: Reading;
  /** Rows that it may take. */
  readonly rows: number;
}

export type PermissionView = AskedView<PendingPermission>;

/** A request on the screen, with the rows of the rule that it offers. */
interface PermissionLines extends ScrolledLines {
  readonly rule?: RowRange;
}

/** A request for permission: who asks, what will happen in full (scrolled where it is long), and the answers. */
export function drawPermission(asked: PermissionView, draw: Draw): PermissionLines {
  const {request, isFocused, rows, view} = asked;
  const {options, asker} = request;
  const {selected, scroll} = view;
  const {content, rule} = drawContent(asked, draw);
  const drawn = drawQuestion(
    {
      title: titleOf(asked),
      content,
      options: {
        count: options.length,
        draw: (rows) => drawOptions({options, ofAgent: asker === undefined, selected, isFocused, rows}, draw),
      },
      notes: drawNotes(asked, draw),
      isFocused,
      scroll,
      rows,
    },
    draw,
  );
  return {...drawn, ...(rule && {rule})};
}

/** What will happen when the user says yes, and the answers as far as they have no room in their own rows. */
function drawContent(
  {request, entry, view, keymap}: PermissionView,
  draw: Draw,
): {readonly content: readonly string[]; readonly rule?: RowRange} {
  const told = drawRequest(request, entry, draw);
  const rule = drawOfferedRule(request, keymap, draw);
  const cut = drawCutOptions({options: request.options, ofAgent: request.asker === undefined}, draw);
  const changed = view.changed ? drawChanged(draw) : [];
  if (changed.length + rule.length + cut.length === 0) return {content: told};
  const from = changed.length + told.length;
  return {
    content: [...changed, ...told, ...rule, ...cut],
    ...(rule.length > 0 && {rule: {from, to: from + rule.length}}),
  };
}

function drawChanged(draw: Draw): string[] {
  const text = 'The agent changed this request after it was shown. Read it again.';
  return hanging(draw.signs.warning, text, draw).map((line) => draw.paint.warning(line));
}

function titleOf({agentName, others, request, view}: PermissionView): string {
  const more = `${view.changed ? ', changed' : ''}${othersWords(others)}`;
  if (request.asker !== undefined) return `${request.asker} asks${more}`;
  return `${sanitizeLine(agentName)} asks for permission${more}`;
}

/** What the keys do; who only looks is told elsewhere how to get here. */
function drawNotes(asked: PermissionView, draw: Draw): string[] {
  const {isFocused, view, keymap} = asked;
  const {columns} = draw;
  if (view.explained) {
    const rows = requestHelp(keymap);
    const keys = Math.max(...rows.map((row) => width(row.keys)));
    return rows.flatMap((row) => drawHelpRow(row, Math.min(keys, Math.floor(columns / 3)), draw));
  }
  if (!isFocused) return [];
  return drawAnswering(asked, draw);
}

/** What the keys do now: what is left to read before it can be allowed, or what was not read where that is possible. */
function drawAnswering({request, view, keymap, reading}: PermissionView, draw: Draw): string[] {
  const {paint, columns, keyOf} = draw;
  const {needed, left, unseen} = reading;
  // What is on the screen is told only when it stands there.
  if (view.drawnAt === undefined) return [' '];
  if (left > 0) {
    const how =
      needed === 'end'
        ? `Scroll to the end to allow (${keyOf('scroll_end')})`
        : `Read all of it to allow (${pageKeys(keymap)})`;
    const text = `${how}: ${linesWords(left)} left. ${keyOf('reject_once')} rejects now.`;
    return wrap(text, columns).map((line) => paint.warning(line));
  }
  const unread = unseen > 0 ? `${linesWords(unseen)} ${unseen === 1 ? 'was' : 'were'} not shown. ` : '';
  const keys = `a number answers, ${keyOf('explain')} explains, ${keyOf('cancel_or_back')} goes back to the prompt`;
  if (isDeceptive(request) && !view.unlocked)
    return wrap(unread + deliberateWords(keymap), columns).map((line) => paint.warning(line));
  const enter = isDeceptive(request) ? '' : `${keyOf('confirm')} or `;
  return [truncate(paint.warning(unread) + paint.dim(enter + keys), columns)];
}

/** `1 line`, `43 lines`. */
export function linesWords(count: number): string {
  return count === 1 ? '1 line' : `${count} lines`;
}

/** No option of the agent's, so it looks like none. */
function drawOfferedRule({rule}: PendingPermission, keymap: Keymap, {paint, columns}: Draw): string[] {
  const [key] = keysFor('allow_by_rule', keymap);
  if (rule === undefined || key === undefined) return [];
  const text = `${keyName(key)}  allow, and from now on by a rule of acp-tui: ${rule}`;
  return wrap(text, columns).map((line) => paint.dim(line));
}
