import {problemOf, readNumber} from '../../session/forms/check.ts';
import type {Field, FieldValue, FormContent} from '../../session/forms/fields.ts';
import {draftText} from '../prompt/draft.ts';
import type {FormState, Input} from './form.ts';

/** What a form answers, or what is wrong with it by field id. Patterns are not tried here, see `TextField`. */
export type Answers =
  | {readonly ok: true; readonly content: FormContent}
  | {readonly ok: false; readonly problems: ReadonlyMap<string, string>};

/** Reads a form as it is filled in. What is optional and was left empty is left out. */
export function readAnswers({fields, inputs}: Pick<FormState, 'fields' | 'inputs'>): Answers {
  const problems = new Map<string, string>();
  const content: [string, FieldValue][] = [];
  for (const [index, field] of fields.entries()) {
    const {value, problem} = readField(field, inputs[index] ?? {kind: 'none'});
    if (problem !== undefined) problems.set(field.id, problem);
    else if (value !== undefined) content.push([field.id, value]);
  }
  return problems.size > 0 ? {ok: false, problems} : {ok: true, content: Object.fromEntries(content)};
}

/** What is wrong with a field as it is filled in; undefined when it can be sent so. */
export function checkField(field: Field, input: Input): string | undefined {
  return readField(field, input).problem;
}

interface Read {
  readonly value: FieldValue | undefined;
  readonly problem: string | undefined;
}

function readField(field: Field, input: Input): Read {
  const written = valueOf(field, input);
  if (typeof written === 'object' && 'problem' in written)
    return {value: undefined, problem: written.problem};
  return {value: written, problem: problemOf(field, written)};
}

function valueOf(field: Field, input: Input): FieldValue | undefined | {readonly problem: string} {
  switch (field.type) {
    case 'text':
      return input.kind === 'text' ? draftText(input.draft) || undefined : undefined;
    case 'number': {
      const text = input.kind === 'text' ? draftText(input.draft) : '';
      return text.trim() === '' ? undefined : readNumber(text);
    }
    case 'boolean':
      return input.kind === 'list' && input.chosen.length > 0 ? input.chosen[0] === 0 : undefined;
    case 'choice':
      return input.kind === 'list' ? field.options[input.chosen[0] ?? -1]?.value : undefined;
    case 'choices': {
      const chosen = input.kind === 'list' ? input.chosen : [];
      const values = chosen.flatMap((index) => field.options[index]?.value ?? []);
      return values.length === 0 && !field.required ? undefined : values;
    }
    case 'unknown':
      return undefined;
  }
}
