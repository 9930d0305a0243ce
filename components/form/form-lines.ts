import {buttonAt, buttonsOf, type FormButton, type FormState} from '../../src/app/forms/form.ts';
import type {PendingForm} from '../../src/session/state.ts';
import {truncate} from '../../src/text/truncate.ts';
import {wrap} from '../../src/text/wrap.ts';
import type {Draw} from '../draw/draw.ts';
import {indent, inside} from '../draw/lines.ts';
import type {ScrolledLines} from '../draw/scrolled.ts';
import type {AskedView} from '../permission/permission-lines.ts';
import {drawFrame} from '../permission/question-lines.ts';
import {drawAsked, titleOf} from './asked-lines.ts';
import {drawClosedField, drawOpenField} from './field-lines.ts';

export interface FormView extends AskedView<PendingForm> {
  readonly form: FormState;
}

/** A form on the screen, with the place of the cursor in its lines. */
export interface FormLines extends ScrolledLines {
  readonly caret?: {readonly row: number; readonly column: number};
}

/** From this many rows on there is room for the keys. */
const ROWS_FOR_NOTES = 6;
/** More options than these are scrolled. */
const MOST_OPTIONS = 10;

/** A form of the agent: who asks what, each field, and the ways to answer. What has the keyboard is always in view. */
export function drawForm(asked: FormView, draw: Draw): FormLines {
  const {rows, isFocused, form, view} = asked;
  const title = rows >= 3 ? [drawFrame(titleOf(asked, 'asks'), isFocused, draw)] : [];
  const notes = rows >= ROWS_FOR_NOTES && isFocused ? [noteOf(form, draw)] : [];
  const room = Math.max(1, rows - title.length - notes.length);
  const content = drawContent(asked, room, draw);
  const total = content.lines.length;
  const isCut = total > room && room >= 3;
  const shown = Math.min(total, room - Number(isCut));
  const start = Math.max(0, Math.min(view.scroll.firstRow, total - shown));
  const firstRow = form.follows ? following(content, start, shown) : start;
  const more = isCut ? [drawHidden({above: firstRow, below: total - firstRow - shown}, draw)] : [];
  const row = content.at - firstRow;
  const isSeen = isFocused && content.column !== undefined && row >= 0 && row < shown;
  return {
    lines: [...title, ...content.lines.slice(firstRow, firstRow + shown), ...more, ...notes],
    drawn: {firstRow, visibleRows: shown, totalRows: total},
    ...(isSeen && {caret: {row: title.length + row, column: content.column ?? 0}}),
  };
}

interface Content {
  readonly lines: readonly string[];
  /** Where what has the keyboard begins and ends, and the line of it that has to be seen. */
  readonly from: number;
  readonly to: number;
  readonly at: number;
  readonly column?: number;
}

function drawContent(asked: FormView, room: number, draw: Draw): Content {
  const {form, request, entry, isFocused} = asked;
  const lines: string[] = [...drawAsked(request, entry, draw), ''];
  let place = {from: 0, to: 0, at: 0};
  let column: number | undefined;
  for (const [index, field] of form.fields.entries()) {
    const view = {field, input: form.inputs[index] ?? {kind: 'none' as const}, problem: form.problems[index]};
    const from = lines.length;
    if (index === form.at && isFocused) {
      const open = drawOpenField(view, Math.max(3, Math.min(MOST_OPTIONS, room - 4)), draw);
      for (const line of open.lines) lines.push(line);
      place = {from, to: lines.length, at: from + open.at};
      column = open.column;
    } else lines.push(...drawClosedField(view, draw));
  }
  const buttons = buttonsOf(form);
  lines.push('');
  const at = lines.length + buttons.indexOf(buttonAt(form) ?? 'cancel');
  if (buttonAt(form) !== undefined) place = {from: at, to: at + 1, at};
  const words = form.isOurs ? OUR_BUTTONS : BUTTONS;
  lines.push(
    ...buttons.map((button) => drawButton(words[button], isFocused && buttonAt(form) === button, draw)),
  );
  return {lines, ...place, ...(column !== undefined && {column})};
}

const BUTTONS: Readonly<Record<FormButton, string>> = {
  accept: 'Send the answers',
  decline: 'Decline: the agent is told no',
  cancel: 'Cancel: the agent gets no answer',
};

const OUR_BUTTONS: typeof BUTTONS = {accept: 'Go on', decline: 'Cancel', cancel: 'Cancel'};

function drawButton(words: string, isHere: boolean, {paint, signs, columns}: Draw): string {
  const line = truncate(`${isHere ? signs.selected : ' '} [ ${words} ]`, columns);
  return isHere ? paint.selected(line) : line;
}

/** The nearest first row from which on all that has the keyboard is in view, or at least the line of it that has to be. */
function following({from, to, at}: Content, start: number, shown: number): number {
  // Where not all of it fits, its beginning tells what it is.
  const low = Math.min(from, Math.max(to - shown, 0));
  const near = Math.max(low, Math.min(start, from));
  return Math.max(at - shown + 1, Math.min(near, at));
}

function drawHidden(
  {above, below}: {above: number; below: number},
  {paint, signs, columns, keyOf}: Draw,
): string {
  const parts = [above > 0 ? `${above} above` : '', below > 0 ? `${below} below` : ''].filter(Boolean);
  const key = below > 0 ? keyOf('scroll_page_down') : keyOf('scroll_page_up');
  return paint.dim(truncate(`${signs.ellipsis} ${parts.join(', ')}; ${key} scrolls`, columns));
}

/** What the keys do here. */
function noteOf(form: FormState, {paint, columns, keyOf}: Draw): string {
  const input = form.inputs[form.at];
  const here =
    input?.kind === 'list'
      ? `${keyOf('choose_here')} chooses`
      : buttonAt(form) === undefined
        ? ''
        : `${keyOf('confirm')} takes it`;
  const keys = [
    here,
    `${keyOf('next_field')} goes on`,
    `${keyOf('send_form')} sends`,
    `${keyOf('cancel_or_back')} back to the prompt`,
  ];
  return paint.dim(truncate(keys.filter(Boolean).join(', '), columns));
}

/** A form that waits, in the transcript: all that it asks. */
export function drawFormRequest(request: PendingForm, draw: Draw): string[] {
  const fields = request.fields.map(({label, required}) => `- ${label}${required ? ' (required)' : ''}`);
  const inner = inside(draw);
  return [
    ...drawAsked(request, undefined, draw),
    ...indent(fields.flatMap((field) => wrap(field, inner.columns))),
  ];
}
