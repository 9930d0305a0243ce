import type {Draft} from '../editor/draft.ts';
import type {Field} from '../../session/forms/form-schema.ts';

export type TextInput = Extract<Input, {kind: 'text'}>;

export type ListInput = Extract<Input, {kind: 'list'}>;

/** The input of a field: an edited text, or positions in a list of options. */
export type Input =
  | {readonly kind: 'text'; readonly draft: Draft}
  | {
      readonly kind: 'list';
      /** Indices of options. */
      readonly chosen: readonly number[];
      /** Index among those that the filter leaves. */
      readonly cursor: number;
      readonly filter: string;
    }
  | {readonly kind: 'none'};

/** The buttons of a form. */
export type FormButton = 'accept' | 'decline' | 'cancel';

/** A form as far as it is filled in. Plain data; `fill.ts` makes new ones. */
export interface FormState {
  readonly fields: readonly Field[];
  /** True for acp-tui's own forms; no agent gets the answer. */
  readonly isLocal: boolean;
  /** What was typed or chosen, of each field. */
  readonly inputs: readonly Input[];
  /** What is wrong with each field, once that was looked at. */
  readonly problems: readonly (string | undefined)[];
  /** The field that has the keyboard; behind the last field the buttons follow. */
  readonly at: number;
  /** True while the view keeps to what has the keyboard; scrolling leaves it. */
  readonly follows: boolean;
}
