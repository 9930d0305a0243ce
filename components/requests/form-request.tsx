import {windowAround} from '../../src/app/pages/scroll.ts';
import {draftOf, type Draft} from '../../src/app/editor/draft.ts';
import {layoutDraft, rowPieces} from '../../src/app/editor/layout.ts';
import {
  buttonAt,
  buttonsOf,
  optionsOf,
  fieldColumns,
  hasFilter,
  visibleOptions,
} from '../../src/app/requests/form.ts';
import {isOneChoice} from '../../src/app/requests/form-values.ts';
import type {ToolCallEntry} from '../../src/session/entries.ts';
import type {Field} from '../../src/session/forms/form-schema.ts';
import {questionWithAnswer, describeConstraints} from '../../src/session/forms/form-validation.ts';
import type {PendingForm, PendingElicitation} from '../../src/session/state.ts';
import {escapeHiddenOnce, onOneLine} from '../../src/text/hidden.ts';
import {sanitize, sanitizeLine} from '../../src/text/sanitize.ts';
import {joinFitting, startOfText, truncate} from '../../src/text/truncate.ts';
import {graphemes, width} from '../../src/text/width.ts';
import {wrap} from '../../src/text/wrap.ts';
import {type DrawContext, withBar, drawExact, markEscapes} from '../draw/draw.ts';
import {cacheDrawing} from '../draw/late.ts';
import {indent, narrow, wrapHanging} from '../draw/lines.ts';
import {edgeRoomInside, hasBox, insideBox} from '../draw/box.ts';
import {type ShownRequest, drawTextNotes} from './permission-request.ts';
import {footerRows, Frame, frameHeight, spokenFrame} from '../layout/frame.tsx';
import {Rows} from '../layout/rows.tsx';
import {BEFORE_CONTENT, drawHints, hiddenRows, type RequestPanel, ROWS_FOR_NOTES} from './question.tsx';
import {isFreeAnswer} from '../../src/session/forms/form-schema.ts';
import type {TextInput, ListInput, Input, FormButton, FormState} from '../../src/app/requests/form-state.ts';

interface FormView extends ShownRequest<PendingForm> {
  readonly form: FormState;
}

/** A longer list of options is scrolled. */
const MAX_OPTIONS = 10;

/** Returns a form: who asks what, each field, and the buttons. The focused field is always visible. */
export function formPanel(shownRequest: FormView, draw: DrawContext): RequestPanel {
  const {rows, isFocused, form, view} = shownRequest;
  const inner = insideBox(draw);
  const hasTitle = rows >= 3;
  const notes = isFocused ? drawHints(view, [noteOf(form, inner)], inner) : [];
  const footer = rows < ROWS_FOR_NOTES ? 0 : footerRows(notes, draw);
  const room = Math.max(1, rows - Number(hasTitle) - footer);
  const content = drawContent(shownRequest, room, inner);
  const total = content.lines.length;
  const isCut = total > room && room >= 3;
  const shown = Math.min(total, room - Number(isCut));
  const start = Math.max(0, Math.min(view.scroll.firstRow, total - shown));
  const firstRow = form.follows ? following(content, start, shown) : start;
  const more = isCut ? [drawHidden(firstRow, total - firstRow - shown, inner)] : [];
  const body = [...content.lines.slice(firstRow, firstRow + shown), ...more];
  const row = content.at - firstRow;
  const column = (content.column ?? 0) + (hasBox(draw) ? BEFORE_CONTENT : 0);
  const isSeen = isFocused && content.column !== undefined && row >= 0 && row < shown;
  const {fields} = shownRequest.request;
  const questions =
    fields.filter((_, index) => !isFreeAnswer(fields, index)).length === 1 ? 'question' : 'questions';
  const {title, ...words} = headingOf(shownRequest, `Answer the agent's ${questions}?`, draw);
  const frame = {title: hasTitle ? title : undefined, ...words, isFocused, notes, footer};
  return {
    content: (
      <Frame {...frame}>
        <Rows of={body} />
      </Frame>
    ),
    height: frameHeight(frame, body.length, draw),
    spoken: spokenFrame(frame, body),
    drawn: {firstRow, visibleRows: shown, totalRows: total},
    ...(isSeen && {caret: {row: Number(hasTitle) + row, column}}),
  };
}

