import {
  isFreeAnswer,
  type Field,
  type FieldValue,
  type FormContent,
} from '../../session/forms/form-schema.ts';
import {problemOf, readNumber} from '../../session/forms/form-validation.ts';
import {type Draft, draftText} from '../editor/draft.ts';
import {buttonsOf, optionsOf, visibleOptions} from './form.ts';
import type {ListInput, Input, FormState} from './form-state.ts';

/** Focuses the next or previous field or button, and checks the field that is left. */
export function moveOn(form: FormState, by: 1 | -1): FormState {
  const count = form.fields.length + buttonsOf(form).length;
  return goTo(checkHere(form), (form.at + by + count) % count);
}

/** Focuses a field or button by index. */
export function goTo(form: FormState, at: number): FormState {
  return {...form, at, follows: true};
}

/** Shows the focused field's problem; an empty field is not reported yet. */
function checkHere(form: FormState): FormState {
  const {fields, inputs, at} = form;
  const [field, input] = [fields[at], inputs[at]];
  if (!field || !input || isEmpty(input)) return form;
  return {...form, problems: form.problems.with(at, checkField(field, input))};
}

function isEmpty(input: Input): boolean {
  return input.kind === 'text' ? input.draft.text === '' : input.kind === 'none' || input.chosen.length === 0;
}

/** Changes the text of the focused field, and clears its problem. */
export function withDraft(form: FormState, draft: Draft): FormState {
  return withInput(form, {kind: 'text', draft});
}

/** Moves the cursor of a list by a row; undefined at its edge. */
export function moveCursor(form: FormState, by: 1 | -1): FormState | undefined {
  const {field, input} = listAt(form);
  const cursor = (input?.cursor ?? 0) + by;
  if (!input || !field || cursor < 0 || cursor >= visibleOptions(field, input).length) return undefined;
  return {...withInput(form, {...input, cursor}), problems: form.problems};
}

/** Selects the option under the cursor; in a multiple choice, toggles it. */
export function chooseHere(form: FormState): FormState {
  const {field, input} = listAt(form);
  const option = field && input && visibleOptions(field, input)[input.cursor];
  return option === undefined ? form : choose(form, Number(option.id));
}

/** Selects an option by number, from 1; returns the same form if there is none. */
export function chooseNumber(form: FormState, number: number): FormState {
  const {field} = listAt(form);
  const option = field && optionsOf(field)[number - 1];
  return option === undefined ? form : choose(form, number - 1);
}

/** True if an option answers the whole form: besides the choice, it has at most an empty text for another answer. */
export function isOneChoice({fields, inputs, at}: FormState): boolean {
  return (
    fields[at]?.type === 'choice' &&
    fields.every((_, index) => index === at || (isFreeAnswer(fields, index) && isEmpty(inputs[index]!)))
  );
}

/** Selects the next or previous option; in a multiple choice, only moves the cursor. */
export function chooseNeighbor(form: FormState, by: 1 | -1): FormState {
  const moved = moveCursor(form, by);
  if (listAt(form).field?.type === 'choices') return moved ?? form;
  return chooseHere(moved ?? form);
}

function choose(form: FormState, index: number): FormState {
  const {field, input} = listAt(form);
  if (!field || !input) return form;
  const others = input.chosen.filter((other) => other !== index);
  const isPutBack = others.length < input.chosen.length;
  const several = isPutBack ? others : [...others, index].sort((one, other) => one - other);
  const chosen = field.type === 'choices' ? several : [index];
  const cursor = visibleOptions(field, input).findIndex(({id}) => Number(id) === index);
  return withInput(form, {...input, chosen, cursor: Math.max(0, cursor)});
}

/** Returns the form with the filter of a long list. */
export function withFilter(form: FormState, filter: string): FormState {
  const {input} = listAt(form);
  return input ? {...withInput(form, {...input, filter, cursor: 0}), problems: form.problems} : form;
}

/** Clears the selection. */
export function clearChoice(form: FormState): FormState {
  const {input} = listAt(form);
  return input && input.chosen.length > 0 ? withInput(form, {...input, chosen: []}) : form;
}

/** Returns the focused field, if it is a list. */
export function listAt({fields, inputs, at}: FormState): {
  readonly field: Field | undefined;
  readonly input: ListInput | undefined;
} {
  const input = inputs[at];
  return {field: fields[at], input: input?.kind === 'list' ? input : undefined};
}

function withInput(form: FormState, input: Input): FormState {
  const {at, inputs, problems} = form;
  return {...form, inputs: inputs.with(at, input), problems: problems.with(at, undefined), follows: true};
}

/** Sets problems by field id; the first invalid field gets the focus. */
export function withProblems(form: FormState, found: ReadonlyMap<string, string>): FormState {
  const problems = form.fields.map(({id}) => found.get(id));
  const first = problems.findIndex((problem) => problem !== undefined);
  return {...form, problems, ...(first !== -1 && {at: first}), follows: true};
}

/** The answers of a form, or its problems by field id. Patterns are not checked here, see `TextField`. */
type Answers =
  | {readonly ok: true; readonly content: FormContent}
  | {readonly ok: false; readonly problems: ReadonlyMap<string, string>};

/** Reads a form's answers. Empty optional fields are left out. */
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

/** Returns the problem of a field's input; undefined if it is valid. */
function checkField(field: Field, input: Input): string | undefined {
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
