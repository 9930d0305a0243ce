import type {Field} from '../../session/forms/form-schema.ts';
import {escapeHiddenOnce, onOneLine} from '../../text/hidden.ts';
import {sanitizeLine} from '../../text/sanitize.ts';
import {startOfText} from '../../text/truncate.ts';
import {graphemes} from '../../text/width.ts';
import {type Draft, draftOf} from '../editor/draft.ts';
import type {FormButton, FormState, Input} from './form-state.ts';
import {optionsOf} from './form.ts';

const BUTTONS: Readonly<Record<FormButton, string>> = {
  accept: 'Submit',
  decline: 'Decline',
  cancel: 'Cancel',
};

/** Returns the label of a button. */
export function buttonLabel(button: FormButton, {isLocal}: Pick<FormState, 'isLocal'>): string {
  return isLocal && button === 'accept' ? 'Continue' : BUTTONS[button];
}

/** Returns the name of a field, and whether it is required. */
export function fieldName({label, required, type}: Field): string {
  const name = sanitizeLine(label);
  if (type === 'unknown') return `${name} (${required ? 'required' : 'optional'}, unsupported field type)`;
  return required ? `${name} (required)` : name;
}

/** Maximum length of a line, in UTF-16 units. */
const MAX_SHOWN_LENGTH = 1000;

/** Returns what is filled in, in one line; empty if nothing is. */
export function answerText(field: Field, input: Input): string {
  if (input.kind === 'none') return field.type === 'unknown' ? sanitizeLine(field.kind) : '';
  if (input.kind === 'text') {
    const {text} = input.draft;
    const begin = startOfText(text, MAX_SHOWN_LENGTH);
    return field.secret ? '*'.repeat(graphemes(begin).length) : onOneLine(inSight(begin));
  }
  return input.chosen.map((index) => optionsOf(field)[index]?.label ?? '').join(', ');
}

/** Returns a draft as it is shown: of a secret a sign for each character, of any other an exact reading; with the cursor adjusted. */
export function shownDraft({secret}: Field, draft: Draft): Draft {
  return secret ? masked(draft) : unhidden(draft);
}

/** The user's input is an exact reading too, like the agent's questions: a tab is an escape. */
function inSight(text: string): string {
  return escapeHiddenOnce(text).replaceAll('\t', onOneLine('\t'));
}

/** Returns a draft with escapes for all invisible characters, and the cursor adjusted. */
function unhidden(draft: Draft): Draft {
  const {text, caret, pastes} = draft;
  const shown = inSight(text);
  if (shown === text || pastes.length > 0) return draft;
  return {...draftOf(shown), caret: Math.max(0, shown.length - inSight(text.slice(caret)).length)};
}

/** Masks each character with a symbol. */
function masked({text, caret}: Draft): Draft {
  const before = graphemes(text.slice(0, caret)).length;
  return {...draftOf('*'.repeat(graphemes(text).length)), caret: before};
}