interface Content {
  readonly lines: readonly string[];
  /** The range of the focused field, and its line that must be visible. */
  readonly from: number;
  readonly to: number;
  readonly at: number;
  readonly column?: number;
}

function drawContent(shownRequest: FormView, room: number, draw: DrawContext): Content {
  const {form, request, entry, isFocused} = shownRequest;
  const lines: string[] = [...drawAsked(request, entry, draw), ''];
  let place = {from: 0, to: 0, at: 0};
  let column: number | undefined;
  for (const [index, field] of form.fields.entries()) {
    const view = {field, input: form.inputs[index] ?? {kind: 'none' as const}, problem: form.problems[index]};
    const from = lines.length;
    if (index === form.at && isFocused) {
      const open = drawOpenField(view, Math.max(3, Math.min(MAX_OPTIONS, room - 4)), draw);
      for (const line of open.lines) lines.push(line);
      place = {from, to: lines.length, at: from + open.at};
      column = open.column;
    } else lines.push(...drawClosedField(view, draw));
  }
  const buttons = buttonsOf(form);
  lines.push('');
  const words = form.isLocal ? OUR_BUTTONS : BUTTONS;
  const drawn = buttons.map((button) =>
    drawButton(words[button], isFocused && buttonAt(form) === button, draw),
  );
  const row = drawn.join(' ');
  const isOneRow = draw.isBoxed === true && width(row) <= draw.columns;
  const at = lines.length + (isOneRow ? 0 : buttons.indexOf(buttonAt(form) ?? 'cancel'));
  if (buttonAt(form) !== undefined) place = {from: at, to: at + 1, at};
  lines.push(...(isOneRow ? [row] : drawn));
  return {lines, ...place, ...(column !== undefined && {column})};
}

const BUTTONS: Readonly<Record<FormButton, string>> = {
  accept: 'Submit',
  decline: 'Decline',
  cancel: 'Cancel',
};

const OUR_BUTTONS: typeof BUTTONS = {accept: 'Continue', decline: 'Cancel', cancel: 'Cancel'};

function drawButton(words: string, isHere: boolean, {paint, symbols, columns}: DrawContext): string {
  const line = truncate(`${isHere ? symbols.selected : ' '} [ ${words} ]`, columns);
  return isHere ? paint.selected(line) : line;
}

/** Returns the nearest first row with which the focused field is completely visible, or at least its most important line. */
function following({from, to, at}: Content, start: number, shown: number): number {
  // If it does not fit, its beginning takes precedence.
  const low = Math.min(from, Math.max(to - shown, 0));
  const near = Math.max(low, Math.min(start, from));
  return Math.max(at - shown + 1, Math.min(near, at));
}

function drawHidden(above: number, below: number, {paint, symbols, columns, keyOf}: DrawContext): string {
  const key = below > 0 ? keyOf('scroll_page_down') : keyOf('scroll_page_up');
  return paint.dim(truncate(`${symbols.ellipsis} ${hiddenRows(above, below)} · ${key} scroll`, columns));
}

/** Returns the key hints. */
function noteOf(form: FormState, draw: DrawContext): string {
  const {paint, keyOf} = draw;
  const input = form.inputs[form.at];
  const here = isOneChoice(form)
    ? `${keyOf('confirm')} or number answer`
    : input?.kind === 'list'
      ? `${keyOf('choose_here')} select`
      : buttonAt(form) === undefined
        ? ''
        : `${keyOf('confirm')} select`;
  const keys = [
    here,
    `${keyOf('next_field')} next`,
    `${keyOf('send_form')} submit`,
    `${keyOf('cancel_or_back')} back to prompt`,
  ];
  return paint.dim(joinFitting(keys, edgeRoomInside(draw)));
}

/** Draws a pending form in the transcript, with all its questions. */
export function drawFormRequest(request: PendingForm, draw: DrawContext): string[] {
  const fields = request.fields.map(({label, required}) => `- ${label}${required ? ' (required)' : ''}`);
  const inner = narrow(draw);
  return [
    ...drawAsked(request, undefined, draw),
    ...indent(fields.flatMap((field) => wrap(field, inner.columns))),
  ];
}

/** A field with its input. */
interface FieldView {
  readonly field: Field;
  readonly input: Input;
  readonly problem: string | undefined;
}

