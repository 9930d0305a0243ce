import {readFields} from '../../../../src/session/forms/form-schema.ts';
import type {TestWindow} from '../../../support/window/app-window.ts';

const properties = {
  name: {type: 'string'},
  color: {type: 'string', enum: ['red', 'green', 'blue']},
  count: {type: 'integer', maximum: 10},
  sure: {type: 'boolean'},
};

/** The agent sends a form, or another asker: with every kind of field by default. */
export function askWithForm(
  window: TestWindow,
  id = 'f',
  schema: object = {properties, required: ['name']},
  asker?: string,
): void {
  const fields = readFields(schema);
  window.agent({
    type: 'elicitation_requested',
    id,
    asked: {mode: 'form', message: 'Who?', fields, ...(asker !== undefined && {asker})},
  });
}

export const link = {href: 'https://example.com/sign-in', host: 'example.com'};

/** The agent wants to open a URL. */
export function askToOpen(window: TestWindow, id = 'u', message = 'Sign in'): void {
  window.agent({type: 'elicitation_requested', id, asked: {mode: 'url', message, link}});
}
