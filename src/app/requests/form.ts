import {type ChoiceOption, type Field, isUnanswerable} from '../../session/forms/form-schema.ts';
import {memoize} from '../../session/memoize.ts';
import type {SessionEvent} from '../../session/events.ts';
import type {PendingForm} from '../../session/state.ts';
import {fuzzyFind} from '../completion/fuzzy-find.ts';
import {draftOf} from '../editor/draft.ts';
import type {AppEventOf} from '../events.ts';
import {changeSession, moveFormsToDraft} from '../sessions.ts';
import type {AppState, Tab} from '../state.ts';
import type {ListInput, Input, FormButton, FormState} from './form-state.ts';

/** Returns a form with its defaults. */
export function formOf(fields: readonly Field[], asker?: string): FormState {
  return {
    fields,
    isLocal: asker !== undefined,
    inputs: fields.map(initialInput),
    problems: fields.map(() => undefined),
    at: 0,
    follows: false,
  };
}

/** Returns the buttons. A form that cannot be answered has no accept button. */
export function buttonsOf({fields, isLocal}: Pick<FormState, 'fields' | 'isLocal'>): readonly FormButton[] {
  if (isLocal) return ['accept', 'cancel'];
  return isUnanswerable(fields) ? ['decline', 'cancel'] : ['accept', 'decline', 'cancel'];
}

/** Returns the focused button; undefined while a field has the focus. */
export function buttonAt(form: FormState): FormButton | undefined {
  return buttonsOf(form)[form.at - form.fields.length];
}

/** True if there are more options than digits, so that typing filters them. */
export function hasFilter(field: Field): boolean {
  return optionsOf(field).length > 9;
}

const YES_AND_NO: readonly ChoiceOption[] = ['yes', 'no'].map((label, index) => ({
  id: String(index),
  value: label,
  label,
  description: undefined,
}));

/** Returns the options of a field; empty for text fields. */
export function optionsOf(field: Field): readonly ChoiceOption[] {
  if (field.type === 'boolean') return YES_AND_NO;
  return 'options' in field ? field.options : NONE;
}

const NONE: readonly ChoiceOption[] = [];

/** Returns the filtered options, best first. */
export function visibleOptions(field: Field, {filter}: Pick<ListInput, 'filter'>): readonly ChoiceOption[] {
  return fuzzyFind(optionsOf(field), filter);
}

function initialInput(field: Field): Input {
  switch (field.type) {
    case 'text':
      return {kind: 'text', draft: draftOf(field.default ?? '')};
    case 'number':
      return {kind: 'text', draft: draftOf(field.default === undefined ? '' : String(field.default))};
    case 'boolean':
      return list(field.default === undefined ? [] : [field.default ? 0 : 1]);
    case 'choice':
      return list(field.default === undefined ? [] : [field.default]);
    case 'choices':
      return list(field.default);
    case 'unknown':
      return {kind: 'none'};
  }
}

function list(chosen: readonly number[]): ListInput {
  return {kind: 'list', chosen, cursor: chosen[0] ?? 0, filter: ''};
}

/** Returns a form as the agent sent it, without input. */
export const untouchedForm = memoize(({fields, asker}: PendingForm) => formOf(fields, asker));

/** Returns a pending form with its input so far, which survives a change of focus. */
export function formFor({forms}: Tab, request: PendingForm): FormState {
  return forms[request.id] ?? untouchedForm(request);
}

/** Stores a form after input or a check. */
export function formChanged(state: AppState, {key, id, form}: AppEventOf<'form_changed'>): AppState {
  return changeSession(state, key, (tab) =>
    tab.session.pending.some((request) => request.id === id)
      ? {...tab, forms: {...tab.forms, [id]: form}}
      : tab,
  );
}

/** Drops the inputs of forms that are no longer pending; texts that were not sent go to the prompt, also if another window has sent its own. */
export function withoutOldForms(tab: Tab, event: SessionEvent): Tab {
  const folded = moveFormsToDraft(tab, (id) => tab.session.pending.every((request) => request.id !== id));
  const isSent =
    event.type === 'elicitation_resolved' && event.outcome === 'accepted' && tab.forms[event.id]?.isSent;
  return isSent ? {...folded, draft: tab.draft} : folded;
}

/** The column of the values, to the right of their labels. */
const FIELD_MARGIN = 2;

/** Returns the width of a text field in a form of this width, in columns: ↑ and ↓ move by its rows. */
export function fieldColumns(columns: number): number {
  return Math.max(2, columns - FIELD_MARGIN);
}
