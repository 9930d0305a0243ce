import {expect, test} from 'vitest';
import type {ScriptStep} from '../../../../fixtures/fake-agent/scenarios/script.ts';
import {choose} from '../../../support/program/editor-client.ts';
import {openHome, scripted} from './open-editor.ts';

const question = (method: string, params: object): readonly ScriptStep[] => [
  {ask: 'it', method, params: {sessionId: '$session', ...params}},
  {answered: 'it'},
];

const formAbout = (about: object) =>
  question('elicitation/create', {
    mode: 'form',
    message: 'Which one?',
    ...about,
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
  });

/** A question as Nanocoder sends it, and one as Claude does. */
const CHOICES: readonly (readonly [string, readonly ScriptStep[]])[] = [
  [
    'as a request',
    question('session/request_permission', {
      toolCall: {toolCallId: 'c', title: 'Which one?', rawInput: {options: ['Red', 'Blue']}},
      options: ['Red', 'Blue'].map((name) => ({optionId: name, name, kind: 'allow_once'})),
    }),
  ],
  ['as a form, beside which an answer can be typed', formAbout({toolCallId: 'c'})],
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

test('a choice about no tool call waits for a window: no request could belong to it', async () => {
  const {editor, window} = await openHome();
  const {open, prompt, asked, text} = await editor({
    args: ['--agent', scripted({turns: [formAbout({})]})],
    permit: choose('Blue'),
  });
  const {sessionId} = await open();
  const response = prompt(sessionId, 'go');
  await expect.poll(() => text('agent_message_chunk')).toContain(`acp-tui attach ${sessionId}`);
  expect(asked).toEqual([]);
  const shown = await window(sessionId);
  void shown.actions.answer(shown.state().pending[0]!.id, {kind: 'declined'});
  expect(await response).toMatchObject({stopReason: 'end_turn'});
});
