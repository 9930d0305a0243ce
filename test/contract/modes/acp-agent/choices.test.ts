import {expect, test} from 'vitest';
import type {ScriptStep} from '../../../../fixtures/fake-agent/scenarios/script.ts';
import {choose} from '../../../support/program/editor-client.ts';
import {openHome, scripted} from './open-editor.ts';

const question = (method: string, params: object): readonly ScriptStep[] => [
  {ask: 'it', method, params: {sessionId: '$session', ...params}},
  {answered: 'it'},
];

/** A question as Nanocoder sends it, and one as Claude does. */
const CHOICES: readonly (readonly [string, readonly ScriptStep[]])[] = [
  [
    'as a request',
    question('session/request_permission', {
      toolCall: {toolCallId: 'c', title: 'Which one?', rawInput: {options: ['Red', 'Blue']}},
      options: ['Red', 'Blue'].map((name) => ({optionId: name, name, kind: 'allow_once'})),
    }),
  ],
  [
    'as a form, beside which an answer can be typed',
    question('elicitation/create', {
      mode: 'form',
      message: 'Which one?',
      toolCallId: 'c',
      requestedSchema: {
        type: 'object',
        properties: {
          it: {
            type: 'string',
            title: 'Color',
            oneOf: ['Red', 'Blue'].map((title) => ({const: title, title})),
          },
          it_other: {type: 'string', title: 'Other'},
        },
      },
    }),
  ],
];

test.each(CHOICES)(
  'a choice that is asked %s is a request with its choices for an editor without forms',
  async (_, steps) => {
    const {editor, window} = await openHome();
    const {open, prompt, asked} = await editor({
      args: ['--agent', scripted({turns: [steps]})],
      permit: choose('Blue'),
    });
    const {sessionId} = await open();
    await prompt(sessionId, 'go');
    expect(asked).toMatchObject([{toolCall: {toolCallId: 'c', title: 'Which one?'}}]);
    expect(asked[0]?.options.map(({name, kind}) => `${name}: ${kind}`)).toEqual([
      'Red: allow_once',
      'Blue: allow_once',
      'Decline: reject_once',
    ]);
    const {entries} = (await window(sessionId)).state();
    expect(entries.find(({type}) => type === 'elicitation')).toMatchObject({answers: [{answer: 'Blue'}]});
  },
);
