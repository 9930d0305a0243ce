import {requestHelp} from '../../src/app/help-page.ts';
import {keyName} from '../../src/app/key-names.ts';
import {keysFor, type Keymap} from '../../src/app/keymap.ts';
import type {RequestView} from '../../src/app/state.ts';
import type {ToolCallEntry} from '../../src/session/entries.ts';
import type {PendingPermission, PendingRequest} from '../../src/session/state.ts';
import {sanitizeLine} from '../../src/text/sanitize.ts';
import {truncate} from '../../src/text/truncate.ts';
import {width} from '../../src/text/width.ts';
import {wrap} from '../../src/text/wrap.ts';
import type {Draw} from '../draw/draw.ts';
import type {ScrolledLines} from '../draw/scrolled.ts';
import {drawHelpRow} from '../overlay/help-lines.ts';
import {drawOptions} from './option-lines.ts';
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
  /** Rows that it may take. */
  readonly rows: number;
}

export type PermissionView = AskedView<PendingPermission>;

/** A request for permission: who asks, what will happen in full (scrolled where it is long), and the answers. */
export function drawPermission(asked: PermissionView, draw: Draw): ScrolledLines {
  const {request, entry, isFocused, rows, view} = asked;
  const {options, asker} = request;
  const {selected, scroll} = view;
  return drawQuestion(
    {
      title: titleOf(asked),
      content: drawRequest(request, entry, draw),
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
}

function titleOf({agentName, others, request}: PermissionView): string {
  const more = othersWords(others);
  if (request.asker !== undefined) return `${request.asker} asks${more}`;
  return `${sanitizeLine(agentName)} asks for permission${more}`;
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
