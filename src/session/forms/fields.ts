/** What can be sent for a property ("Elicitation", user response). */
export type FieldValue = string | number | boolean | readonly string[];

/** The answers of a form by property. An own property each, whatever its name is. */
export type FormContent = Readonly<Record<string, FieldValue>>;

/** One property of a form's schema, as it is asked for. Labels and descriptions are clean; ids and values are the agent's own. */
export type Field =
  | TextField
  | NumberField
  | BooleanField
  | ChoiceField
  | ChoicesField
  /** Of a kind that we do not know: told, and never drawn as a control. */
  | (FieldBase & {readonly type: 'unknown'; readonly kind: string});

interface FieldBase {
  /** The property's name. Goes back as it came, and is not for display. */
  readonly id: string;
  readonly label: string;
  readonly description: string | undefined;
  readonly required: boolean;
  /** What is typed is masked, and never kept. */
  readonly secret?: boolean;
  /** The agent asks for what looks like a password or a key: told, and what is typed is not kept. */
  readonly looksSecret?: boolean;
}

export const TEXT_FORMATS = ['email', 'uri', 'date', 'date-time'] as const;
export type TextFormat = (typeof TEXT_FORMATS)[number];

export interface TextField extends FieldBase {
  readonly type: 'text';
  /** In code points. */
  readonly minLength: number | undefined;
  readonly maxLength: number | undefined;
  /** A regular expression of ECMA-262. It is the agent's: only what can be stopped may try it. */
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

export interface BooleanField extends FieldBase {
  readonly type: 'boolean';
  readonly default: boolean | undefined;
}

/** One of a choice; `id` is its place. */
export interface ChoiceOption {
  readonly id: string;
  /** Goes back as it came. */
  readonly value: string;
  readonly label: string;
  readonly description: string | undefined;
}

/** One of several. */
export interface ChoiceField extends FieldBase {
  readonly type: 'choice';
  readonly options: readonly ChoiceOption[];
  /** An index. */
  readonly default: number | undefined;
}

/** Any of several. */
export interface ChoicesField extends FieldBase {
  readonly type: 'choices';
  readonly options: readonly ChoiceOption[];
  readonly minItems: number | undefined;
  readonly maxItems: number | undefined;
  /** Indices. */
  readonly default: readonly number[];
}

/** A text of our own asking: what `auth` and its like need, without the rest of a schema. */
export function textField(
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

/** Whether what was answered may be shown again and stored. */
export function isKept({secret, looksSecret}: Field): boolean {
  return !secret && !looksSecret;
}

/** True when nothing that can be typed answers the form: it can only be declined. */
export function isUnanswerable(fields: readonly Field[]): boolean {
  return fields.some((field) => field.type === 'unknown' && field.required);
}
