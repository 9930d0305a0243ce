import type {Hint} from '../../src/app/keymap/hints.ts';
import {fittingLine} from '../layout/hints.ts';
import {windowAround} from '../../src/app/pages/scroll.ts';
import {layoutDraft, rowTexts} from '../../src/app/editor/layout.ts';
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
import {type Field, isFreeAnswer} from '../../src/session/forms/form-schema.ts';
import {questionWithAnswer, describeConstraints} from '../../src/session/forms/form-validation.ts';
import type {PendingForm, PendingElicitation} from '../../src/session/state.ts';
import {onOneLine} from '../../src/text/hidden.ts';
import {sanitize} from '../../src/text/sanitize.ts';
import {truncate} from '../../src/text/truncate.ts';
import {width} from '../../src/text/width.ts';
import {wrap} from '../../src/text/wrap.ts';
import {rowsOfExact, markEscapes} from '../theme/exact-text.ts';
import {afterBar, indent, narrow, wrapHanging} from '../layout/lines.ts';
import type {Theme} from '../theme/theme.tsx';
import {cacheRows} from '../layout/cached-rows.ts';
import {edgeRoomInside, hasBox, insideBox} from '../layout/box.ts';
import type {ShownRequest} from '../../src/app/requests/shown-request.ts';
import {headingOf} from '../../src/app/requests/request-texts.ts';
import {answerText, buttonLabel, fieldName, shownDraft} from '../../src/app/requests/form-labels.ts';
import {rowsOfTextNotes} from './permission-request.ts';
import {footerRows} from '../layout/frame.tsx';
import {framedPanel, scrolledRows} from '../panels/panel-rows.tsx';
import {BEFORE_CONTENT, rowsOfHints, hiddenRows, type RequestPanel, ROWS_FOR_NOTES} from './question.ts';
import type {TextInput, ListInput, Input, FormState} from '../../src/app/requests/form-state.ts';
import {addAll} from '../../src/text/lists.ts';

interface FormView extends ShownRequest<PendingForm> {
  readonly form: FormState;
}

/** A longer list of options is scrolled. */
const MAX_OPTIONS = 10;

/** Returns a form: who asks what, each field, and the buttons. The focused field is always visible. */
export function formPanel(shownRequest: FormView, theme: Theme): RequestPanel {
  const {rows, isFocused, form, view, request} = shownRequest;
  const inner = insideBox(theme);
  const hasTitle = rows >= 3;
  const notes = isFocused ? rowsOfHints(view, [noteOf(form, inner)], inner) : [];
  const footer = rows < ROWS_FOR_NOTES ? 0 : footerRows(notes, theme);
  const room = Math.max(1, rows - Number(hasTitle) - footer);
  const content = contentOf(shownRequest, room, inner);
  const total = content.lines.length;
  const isCut = total > room && room >= 3;
  const shown = Math.min(total, room - Number(isCut));
  const start = Math.max(0, Math.min(view.scroll.firstRow, total - shown));
  const firstRow = form.follows ? following(content, start, shown) : start;
  const visible = content.lines.slice(firstRow, firstRow + shown);
  // Fields change their rows, and move those below.
  const still = Math.max(0, content.asked - firstRow);
  const body = [
    ...scrolledRows(visible.slice(0, still), firstRow),
    ...visible.slice(still),
    ...(isCut ? [hiddenRow(firstRow, total - firstRow - shown, inner)] : []),
  ];
  const row = content.at - firstRow;
  const isSeen = isFocused && content.column !== undefined && row >= 0 && row < shown;
  const column = (content.column ?? 0) + (hasBox(theme) ? BEFORE_CONTENT : 0);
  const questions = request.fields.filter((_, index) => !isFreeAnswer(request.fields, index));
  const asks = `Answer the agent's ${questions.length === 1 ? 'question' : 'questions'}?`;
  const {title, ...words} = headingOf(shownRequest, asks);
  return {
    ...framedPanel({title: hasTitle ? title : undefined, ...words, isFocused, notes, footer}, body),
    drawn: {firstRow, visibleRows: shown, totalRows: total},
    caret: isSeen ? {row: Number(hasTitle) + row, column} : undefined,
  };
}

/** The rows of a part of a form. */
interface FormPart {
  readonly lines: readonly string[];
  /** The row that must be visible while it has the focus, and the column of the cursor in it. */
  readonly at: number;
  readonly column?: number | undefined;
}

