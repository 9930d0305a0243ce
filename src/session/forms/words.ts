import {escapeHiddenLine} from '../../text/hidden.ts';
import type {Field, FieldValue} from './fields.ts';
import {formats} from './formats.ts';

/** What may be answered, in words: `3 to 50 characters`; empty where anything may. */
export function constraintWords(field: Field): string {
  switch (field.type) {
    case 'text': {
      const {minLength, maxLength, format, pattern} = field;
      return [
        format === undefined ? '' : formats[format].words,
        range(minLength || undefined, maxLength, characters),
        pattern === undefined ? '' : `fits the pattern ${escapeHiddenLine(pattern)}`,
      ]
        .filter(Boolean)
        .join(', ');
    }
    case 'number': {
      const {integer, minimum, maximum} = field;
      return [integer ? 'a whole number' : 'a number', range(minimum, maximum, String)]
        .filter(Boolean)
        .join(', ');
    }
    case 'choices': {
      const {minItems, maxItems, options} = field;
      const most = maxItems === undefined || maxItems >= options.length ? undefined : maxItems;
      return ['any of these', range(minItems || undefined, most, String)].filter(Boolean).join(', ');
    }
    case 'choice':
      return 'one of these';
    case 'boolean':
    case 'unknown':
      return '';
  }
}

function range(
  least: number | undefined,
  most: number | undefined,
  count: (number: number) => string,
): string {
  if (least !== undefined && most !== undefined)
    return least === most ? `exactly ${count(most)}` : `${least} to ${count(most)}`;
  if (least !== undefined) return `at least ${count(least)}`;
  return most === undefined ? '' : `at most ${count(most)}`;
}

export function characters(count: number): string {
  return count === 1 ? '1 character' : `${count} characters`;
}

/** A question with its answer, in one line. */
export function answered(label: string, answer: string): string {
  return `${label}${/[?:.!\u2026]$/.test(label) ? '' : ':'} ${answer}`.trimEnd();
}

/** An answer as it is shown: the labels of what was chosen. */
export function answerWords(field: Field, value: FieldValue): string {
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  const labelOf = (chosen: string) =>
    'options' in field ? (field.options.find((option) => option.value === chosen)?.label ?? chosen) : chosen;
  if (typeof value === 'string') return labelOf(value);
  return typeof value === 'number' ? String(value) : value.map(labelOf).join(', ') || '(none)';
}
