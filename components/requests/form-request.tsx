import type {Hint} from '../../src/app/keymap/hints.ts';
import {fittingLine} from '../layout/hints.ts';
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
import {startOfText, truncate} from '../../src/text/truncate.ts';
import {graphemes, width} from '../../src/text/width.ts';
import {wrap} from '../../src/text/wrap.ts';
import {rowsOfExact, markEscapes} from '../theme/exact-text.ts';
import {afterBar, indent, narrow, wrapHanging} from '../layout/lines.ts';
import type {Theme} from '../theme/theme.tsx';
import {cacheRows} from '../layout/cached-rows.ts';
import {edgeRoomInside, hasBox, insideBox} from '../layout/box.ts';
import {type ShownRequest, rowsOfTextNotes} from './permission-request.ts';
import {footerRows, Frame, frameHeight, spokenFrame} from '../layout/frame.tsx';
import {Rows} from '../layout/rows.tsx';
import {spokenRows} from '../layout/spoken.ts';
import {
  asideOf,
  BEFORE_CONTENT,
  rowsOfHints,
  hiddenRows,
  type RequestPanel,
  ROWS_FOR_NOTES,
} from './question.tsx';
import {isFreeAnswer} from '../../src/session/forms/form-schema.ts';
import type {TextInput, ListInput, Input, FormButton, FormState} from '../../src/app/requests/form-state.ts';
import {addAll} from '../../src/text/lists.ts';

interface FormView extends ShownRequest<PendingForm> {
  readonly form: FormState;
}

/** A longer list of options is scrolled. */
const MAX_OPTIONS = 10;

/** Returns a form: who asks what, each field, and the buttons. The focused field is always visible. */
export function formPanel(shownRequest: FormView, theme: Theme): RequestPanel {
  const {rows, isFocused, form, view} = shownRequest;
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
  const more = isCut ? [hiddenRow(firstRow, total - firstRow - shown, inner)] : [];
  const visible = content.lines.slice(firstRow, firstRow + shown);
  const body = [...visible, ...more];
  // Fields change their rows, and move those below.
  const still = Math.max(0, content.asked - firstRow);
  const said = [...spokenRows(visible.slice(0, still), firstRow), ...body.slice(still)];
  const row = content.at - firstRow;
  const column = (content.column ?? 0) + (hasBox(theme) ? BEFORE_CONTENT : 0);
  const isSeen = isFocused && content.column !== undefined && row >= 0 && row < shown;
  const {fields} = shownRequest.request;
  const questions =
    fields.filter((_, index) => !isFreeAnswer(fields, index)).length === 1 ? 'question' : 'questions';
  const {title, ...words} = headingOf(shownRequest, `Answer the agent's ${questions}?`);
  const frame = {title: hasTitle ? title : undefined, ...words, isFocused, notes, footer};
  return {
    content: (
      <Frame {...frame}>
        <Rows of={body} />
      </Frame>
    ),
    height: frameHeight(frame, body.length),
    spoken: () => spokenFrame(frame, said),
    drawn: {firstRow, visibleRows: shown, totalRows: total},
    ...(isSeen && {caret: {row: Number(hasTitle) + row, column}}),
  };
}

/** `from` and `to` are the range of the focused field, `at` is its line that must be visible, `column` that of the cursor in it. */
function contentOf(shownRequest: FormView, room: number, theme: Theme) {
  const {form, request, entry, isFocused} = shownRequest;
  const lines: string[] = [...rowsOfAsked(request, theme, entry), ''];
  const asked = lines.length;
  let place = {from: 0, to: 0, at: 0};
  let column: number | undefined;
  for (const [index, field] of form.fields.entries()) {
    const view = {field, input: form.inputs[index] ?? {kind: 'none' as const}, problem: form.problems[index]};
    const from = lines.length;
    if (index === form.at && isFocused) {
      const open = openField(view, Math.max(3, Math.min(MAX_OPTIONS, room - 4)), theme);
      for (const line of open.lines) lines.push(line);
      place = {from, to: lines.length, at: from + open.at};
      column = open.column;
    } else addAll(lines, rowsOfClosedField(view, theme));
  }
  const buttons = buttonsOf(form);
  lines.push('');
  const words = form.isLocal ? OUR_BUTTONS : BUTTONS;
  const drawn = buttons.map((button) =>
    buttonRow(words[button], isFocused && buttonAt(form) === button, theme),
  );
  const row = drawn.join(' ');
  const isOneRow = theme.isBoxed === true && width(row) <= theme.columns;
  const at = lines.length + (isOneRow ? 0 : buttons.indexOf(buttonAt(form) ?? 'cancel'));
  if (buttonAt(form) !== undefined) place = {from: at, to: at + 1, at};
  addAll(lines, isOneRow ? [row] : drawn);
  return {lines, asked, ...place, column};
}