/** `from` and `to` are the range of the focused part, `at` its line that must be visible, `asked` how many lines are above the fields. */
function contentOf({form, request, entry, isFocused}: FormView, room: number, theme: Theme) {
  const lines: string[] = [...rowsOfAsked(request, theme, entry), ''];
  const asked = lines.length;
  let place: {from: number; to: number; at: number; column?: number | undefined} = {from: 0, to: 0, at: 0};
  const add = (part: FormPart, isHere: boolean) => {
    const from = lines.length;
    addAll(lines, part.lines);
    if (isHere) place = {from, to: lines.length, at: from + part.at, column: part.column};
  };
  const options = Math.max(3, Math.min(MAX_OPTIONS, room - 4));
  for (const [index, field] of form.fields.entries()) {
    const view = {field, input: form.inputs[index] ?? {kind: 'none' as const}, problem: form.problems[index]};
    const isHere = isFocused && index === form.at;
    add(isHere ? openField(view, options, theme) : closedField(view, theme), isHere);
  }
  lines.push('');
  const focused = buttonAt(form);
  const buttons = buttonsOf(form).map((button) => ({
    isHere: button === focused,
    row: buttonRow(buttonLabel(button, form), isFocused && button === focused, theme),
  }));
  const row = buttons.map((button) => button.row).join(' ');
  if (theme.isBoxed === true && width(row) <= theme.columns)
    add({lines: [row], at: 0}, focused !== undefined);
  else for (const button of buttons) add({lines: [button.row], at: 0}, button.isHere);
  return {lines, asked, ...place};
}

function buttonRow(words: string, isHere: boolean, {paint, symbols, columns}: Theme): string {
  const line = truncate(`${isHere ? symbols.selected : ' '} [ ${words} ]`, columns);
  return isHere ? paint.selected(line) : line;
}

/** Returns the nearest first row with which the focused field is completely visible, or at least its most important line. */
function following({from, to, at}: ReturnType<typeof contentOf>, start: number, shown: number): number {
  // If it does not fit, its beginning takes precedence.
  const low = Math.min(from, Math.max(to - shown, 0));
  const near = Math.max(low, Math.min(start, from));
  return Math.max(at - shown + 1, Math.min(near, at));
}

function hiddenRow(above: number, below: number, {paint, columns, keyOf}: Theme): string {
  const key = below > 0 ? keyOf('scroll_page_down') : keyOf('scroll_page_up');
  return paint.dim(truncate(`… ${hiddenRows(above, below)} · ${key} scroll`, columns));
}

/** Returns the key hints. */
function noteOf(form: FormState, theme: Theme): string {
  const {keyOf} = theme;
  const input = form.inputs[form.at];
  const here: Hint = isOneChoice(form)
    ? [keyOf('confirm'), 'or number answer']
    : input?.kind === 'list'
      ? [keyOf('choose_here'), 'select']
      : buttonAt(form) === undefined
        ? ''
        : [keyOf('confirm'), 'select'];
  const hints: readonly Hint[] = [
    here,
    [keyOf('next_field'), 'next'],
    [keyOf('send_form'), 'submit'],
    [keyOf('cancel_or_back'), 'back to prompt'],
  ];
  return fittingLine(hints, edgeRoomInside(theme), theme);
}

/** Returns the rows of a pending form in the transcript, with all its questions. */
export function rowsOfFormRequest(request: PendingForm, theme: Theme): string[] {
  const fields = request.fields.map(({label, required}) => `- ${label}${required ? ' (required)' : ''}`);
  const inner = narrow(theme);
  return [
    ...rowsOfAsked(request, theme, undefined),
    ...indent(fields.flatMap((field) => wrap(field, inner.columns))),
  ];
}

/** A field with its input. */
interface FieldView {
  readonly field: Field;
  readonly input: Input;
  readonly problem: string | undefined;
}

/** Returns an unfocused field in one line, with its problem. */
function closedField({field, input, problem}: FieldView, theme: Theme): FormPart {
  const {columns, paint} = theme;
  const answer = answerText(field, input);
  const room = Math.max(columns - width(answer) - 4, Math.floor(columns / 2));
  const words = questionWithAnswer(truncate(fieldName(field), room), answer);
  const line = markEscapes(truncate(`  ${words}`, columns), theme);
  return {lines: [answer === '' ? paint.dim(line) : line, ...rowsOfProblem(problem, theme)], at: 0};
}

