import {escapeHidden, escapeHiddenLine} from '../../text/hidden.ts';
import {isJsonObject, type JsonObject} from '../../text/json.ts';

type Base = Pick<Field, 'id' | 'label' | 'description' | 'required'>;

/**
 * Returns the fields of a `requestedSchema` ("Elicitation", restricted JSON Schema), in its order. Never throws: a property of an unknown kind, or invalid for
 * its kind, becomes a field of type `unknown`. Constraints of a wrong type are ignored. Also reads `enumNames` from older MCP schemas.
 */
export function readFields(schema: unknown): readonly Field[] {
  const {properties, required} = isJsonObject(schema) ? schema : {};
  const names = new Set(Array.isArray(required) ? required.filter(isText) : []);
  const described = Object.entries(isJsonObject(properties) ? properties : {});
  const known = new Set(described.map(([name]) => name));
  const undescribed = [...names].filter((name) => !known.has(name));
  const fields = [...described, ...undescribed.map((name) => [name, undefined] as const)].map(
    ([id, property]) => readField(id, property, names.has(id)),
  );
  return fields.map((field, index) => (isFreeAnswer(fields, index) ? withLabel(field) : field));
}

function withLabel(field: Field): Field {
  return field.label === field.id ? {...field, label: 'Other'} : field;
}

function readField(id: string, property: unknown, required: boolean): Field {
  const schema = isJsonObject(property) ? property : {};
  const label = escapeHiddenLine(text(schema['title'])?.trim() ?? '') || escapeHiddenLine(id) || '(unnamed)';
  const description = escapeHidden(text(schema['description']) ?? '').trim() || undefined;
  const base: Base = {id, label, description, required};
  return knownField(base, schema) ?? {...base, type: 'unknown', kind: kindOf(property)};
}

function knownField(base: Base, schema: JsonObject): Field | undefined {
  switch (schema['type'] ?? (hasChoices(schema) ? 'string' : undefined)) {
    case 'string':
      return hasChoices(schema) ? choiceField(base, schema) : textField(base, schema);
    case 'number':
    case 'integer':
      return numberField(base, schema);
    case 'boolean':
      return {...base, type: 'boolean', default: typed(schema['default'], 'boolean')};
    case 'array':
      return choicesField(base, schema);
    default:
      return undefined;
  }
}

function textField(base: Base, schema: JsonObject): Field {
  const format = TEXT_FORMATS.find((format) => format === schema['format']);
  return {
    ...base,
    type: 'text',
    minLength: count(schema['minLength']),
    maxLength: count(schema['maxLength']),
    pattern: text(schema['pattern']),
    format,
    default: exactDefault(schema),
    ...secrecyOf(base, schema),
  };
}

/** What is shown must be what is sent. */
function exactDefault(schema: JsonObject): string | undefined {
  const value = text(schema['default']);
  return value === undefined ? undefined : escapeHidden(value);
}

function numberField(base: Base, schema: JsonObject): Field {
  return {
    ...base,
    type: 'number',
    integer: schema['type'] === 'integer',
    minimum: number(schema['minimum']),
    maximum: number(schema['maximum']),
    default: number(schema['default']),
    ...secrecyOf(base, schema),
  };
}

function choiceField(base: Base, schema: JsonObject): Field | undefined {
  const options = readOptions(schema);
  if (options.length === 0) return undefined;
  const chosen = options.findIndex(({value}) => value === schema['default']);
  return {...base, type: 'choice', options, default: chosen === -1 ? undefined : chosen};
}

function choicesField(base: Base, schema: JsonObject): Field | undefined {
  const {items} = schema;
  if (!isJsonObject(items) || !['string', undefined].includes(items['type'] as string | undefined))
    return undefined;
  const options = readOptions(items);
  if (options.length === 0) return undefined;
  const chosen = new Set<unknown>(Array.isArray(schema['default']) ? schema['default'] : []);
  return {
    ...base,
    type: 'choices',
    options,
    minItems: count(schema['minItems']),
    maxItems: count(schema['maxItems']),
    default: options.flatMap(({value}, index) => (chosen.has(value) ? [index] : [])),
  };
}

const LISTS = ['enum', 'oneOf', 'anyOf'] as const;

function hasChoices(schema: JsonObject): boolean {
  return LISTS.some((list) => Array.isArray(schema[list]));
}

/** Returns the values that all lists in the schema allow; none if one of them is not a list of strings. */
function readOptions(schema: JsonObject): readonly ChoiceOption[] {
  const lists = LISTS.flatMap((list) => (Array.isArray(schema[list]) ? [schema[list] as unknown[]] : []));
  const names = Array.isArray(schema['enumNames']) ? schema['enumNames'] : [];
  const read = lists.map((list) => list.map((option, index) => readOption(option, names[index])));
  const [first = [], ...others] = read.toReversed();
  if (read.flat().includes(undefined)) return [];
  const allowed = others.map((list) => new Set(list.map((other) => other?.value)));
  const values = new Set<string>();
  return first.flatMap((option) => {
    if (!option || values.has(option.value)) return [];
    if (!allowed.every((list) => list.has(option.value))) return [];
    values.add(option.value);
    return [{...option, id: String(values.size - 1)}];
  });
}

function readOption(option: unknown, name: unknown): Omit<ChoiceOption, 'id'> | undefined {
  const value = isJsonObject(option) ? option['const'] : option;
  if (typeof value !== 'string') return undefined;
  const {title, description} = isJsonObject(option) ? option : {title: name};
  return {
    value,
    label: escapeHiddenLine(text(title)?.trim() ?? '') || escapeHiddenLine(value) || '(empty)',
    description: escapeHiddenLine(text(description) ?? '') || undefined,
  };
}