/** Draws an unfocused field in one line, with its problem. */
function drawClosedField({field, input, problem}: FieldView, draw: DrawContext): readonly string[] {
  const {columns, paint} = draw;
  const answer = answerOf(field, input);
  const room = Math.max(columns - width(answer) - 4, Math.floor(columns / 2));
  const line = markEscapes(
    truncate(`  ${questionWithAnswer(truncate(nameOf(field), room), answer)}`, columns),
    draw,
  );
  return [answer === '' ? paint.dim(line) : line, ...drawProblem(problem, draw)];
}

/** Draws the focused field: question, hints, input, and problem. */
function drawOpenField(
  {field, input, problem}: FieldView,
  rows: number,
  draw: DrawContext,
): {readonly lines: readonly string[]; readonly at: number; readonly column?: number} {
  const {paint, symbols} = draw;
  const inner = controlDraw(draw);
  const dim = (text: string) => wrap(text, inner.columns).map((line) => paint.dim(markEscapes(line, draw)));
  const name = wrapHanging(symbols.selected, nameOf(field), draw).map((line) =>
    paint.accent(paint.bold(markEscapes(line, draw))),
  );
  const description = field.description === undefined ? [] : dim(sanitize(field.description));
  const warning = field.looksSecret ? wrap(SECRET, inner.columns).map((line) => paint.warning(line)) : [];
  const control = drawControl(field, input, {rows, draw: inner});
  const constraints = describeConstraints(field);
  const above = [...name, ...indent([...description, ...warning])];
  return {
    lines: [
      ...above,
      ...indent(control.lines),
      ...indent(constraints === '' ? [] : dim(constraints)),
      ...drawProblem(problem, draw),
    ],
    at: above.length + control.at,
    ...(control.column !== undefined && {column: control.column + 2}),
  };
}

const SECRET =
  'Do not enter passwords or keys: the agent receives what you type. It is not stored in this conversation.';

function nameOf({label, required, type}: Field): string {
  const name = sanitizeLine(label);
  if (type === 'unknown') return `${name} (${required ? 'required' : 'optional'}, unsupported field type)`;
  return required ? `${name} (required)` : name;
}

/** Maximum length of a line, in UTF-16 units. */
const MAX_SHOWN_LENGTH = 1000;

function answerOf(field: Field, input: Input): string {
  if (input.kind === 'none') return field.type === 'unknown' ? sanitizeLine(field.kind) : '';
  if (input.kind === 'text') {
    const {text} = input.draft;
    const begin = startOfText(text, MAX_SHOWN_LENGTH);
    return field.secret ? '*'.repeat(graphemes(begin).length) : onOneLine(inSight(begin));
  }
  return input.chosen.map((index) => optionsOf(field)[index]?.label ?? '').join(', ');
}

function drawProblem(problem: string | undefined, draw: DrawContext): string[] {
  if (problem === undefined) return [];
  const inner = controlDraw(draw);
  return indent(wrapHanging(draw.symbols.warning, problem, inner)).map((line) => draw.paint.error(line));
}

/** The input control of the focused field. */
interface ControlLines {
  readonly lines: readonly string[];
  /** The line that must be visible, and the cursor's position in it. */
  readonly at: number;
  readonly column?: number;
}

/** Draws the edited text, or the options around the cursor, on at most `rows` lines of `draw.columns` columns. */
function drawControl(
  field: Field,
  input: Input,
  {rows, draw}: {rows: number; draw: DrawContext},
): ControlLines {
  if (input.kind === 'text') return drawText(field, input, draw);
  if (input.kind === 'list') return drawList(field, input, {rows, draw});
  return {lines: [], at: 0};
}

function drawText(field: Field, {draft}: TextInput, draw: DrawContext): ControlLines {
  const {columns, paint} = draw;
  const shown = field.secret ? masked(draft) : unhidden(draft);
  const layout = layoutDraft(shown, columns);
  const lines = layout.rows.map((row) =>
    markEscapes(
      rowPieces(shown, row, columns)
        .map(({text}) => text)
        .join(''),
      draw,
    ),
  );
  const empty = [paint.dim(truncate('(type your answer)', columns))];
  return {lines: draft.text === '' ? empty : lines, at: layout.caret.row, column: layout.caret.column};
}

/** The user's input is an exact reading too, like the agent's questions: a tab is an escape. */
function inSight(text: string): string {
  return escapeHiddenOnce(text).replaceAll('\t', onOneLine('\t'));
}