/** Returns the focused field: question, hints, input, and problem. */
function openField({field, input, problem}: FieldView, options: number, theme: Theme): FormPart {
  const {paint, symbols} = theme;
  const inner = controlTheme(theme);
  const dim = (text = '') =>
    text === '' ? [] : wrap(text, inner.columns).map((line) => paint.dim(markEscapes(line, theme)));
  const name = wrapHanging(symbols.selected, fieldName(field), theme).map((line) =>
    paint.accent(paint.bold(markEscapes(line, theme))),
  );
  const description = dim(field.description && sanitize(field.description));
  const warning = field.looksSecret ? wrap(SECRET, inner.columns).map((line) => paint.warning(line)) : [];
  const control =
    input.kind === 'text'
      ? textControl(field, input, inner)
      : input.kind === 'list'
        ? listControl(field, input, {rows: options, theme: inner})
        : {lines: [], at: 0};
  const above = [...name, ...indent([...description, ...warning])];
  const below = [...control.lines, ...dim(describeConstraints(field))];
  return {
    lines: [...above, ...indent(below), ...rowsOfProblem(problem, theme)],
    at: above.length + control.at,
    column: control.column === undefined ? undefined : control.column + 2,
  };
}

const SECRET =
  'Do not enter passwords or keys: the agent receives what you type. It is not stored in this conversation.';

function rowsOfProblem(problem: string | undefined, theme: Theme): string[] {
  if (problem === undefined) return [];
  const inner = controlTheme(theme);
  return indent(wrapHanging(theme.symbols.warning, problem, inner)).map((line) => theme.paint.error(line));
}

/** Returns the edited text. */
function textControl(field: Field, {draft}: TextInput, theme: Theme): FormPart {
  const {columns, paint} = theme;
  const shown = shownDraft(field, draft);
  const {caret} = layoutDraft(shown, columns);
  const lines =
    draft.text === ''
      ? [paint.dim(truncate('(type your answer)', columns))]
      : rowTexts(shown, columns).map((line) => markEscapes(line, theme));
  return {lines, at: caret.row, column: caret.column};
}

/** Returns the options around the cursor. */
function listControl(field: Field, input: ListInput, {rows, theme}: {rows: number; theme: Theme}): FormPart {
  const {paint, columns, symbols} = theme;
  const options = visibleOptions(field, input);
  const {from, to} = windowAround(input.cursor, options.length, rows);
  const several = field.type === 'choices';
  const lines = options.slice(from, to).flatMap((option, index) => {
    const isHere = from + index === input.cursor;
    const mark = markOf(input.chosen.includes(Number(option.id)), several);
    const number = hasFilter(field) ? '' : `${Number(option.id) + 1}. `;
    const words = [option.label, option.description].filter((part) => part !== undefined).join(' - ');
    if (!isHere) return markEscapes(truncate(`  ${mark} ${number}${words}`, columns), theme);
    // The selected option, with its complete description.
    return wrapHanging(symbols.selected, `${mark} ${number}${words}`, theme).map((line) =>
      paint.selected(markEscapes(line, theme)),
    );
  });
  const head = headOf(field, input, {shown: options.length, theme});
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
function headOf(field: Field, {filter}: ListInput, {shown, theme}: {shown: number; theme: Theme}): string[] {
  if (!hasFilter(field)) return [];
  const all = optionsOf(field).length;
  const words = filter === '' ? `${all} options · type to filter` : `Filter: ${filter} (${shown} of ${all})`;
  return [theme.paint.dim(truncate(words, theme.columns))];
}

/** Returns the theme of a control. */
function controlTheme(theme: Theme): Theme {
  return {...theme, columns: fieldColumns(theme.columns)};
}

/** Returns the rows of the question and its tool call in full. */
export const rowsOfAsked = cacheRows(function rowsOfAsked(
  request: PendingElicitation,
  theme: Theme,
  entry: ToolCallEntry | undefined,
): readonly string[] {
  const {paint} = theme;
  const inner = narrow(theme);
  const isSaid = entry === undefined || request.message.split('\n').includes(entry.title);
  const call = isSaid ? [] : rowsOfExact(`For: ${onOneLine(entry.title)}`, inner);
  const parts = request.kind === 'form' ? [request.title, request.description] : [];
  const [title, description] = parts.map((part) => (part === undefined ? [] : rowsOfExact(part, inner)));
  const message = rowsOfExact(request.message, inner);
  const lines = [
    ...call.map((line) => paint.dim(line)),
    ...message,
    ...(title ?? []).map((line) => paint.bold(line)),
    ...(description ?? []).map((line) => paint.dim(line)),
  ];
  return [...rowsOfTextNotes(request, theme), ...lines.map(afterBar(theme))];
});