/** "Agents MUST NOT use form mode to request passwords, API keys, credentials": some do anyway. */
const SECRETS =
  /pass(?:word|phrase|code|wd)|secret|credential|api.?key|private.?key|access.?key|\btoken\b|[a-z]_?token\b|\bpin\b/i;

function secrecyOf(base: Base, schema: JsonObject): Pick<Field, 'secret' | 'looksSecret'> {
  const isSecret = isMarkedSecret(schema['_meta']);
  return {...((looksSecret(base) || isSecret) && {looksSecret: true}), ...(isSecret && {secret: true})};
}

function looksSecret({id, label, description}: Base): boolean {
  return [id, label, description ?? ''].some((words) => SECRETS.test(words));
}

/** Codex marks secret fields in its own part of `_meta`. */
function isMarkedSecret(meta: unknown): boolean {
  return (
    isJsonObject(meta) &&
    Object.values(meta).some((corner) => isJsonObject(corner) && corner['isSecret'] === true)
  );
}

function kindOf(property: unknown): string {
  if (!isJsonObject(property)) return 'not described';
  const {type} = property;
  if (typeof type !== 'string') return type === undefined ? 'without a type' : 'of several types';
  return escapeHiddenLine(type);
}

function isText(value: unknown): value is string {
  return typeof value === 'string';
}

function text(value: unknown): string | undefined {
  return isText(value) ? value : undefined;
}

function number(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined;
}

function count(value: unknown): number | undefined {
  const found = number(value);
  return found !== undefined && found >= 0 ? found : undefined;
}

function typed(value: unknown, type: 'boolean'): boolean | undefined {
  return typeof value === type ? (value as boolean) : undefined;
}

/** A value of a property ("Elicitation", user response). */
export type FieldValue = string | number | boolean | readonly string[];

/** The answers of a form by property; always own properties, whatever their names. */
export type FormContent = Readonly<Record<string, FieldValue>>;

/** A property of a form's schema. Labels and descriptions are sanitized; ids and values are unchanged. */
export type Field =
  | TextField
  | NumberField
  | BooleanField
  | ChoiceField
  | ChoicesField
  /** A field of unknown type: listed, but without a control. */
  | (FieldBase & {readonly type: 'unknown'; readonly kind: string});

interface FieldBase {
  /** The property's name, returned unchanged and never displayed. */
  readonly id: string;
  readonly label: string;
  readonly description: string | undefined;
  readonly required: boolean;
  /** The input is masked and never stored. */
  readonly secret?: boolean;
  /** The field looks like a password or key: the user is warned, and the value is not stored. */
  readonly looksSecret?: boolean;
}

const TEXT_FORMATS = ['email', 'uri', 'date', 'date-time'] as const;
export type TextFormat = (typeof TEXT_FORMATS)[number];

export interface TextField extends FieldBase {
  readonly type: 'text';
  /** In code points. */
  readonly minLength: number | undefined;
  readonly maxLength: number | undefined;
  /** An ECMA-262 regular expression from the agent: evaluate it only with a time limit. */
  readonly pattern: string | undefined;
  readonly format: TextFormat | undefined;
  readonly default: string | undefined;
}

export interface NumberField extends FieldBase {
  readonly type: 'number';
  readonly integer: boolean;
  readonly minimum: number | undefined;
  readonly maximum: number | undefined;
  readonly default: number | undefined;
}

interface BooleanField extends FieldBase {
  readonly type: 'boolean';
  readonly default: boolean | undefined;
}

/** An option of a choice; `id` is its index. */
export interface ChoiceOption {
  readonly id: string;
  /** Returned unchanged. */
  readonly value: string;
  readonly label: string;
  readonly description: string | undefined;
}

/** Allows one option. */
export interface ChoiceField extends FieldBase {
  readonly type: 'choice';
  readonly options: readonly ChoiceOption[];
  /** An index. */
  readonly default: number | undefined;
}

/** Allows several options. */
export interface ChoicesField extends FieldBase {
  readonly type: 'choices';
  readonly options: readonly ChoiceOption[];
  readonly minItems: number | undefined;
  readonly maxItems: number | undefined;
  /** Indices. */
  readonly default: readonly number[];
}

/** A text field for acp-tui's own forms, such as sign-in values. */
export function newTextField(
  field: Pick<TextField, 'id' | 'label'> & Partial<Omit<TextField, 'type'>>,
): TextField {
  return {
    type: 'text',
    description: undefined,
    required: true,
    minLength: undefined,
    maxLength: undefined,
    pattern: undefined,
    format: undefined,
    default: undefined,
    ...field,
  };
}

/** True if the answer may be shown again and stored. */
export function mayStoreAnswer({secret, looksSecret}: Field): boolean {
  return !secret && !looksSecret;
}

/** True for an optional text after a choice, for an answer of one's own: agents name it after the choice (`color`, `color_other`). */
export function isFreeAnswer(fields: readonly Field[], index: number): boolean {
  const [choice, field] = [fields[index - 1], fields[index]];
  return (
    choice !== undefined &&
    choice.type.startsWith('choice') &&
    field?.type === 'text' &&
    !field.required &&
    field.id.startsWith(`${choice.id}_`)
  );
}

/** True if no input can answer the form: it can only be declined. */
export function isUnanswerable(fields: readonly Field[]): boolean {
  return fields.some((field) => field.type === 'unknown' && field.required);
}
