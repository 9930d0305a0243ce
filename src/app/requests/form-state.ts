import {draftText, type Draft} from '../editor/draft.ts';
import {mayStoreAnswer, type Field} from '../../session/forms/form-schema.ts';

export type TextInput = Extract<Input, {kind: 'text'}>;

export type ListInput = Extract<Input, {kind: 'list'}>;

/** The input of a field: an edited text, or selected options. */
export type Input =
  | {readonly kind: 'text'; readonly draft: Draft}
  | {
      readonly kind: 'list';
      /** Indices of options. */
      readonly chosen: readonly number[];
      /** Index among the filtered options. */
      readonly cursor: number;
      readonly filter: string;
    }
  | {readonly kind: 'none'};

/** The buttons of a form. */
export type FormButton = 'accept' | 'decline' | 'cancel';

/** A form being filled in. Immutable data; `form-values.ts` returns new ones. */
export interface FormState {
  readonly fields: readonly Field[];
  /** True for acp-tui's own forms; no agent gets the answer. */
  readonly isLocal: boolean;
  /** The input of each field. */
  readonly inputs: readonly Input[];
  /** The problem of each field, once it was checked. */
  readonly problems: readonly (string | undefined)[];
  /** The focused field; buttons come after the last field. */
  readonly at: number;
  /** True while the view follows the focus; scrolling turns it off. */
  readonly follows: boolean;
  /** True once this window has sent it. */
  readonly isSent?: boolean;
}

/**
 * Returns the texts typed into a form, with their labels if there are several. Not those that may not be stored, and not those of acp-tui's own forms; empty
 * if there are none.
 */
export function typedText({fields, inputs, isLocal}: FormState): string {
  if (isLocal) return '';
  const typed = fields.flatMap((field, index) => {
    const text = newText(field, inputs[index]);
    return text === undefined || !mayStoreAnswer(field) ? [] : [{label: field.label, text}];
  });
  return typed.map(({label, text}) => (typed.length === 1 ? text : `${label}: ${text}`)).join('\n');
}

/** Undefined for a field's default, too. */
function newText(field: Field, input: Input | undefined): string | undefined {
  if (input?.kind !== 'text') return undefined;
  const text = draftText(input.draft);
  const initial = field.type === 'text' || field.type === 'number' ? (field.default ?? '') : '';
  return text.trim() === '' || text === String(initial) ? undefined : text;
}
