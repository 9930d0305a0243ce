import type * as acp from '@agentclientprotocol/sdk/unstable';
import {
  isFreeAnswer,
  type ChoiceField,
  type Field,
  type FieldValue,
  type FormContent,
} from '../../session/forms/form-schema.ts';
import {problemOf, questionWithAnswer} from '../../session/forms/form-validation.ts';
import type {PendingForm} from '../../session/state.ts';
import {isJsonObject} from '../../text/json.ts';

/** Returns the schema of a form ("Elicitation", restricted JSON Schema); undefined if one of its fields can only be filled in by a window. */
export function formSchema({title, description, fields}: PendingForm): acp.ElicitationSchema | undefined {
  if (fields.some((field) => field.type === 'unknown' || ('secret' in field && field.secret)))
    return undefined;
  const properties = Object.fromEntries(fields.map((field) => [field.id, propertyOf(field)]));
  const required = fields.filter((field) => field.required).map(({id}) => id);
  return {type: 'object', ...defined({title, description}), properties, required} as acp.ElicitationSchema;
}

function propertyOf(field: Field): object {
  const {label: title, description} = field;
  const base = {title, ...(description !== undefined && {description})};
  switch (field.type) {
    case 'text': {
      const {minLength, maxLength, pattern, format, default: preset} = field;
      return {...base, type: 'string', ...defined({minLength, maxLength, pattern, format, default: preset})};
    }
    case 'number': {
      const {integer, minimum, maximum, default: preset} = field;
      return {...base, type: integer ? 'integer' : 'number', ...defined({minimum, maximum, default: preset})};
    }
    case 'boolean':
      return {...base, type: 'boolean', ...defined({default: field.default})};
    case 'choice': {
      const preset = field.default === undefined ? undefined : field.options[field.default]?.value;
      return {...base, type: 'string', oneOf: choicesOf(field), ...defined({default: preset})};
    }
    case 'choices': {
      const {minItems, maxItems, options} = field;
      const preset = field.default.flatMap((index) => options[index]?.value ?? []);
      const items = {anyOf: choicesOf(field)};
      return {...base, type: 'array', items, default: preset, ...defined({minItems, maxItems})};
    }
    case 'unknown':
      return base;
  }
}

function choicesOf({options}: Extract<Field, {readonly type: 'choice' | 'choices'}>): readonly object[] {
  return options.map(({value, label, description}) => ({
    const: value,
    title: label,
    ...(description !== undefined && {description}),
  }));
}

function defined(values: Readonly<Record<string, unknown>>): object {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined));
}

/** Returns the field of a form that asks for one choice, beside which another answer may be typed. */
export function onlyChoice(fields: readonly Field[]): ChoiceField | undefined {
  const [field, ...others] = fields.filter((_, index) => !isFreeAnswer(fields, index));
  return field?.type === 'choice' && others.length === 0 ? field : undefined;
}

/** Returns an editor's answer to a form, or a line about each field that is not valid. */
export function formAnswer(
  fields: readonly Field[],
  content: unknown,
): {readonly content: FormContent} | {readonly problem: string} {
  const filled = isJsonObject(content) ? content : {};
  const given = fields.flatMap((field) => {
    const value = Object.hasOwn(filled, field.id) ? filled[field.id] : undefined;
    return value === undefined || value === null ? [] : [[field.id, value as FieldValue] as const];
  });
  const answer = Object.fromEntries(given);
  const problems = fields.flatMap((field) => {
    const problem = problemOf(field, answer[field.id]);
    return problem === undefined ? [] : questionWithAnswer(field.label, problem);
  });
  return problems.length === 0 ? {content: answer} : {problem: problems.join('\n')};
}
