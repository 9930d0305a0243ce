import {fieldColumns} from '../../src/app/forms/columns.ts';
import {
  hasFilter,
  optionsOf,
  visibleOptions,
  type Input,
  type ListInput,
  type TextInput,
} from '../../src/app/forms/form.ts';
import {draftOf, type Draft} from '../../src/app/prompt/draft.ts';
import {layoutDraft, rowPieces} from '../../src/app/prompt/layout.ts';
import type {Field} from '../../src/session/forms/fields.ts';
import {truncate} from '../../src/text/truncate.ts';
import {graphemes} from '../../src/text/width.ts';
import type {Draw} from '../draw/draw.ts';
import {hanging} from '../draw/lines.ts';
import {windowAround} from '../draw/window.ts';

/** What is filled into a field, drawn while the field has the keyboard. */
export interface ControlLines {
  readonly lines: readonly string[];
  /** The line that has to be seen, and where the cursor stands in it. */
  readonly at: number;
  readonly column?: number;
}

/** The text as it is edited, or the options around the cursor, on at most `rows` lines of `draw.columns` columns. */
export function drawControl(
  field: Field,
  input: Input,
  {rows, draw}: {rows: number; draw: Draw},
): ControlLines {
  if (input.kind === 'text') return drawText(field, input, draw);
  if (input.kind === 'list') return drawList(field, input, {rows, draw});
  return {lines: [], at: 0};
}

function drawText(field: Field, {draft}: TextInput, {columns, paint}: Draw): ControlLines {
  const shown = field.secret ? masked(draft) : draft;
  const layout = layoutDraft(shown, columns);
  const lines = layout.rows.map((row) =>
    rowPieces(shown, row, columns)
      .map(({text}) => text)
      .join(''),
  );
  const empty = [paint.dim(truncate('(type the answer)', columns))];
  return {lines: draft.text === '' ? empty : lines, at: layout.caret.row, column: layout.caret.column};
}

/** A sign for each character, so that nobody who looks on reads it. */
function masked({text, caret}: Draft): Draft {
  const before = graphemes(text.slice(0, caret)).length;
  return {...draftOf('*'.repeat(graphemes(text).length)), caret: before};
}

function drawList(field: Field, input: ListInput, {rows, draw}: {rows: number; draw: Draw}): ControlLines {
  const {paint, columns, signs} = draw;
  const options = visibleOptions(field, input);
  const {from, to} = windowAround(input.cursor, options.length, rows);
  const several = field.type === 'choices';
  const lines = options.slice(from, to).flatMap((option, index) => {
    const isHere = from + index === input.cursor;
    const mark = markOf(input.chosen.includes(Number(option.id)), several);
    const number = hasFilter(field) ? '' : `${Number(option.id) + 1}. `;
    const words = [option.label, option.description].filter((part) => part !== undefined).join(' - ');
    if (!isHere) return truncate(`  ${mark} ${number}${words}`, columns);
    // The one that would be taken, with all that is said of it.
    return hanging(signs.selected, `${mark} ${number}${words}`, draw).map((line) => paint.selected(line));
  });
  const head = headOf(field, input, {shown: options.length, draw});
  return {
    lines: [...head, ...(lines.length > 0 ? lines : [paint.dim('Nothing matches')])],
    at: head.length + Math.max(0, input.cursor - from),
  };
}

function markOf(isChosen: boolean, several: boolean): string {
  if (several) return isChosen ? '[x]' : '[ ]';
  return isChosen ? '(x)' : '( )';
}

/** What a long list is searched for. */
function headOf(field: Field, {filter}: ListInput, {shown, draw}: {shown: number; draw: Draw}): string[] {
  if (!hasFilter(field)) return [];
  const all = optionsOf(field).length;
  const words = filter === '' ? `${all} choices, type to find one` : `Find: ${filter} (${shown} of ${all})`;
  return [draw.paint.dim(truncate(words, draw.columns))];
}

/** The width that a control is drawn in. */
export function controlDraw(draw: Draw): Draw {
  return {...draw, columns: fieldColumns(draw.columns)};
}
