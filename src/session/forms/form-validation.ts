import {escapeHiddenLine} from '../../text/hidden.ts';
import type {ChoicesField, Field, FieldValue, NumberField, TextField, TextFormat} from './form-schema.ts';
import {pluralize} from '../../text/format.ts';

/**
 * Returns the problem of an answer as a sentence; undefined if it is valid. JSON Schema applies, except that required text
 * must not be empty, and that patterns are checked elsewhere: see `TextField`.
 */
export function problemOf(field: Field, value: FieldValue | undefined): string | undefined {
  if (value === undefined) return field.required ? 'Required' : undefined;
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

const WRONG_TYPE = 'Not an allowed value';

function textProblem({minLength = 0, maxLength = Infinity, format}: TextField, value: string) {
  const length = Array.from(value).length;
  if (length < minLength) return `At least ${characters(minLength)} (now ${length})`;
  if (length > maxLength) return `At most ${characters(maxLength)} (now ${length})`;
  if (format !== undefined && !formats[format].fits(value)) return `Must be ${formats[format].words}`;
  return undefined;
}

function numberProblem({integer, minimum, maximum}: NumberField, value: number): string | undefined {
  if (integer && !Number.isInteger(value)) return 'Must be a whole number';
  if (minimum !== undefined && value < minimum) return `Must be at least ${minimum}`;
  if (maximum !== undefined && value > maximum) return `Must be at most ${maximum}`;
  return undefined;
}

function choicesProblem(
  {options, minItems = 0, maxItems = Infinity}: ChoicesField,
  value: readonly unknown[],
) {
  if (!value.every((chosen) => options.some((option) => option.value === chosen))) return WRONG_TYPE;
  if (value.length < minItems) return `Select at least ${minItems} (now ${value.length})`;
  if (value.length > maxItems) return `Select at most ${maxItems} (now ${value.length})`;
  return undefined;
}

const NUMBER = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i;

/** Returns the number in a text, or an error message if it is not a number, or cannot be sent exactly. */
export function readNumber(text: string): number | {readonly problem: string} {
  const written = text.trim();
  if (!NUMBER.test(written)) return {problem: 'Must be a number'};
  const value = Number(written);
  const isRounded = Number.isInteger(value) && !Number.isSafeInteger(value) && !/e/i.test(written);
  return Number.isFinite(value) && !isRounded ? value : {problem: 'Too large to send exactly'};
}

interface Format {
  readonly fits: (text: string) => boolean;
  /** Describes the expected input. */
  readonly words: string;
}

/** The formats of texts ("Elicitation", string schema). All expressions run in linear time. */
const formats: Readonly<Record<TextFormat, Format>> = {
  email: {fits: isEmail, words: 'an email address'},
  uri: {fits: isUri, words: 'a URL with its scheme, such as https://example.com'},
  date: {fits: isDate, words: 'a date, such as 2026-01-31'},
  'date-time': {fits: isDateTime, words: 'a date and time, such as 2026-01-31T18:30:00Z'},
};

const LOCAL_PART = /^[\w!#$%&'*+/=?^`{|}~.-]{1,64}$/;
const LABEL = /^[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?$/i;

function isEmail(text: string): boolean {
  const at = text.lastIndexOf('@');
  const [local, host] = [text.slice(0, Math.max(0, at)), text.slice(at + 1)];
  if (!LOCAL_PART.test(local) || local.split('.').includes('')) return false;
  return host.includes('.') && host.split('.').every((label) => LABEL.test(label));
}

/** RFC 3986: absolute, with allowed characters only. */
function isUri(text: string): boolean {
  return (
    /^[a-z][a-z\d+.-]*:[\w!$%&'()*+,./:;=?@~#[\]-]+$/i.test(text) &&
    !/%(?![\da-f]{2})/i.test(text) &&
    URL.canParse(text)
  );
}

const DATE = /^(\d{4})-(\d\d)-(\d\d)$/;

function isDate(text: string): boolean {
  const [, year = '', month = '', day = ''] = DATE.exec(text) ?? [];
  const date = new Date(0);
  date.setUTCFullYear(Number(year), Number(month) - 1, Number(day));
  return (
    year !== '' &&
    Number(month) >= 1 &&
    date.getUTCMonth() === Number(month) - 1 &&
    date.getUTCDate() === Number(day)
  );
}

const DATE_TIME = /^([\d-]{10})t(\d\d):(\d\d):(\d\d)(?:\.\d+)?(?:z|([+-])(\d\d):(\d\d))$/i;

/** RFC 3339. A leap second is only valid as the last second of a day in UTC. */
function isDateTime(text: string): boolean {
  const [, date = '', ...rest] = DATE_TIME.exec(text) ?? [];
  const [hour = 0, minute = 0, second = 0, , zoneHour = 0, zoneMinute = 0] = rest.map((part) =>
    Number(part ?? 0),
  );
  if (!isDate(date) || hour > 23 || minute > 59 || second > 60 || zoneHour > 23 || zoneMinute > 59)
    return false;
  const sign = rest[3] === '-' ? -1 : 1;
  const utc = (hour * 60 + minute - sign * (zoneHour * 60 + zoneMinute) + 2 * 1440) % 1440;
  return second < 60 || utc === 1439;
}

/** Returns the constraints of a field: `3 to 50 characters`; empty if there are none. */
export function describeConstraints(field: Field): string {
  switch (field.type) {
    case 'text': {
      const {minLength, maxLength, format, pattern} = field;
      return [
        format === undefined ? '' : formats[format].words,
        range(minLength || undefined, maxLength, characters),
        pattern === undefined ? '' : `matches the pattern ${escapeHiddenLine(pattern)}`,
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

/** Returns a question with its answer, in one line. */
export function questionWithAnswer(label: string, answer: string): string {
  return `${label}${/[?:.!\u2026]$/.test(label) ? '' : ':'} ${answer}`.trimEnd();
}

/** Returns an answer for display: the labels of the selected options. */
export function formatAnswer(field: Field, value: FieldValue): string {
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  const labelOf = (chosen: string) =>
    'options' in field ? (field.options.find((option) => option.value === chosen)?.label ?? chosen) : chosen;
  if (typeof value === 'string') return labelOf(value);
  return typeof value === 'number' ? String(value) : value.map(labelOf).join(', ') || '(none)';
}

function characters(count: number): string {
  return pluralize(count, 'character');
}
