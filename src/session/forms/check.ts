import type {ChoicesField, Field, FieldValue, NumberField, TextField} from './fields.ts';
import {formats} from './formats.ts';
import {characters} from './words.ts';

/**
 * What is wrong with an answer, in a sentence for the user; undefined when it can be sent. What JSON Schema says, except that
 * something required must not be empty, and that patterns are not tried here: see `TextField`.
 */
export function problemOf(field: Field, value: FieldValue | undefined): string | undefined {
  if (value === undefined) return field.required ? 'This has to be answered.' : undefined;
  switch (field.type) {
    case 'text':
      return typeof value === 'string' ? textProblem(field, value) : WRONG_TYPE;
    case 'number':
      return typeof value === 'number' ? numberProblem(field, value) : WRONG_TYPE;
    case 'boolean':
      return typeof value === 'boolean' ? undefined : WRONG_TYPE;
    case 'choice':
      return field.options.some((option) => option.value === value) ? undefined : WRONG_TYPE;
    case 'choices':
      return Array.isArray(value) ? choicesProblem(field, value) : WRONG_TYPE;
    case 'unknown':
      return WRONG_TYPE;
  }
}

const WRONG_TYPE = 'This is none of the possible answers.';

function textProblem({minLength = 0, maxLength = Infinity, format}: TextField, value: string) {
  const length = Array.from(value).length;
  if (length < minLength) return `Too short: ${length} of at least ${characters(minLength)}.`;
  if (length > maxLength) return `Too long: ${length} of at most ${characters(maxLength)}.`;
  if (format !== undefined && !formats[format].fits(value)) return `This is not ${formats[format].words}.`;
  return undefined;
}

function numberProblem({integer, minimum, maximum}: NumberField, value: number): string | undefined {
  if (integer && !Number.isInteger(value)) return 'This has to be a whole number.';
  if (minimum !== undefined && value < minimum) return `Too small: at least ${minimum}.`;
  if (maximum !== undefined && value > maximum) return `Too large: at most ${maximum}.`;
  return undefined;
}

function choicesProblem(
  {options, minItems = 0, maxItems = Infinity}: ChoicesField,
  value: readonly unknown[],
) {
  if (!value.every((chosen) => options.some((option) => option.value === chosen))) return WRONG_TYPE;
  if (value.length < minItems) return `Too few: ${value.length} of at least ${minItems}.`;
  if (value.length > maxItems) return `Too many: ${value.length} of at most ${maxItems}.`;
  return undefined;
}

const NUMBER = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i;

/** The number that is written in a text; a sentence where it is none, or none that can be sent as it stands there. */
export function readNumber(text: string): number | {readonly problem: string} {
  const written = text.trim();
  if (!NUMBER.test(written)) return {problem: 'This is not a number.'};
  const value = Number(written);
  const isRounded = Number.isInteger(value) && !Number.isSafeInteger(value) && !/e/i.test(written);
  return Number.isFinite(value) && !isRounded
    ? value
    : {problem: 'This number is too large to be sent exactly.'};
}