/** Returns a draft with escapes for all invisible characters, and the cursor adjusted. */
function unhidden(draft: Draft): Draft {
  const {text, caret, pastes} = draft;
  const shown = inSight(text);
  if (shown === text || pastes.length > 0) return draft;
  return {...draftOf(shown), caret: Math.max(0, shown.length - inSight(text.slice(caret)).length)};
}

/** Masks each character with a symbol. */
function masked({text, caret}: Draft): Draft {
  const before = graphemes(text.slice(0, caret)).length;
  return {...draftOf('*'.repeat(graphemes(text).length)), caret: before};
}

function drawList(
  field: Field,
  input: ListInput,
  {rows, draw}: {rows: number; draw: DrawContext},
): ControlLines {
  const {paint, columns, symbols} = draw;
  const options = visibleOptions(field, input);
  const {from, to} = windowAround(input.cursor, options.length, rows);
  const several = field.type === 'choices';
  const lines = options.slice(from, to).flatMap((option, index) => {
    const isHere = from + index === input.cursor;
    const mark = markOf(input.chosen.includes(Number(option.id)), several);
    const number = hasFilter(field) ? '' : `${Number(option.id) + 1}. `;
    const words = [option.label, option.description].filter((part) => part !== undefined).join(' - ');
    if (!isHere) return markEscapes(truncate(`  ${mark} ${number}${words}`, columns), draw);
    // The selected option, with its complete description.
    return wrapHanging(symbols.selected, `${mark} ${number}${words}`, draw).map((line) =>
      paint.selected(markEscapes(line, draw)),
    );
  });
  const head = headOf(field, input, {shown: options.length, draw});
  return {
    lines: [...head, ...(lines.length > 0 ? lines : [paint.dim('No matches')])],
    at: head.length + Math.max(0, input.cursor - from),
  };
}

function markOf(isChosen: boolean, several: boolean): string {
  if (several) return isChosen ? '[x]' : '[ ]';
  return isChosen ? '(x)' : '( )';
}

/** Returns the filter line of a long list. */
function headOf(
  field: Field,
  {filter}: ListInput,
  {shown, draw}: {shown: number; draw: DrawContext},
): string[] {
  if (!hasFilter(field)) return [];
  const all = optionsOf(field).length;
  const words = filter === '' ? `${all} options · type to filter` : `Filter: ${filter} (${shown} of ${all})`;
  return [draw.paint.dim(truncate(words, draw.columns))];
}

/** Returns the drawing context of a control. */
function controlDraw(draw: DrawContext): DrawContext {
  return {...draw, columns: fieldColumns(draw.columns)};
}

/** Returns the title of a request, and who asks. An agent can have any name, so the title itself marks it as an agent's, even if the screen cuts the rest. */
export function headingOf(
  {request: {asker, isForNone}, agentName, others}: Asked,
  question: string,
  {symbols}: DrawContext,
): {readonly title: string; readonly aside: string; readonly isOwn: boolean} {
  const who = asker === undefined ? [sanitizeLine(agentName)] : [];
  const scope = isForNone ? ['for any session'] : [];
  const place = others === 0 ? [] : [`1 of ${others + 1}`];
  const aside = [...scope, ...who, ...place].join(` ${symbols.dot} `);
  const isOwn = asker !== undefined;
  return {title: isOwn ? `${asker} asks` : question, aside, isOwn};
}

type Asked = Pick<ShownRequest<PendingElicitation>, 'request' | 'agentName' | 'others'>;

/** Draws the question and its tool call in full. */
export const drawAsked = cacheDrawing(drawWhole);

function drawWhole(
  request: PendingElicitation,
  entry: ToolCallEntry | undefined,
  draw: DrawContext,
): readonly string[] {
  const {paint} = draw;
  const inner = narrow(draw);
  const call = entry === undefined ? [] : drawExact(`For: ${onOneLine(entry.title)}`, inner);
  const parts = request.kind === 'form' ? [request.title, request.description] : [];
  const [title, description] = parts.map((part) => (part === undefined ? [] : drawExact(part, inner)));
  const message = drawExact(request.message, inner);
  const lines = [
    ...call.map((line) => paint.dim(line)),
    ...message,
    ...(title ?? []).map((line) => paint.bold(line)),
    ...(description ?? []).map((line) => paint.dim(line)),
  ];
  return [...drawTextNotes(request, draw), ...withBar(lines, draw)];
}