const BUTTONS: Readonly<Record<FormButton, string>> = {
  accept: 'Submit',
  decline: 'Decline',
  cancel: 'Cancel',
};

const OUR_BUTTONS: typeof BUTTONS = {accept: 'Continue', decline: 'Cancel', cancel: 'Cancel'};

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

/** Returns the rows of an unfocused field in one line, with its problem. */
function rowsOfClosedField({field, input, problem}: FieldView, theme: Theme): readonly string[] {
  const {columns, paint} = theme;
  const answer = answerOf(field, input);
  const room = Math.max(columns - width(answer) - 4, Math.floor(columns / 2));
  const line = markEscapes(
    truncate(`  ${questionWithAnswer(truncate(nameOf(field), room), answer)}`, columns),
    theme,
  );
  return [answer === '' ? paint.dim(line) : line, ...rowsOfProblem(problem, theme)];
}

/** Returns the focused field: question, hints, input, and problem. */
function openField(
  {field, input, problem}: FieldView,
  rows: number,
  theme: Theme,
): {readonly lines: readonly string[]; readonly at: number; readonly column?: number} {
  const {paint, symbols} = theme;
  const inner = controlTheme(theme);
  const dim = (text: string) => wrap(text, inner.columns).map((line) => paint.dim(markEscapes(line, theme)));
  const name = wrapHanging(symbols.selected, nameOf(field), theme).map((line) =>
    paint.accent(paint.bold(markEscapes(line, theme))),
  );
  const description = field.description === undefined ? [] : dim(sanitize(field.description));
  const warning = field.looksSecret ? wrap(SECRET, inner.columns).map((line) => paint.warning(line)) : [];
  const control = controlOf(field, input, {rows, theme: inner});
  const constraints = describeConstraints(field);
  const above = [...name, ...indent([...description, ...warning])];
  return {
    lines: [
      ...above,
      ...indent(control.lines),
      ...indent(constraints === '' ? [] : dim(constraints)),
      ...rowsOfProblem(problem, theme),
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

function rowsOfProblem(problem: string | undefined, theme: Theme): string[] {
  if (problem === undefined) return [];
  const inner = controlTheme(theme);
  return indent(wrapHanging(theme.symbols.warning, problem, inner)).map((line) => theme.paint.error(line));
}

/** The input control of the focused field. */
interface ControlLines {
  readonly lines: readonly string[];
  /** The line that must be visible, and the cursor's position in it. */
  readonly at: number;
  readonly column?: number;
}

/** Returns the edited text, or the options around the cursor, on at most `rows` lines of `theme.columns` columns. */
function controlOf(field: Field, input: Input, {rows, theme}: {rows: number; theme: Theme}): ControlLines {
  if (input.kind === 'text') return textControl(field, input, theme);
  if (input.kind === 'list') return listControl(field, input, {rows, theme});
  return {lines: [], at: 0};
}

function textControl(field: Field, {draft}: TextInput, theme: Theme): ControlLines {
  const {columns, paint} = theme;
  const shown = field.secret ? masked(draft) : unhidden(draft);
  const layout = layoutDraft(shown, columns);
  const lines = layout.rows.map((row) =>
    markEscapes(
      rowPieces(shown, row, columns)
        .map(({text}) => text)
        .join(''),
      theme,
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

function listControl(
  field: Field,
  input: ListInput,
  {rows, theme}: {rows: number; theme: Theme},
): ControlLines {
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

/** Returns the title of a request, and who asks. An agent can have any name, so the title itself marks it as an agent's, even if the screen cuts the rest. */
export function headingOf(
  {request: {asker, isForNone}, agentName, others}: ShownRequest<PendingElicitation>,
  question: string,
) {
  const isOwn = asker !== undefined;
  const words = [...(isForNone ? ['for any session'] : []), ...(isOwn ? [] : [sanitizeLine(agentName)])];
  return {title: isOwn ? `${asker} asks` : question, aside: asideOf(words, others), isOwn};
}

/** Returns the rows of the question and its tool call in full. */
export const rowsOfAsked = cacheRows(function rowsOfAsked(
  request: PendingElicitation,
  theme: Theme,
  entry: ToolCallEntry | undefined,
): readonly string[] {
  const {paint} = theme;
  const inner = narrow(theme);
  const call = entry === undefined ? [] : rowsOfExact(`For: ${onOneLine(entry.title)}`, inner);
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
