import {optionsOf, type Input} from '../../src/app/forms/form.ts';
import type {Field} from '../../src/session/forms/fields.ts';
import {answered, constraintWords} from '../../src/session/forms/words.ts';
import {sanitize, sanitizeLine} from '../../src/text/sanitize.ts';
import {truncate} from '../../src/text/truncate.ts';
import {graphemes, width} from '../../src/text/width.ts';
import {wrap} from '../../src/text/wrap.ts';
import type {Draw} from '../draw/draw.ts';
import {hanging, indent} from '../draw/lines.ts';
import {controlDraw, drawControl} from './control-lines.ts';

/** A field as it is filled in. */
export interface FieldView {
  readonly field: Field;
  readonly input: Input;
  readonly problem: string | undefined;
}

/** A field as lines; `at` is the one that has to be seen, `column` where the cursor stands in it. */
export interface FieldLines {
  readonly lines: readonly string[];
  readonly at: number;
  readonly column?: number;
}

/** A field that has not the keyboard, in one line and what is wrong with it. */
export function drawClosedField({field, input, problem}: FieldView, draw: Draw): readonly string[] {
  const {columns, paint} = draw;
  const answer = answerOf(field, input);
  const room = Math.max(columns - width(answer) - 4, Math.floor(columns / 2));
  const line = truncate(`  ${answered(truncate(nameOf(field), room), answer)}`, columns);
  return [answer === '' ? paint.dim(line) : line, ...drawProblem(problem, draw)];
}

/** A field that has the keyboard: what is asked, how it is filled in, what may be answered, what is wrong. */
export function drawOpenField({field, input, problem}: FieldView, rows: number, draw: Draw): FieldLines {
  const {paint, signs} = draw;
  const inner = controlDraw(draw);
  const dim = (text: string) => wrap(text, inner.columns).map((line) => paint.dim(line));
  const name = hanging(signs.selected, nameOf(field), draw).map((line) => paint.accent(paint.bold(line)));
  const description = field.description === undefined ? [] : dim(sanitize(field.description));
  const warning = field.looksSecret ? wrap(SECRET, inner.columns).map((line) => paint.warning(line)) : [];
  const control = drawControl(field, input, {rows, draw: inner});
  const constraints = constraintWords(field);
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
  'Do not type a password or a key here: the agent gets what you type. It is not kept in this conversation.';

function nameOf({label, required, type}: Field): string {
  const name = sanitizeLine(label);
  if (type === 'unknown')
    return `${name} (${required ? 'required' : 'optional'}, of a kind that cannot be answered here)`;
  return required ? `${name} (required)` : name;
}

/** No line is longer, in UTF-16 units. */
const LONGEST_SHOWN = 1000;

function answerOf(field: Field, input: Input): string {
  if (input.kind === 'none') return field.type === 'unknown' ? sanitizeLine(field.kind) : '';
  if (input.kind === 'text') {
    const {text} = input.draft;
    const begin = text.slice(0, LONGEST_SHOWN);
    return field.secret ? '*'.repeat(graphemes(begin).length) : sanitizeLine(begin);
  }
  return input.chosen.map((index) => optionsOf(field)[index]?.label ?? '').join(', ');
}

function drawProblem(problem: string | undefined, draw: Draw): string[] {
  if (problem === undefined) return [];
  const inner = controlDraw(draw);
  return indent(hanging(draw.signs.warning, problem, inner)).map((line) => draw.paint.error(line));
}
