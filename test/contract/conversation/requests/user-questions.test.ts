import {describe, expect, test} from 'vitest';
import type {ScriptStep} from '../../../../fixtures/fake-agent/scenarios/script.ts';
import type {PendingForm} from '../../../../src/session/state.ts';
import {pendingId, elicitationEntries} from './elicitations.ts';
import {idle, openScripted} from '../open-conversation.ts';

const COLOR = {
  question: 'Which color do you like?',
  header: 'Color',
  options: [
    {label: 'Blue', description: 'A color'},
    {label: 'Red', description: 'A color'},
  ],
};
const SIZES = {...COLOR, question: 'Which sizes?', header: 'Sizes', multiSelect: true};

/** A request as Qwen Code sends it. */
function request(questions: readonly object[], call: Record<string, unknown> = {}): ScriptStep {
  const toolCall = {
    toolCallId: 'call-1',
    status: 'pending',
    title: `Ask user ${questions.length} questions`,
    kind: 'think',
    content: [],
    locations: [],
    rawInput: {questions},
    _meta: {
      toolName: 'ask_user_question',
      qwenInteractionKind: 'user_question',
      qwenQuestions: questions,
    },
    ...call,
  };
  const options = [
    {optionId: 'proceed_once', name: 'Submit', kind: 'allow_once'},
    {optionId: 'cancel', name: 'Cancel', kind: 'reject_once'},
  ];
  return {
    ask: 'it',
    method: 'session/request_permission',
    params: {sessionId: '$session', options, toolCall},
  };
}

async function asking(steps: readonly ScriptStep[], options: Parameters<typeof openScripted>[1] = {}) {
  const opened = await openScripted({turns: [[...steps, {answered: 'it'}]]}, options);
  opened.prompt('go');
  return opened;
}

describe('questions sent as a permission request', () => {
  test('become a form, and the answers go back by question number', async () => {
    const {conversation, answerTo, until} = await asking([request([COLOR, SIZES, COLOR])]);
    const state = await until(({pending}) => pending.length > 0, 'the question');
    const form = state.pending[0] as PendingForm;
    expect(form).toMatchObject({kind: 'form', message: 'Ask user 3 questions', toolCallId: 'call-1'});
    expect(form.fields).toMatchObject([
      {type: 'choice', label: 'Color', description: 'Which color do you like?', required: false},
      {type: 'text', label: 'Other'},
      {type: 'choices', label: 'Sizes', options: [{label: 'Blue', description: 'A color'}, {label: 'Red'}]},
      {type: 'text', label: 'Other'},
      {type: 'choice'},
      {type: 'text'},
    ]);
    const [color, , sizes, otherSize] = form.fields.map(({id}) => id);
    const content = {[color ?? '']: 'Red', [sizes ?? '']: ['Blue', 'Red'], [otherSize ?? '']: 'tiny'};
    void conversation.answer(pendingId(state), {kind: 'accepted', content});
    expect((await answerTo('it')).result).toEqual({
      outcome: {outcome: 'selected', optionId: 'proceed_once'},
      answers: {'0': 'Red', '1': 'Blue, Red, tiny'},
    });
  });

  test('become, if only one, the message of the form', async () => {
    const rawInput = {questions: [COLOR], metadata: {source: 'remember'}};
    const {until} = await asking([request([COLOR], {rawInput})]);
    const {pending} = await until((state) => state.pending.length > 0, 'the question');
    expect(pending).toMatchObject([
      {message: 'Which color do you like?', fields: [{label: 'Color', description: undefined}, {}]},
    ]);
  });

  test.each([
    ['declined', {outcome: 'selected', optionId: 'cancel'}],
    ['cancelled', {outcome: 'cancelled'}],
  ] as const)('that are %s are answered with %j', async (kind, outcome) => {
    const {conversation, answerTo, until} = await asking([request([COLOR])]);
    const state = await until(({pending}) => pending.length > 0, 'the question');
    void conversation.answer(pendingId(state), {kind});
    expect((await answerTo('it')).result).toEqual({outcome});
    expect(elicitationEntries(await until(idle, 'the end'))).toMatchObject([{outcome: kind}]);
  });

  test('are never answered automatically, and are refused with a reason without a user', async () => {
    const {answerTo, until, conversation} = await asking([request([COLOR])], {
      hasUser: false,
      approval: 'all',
    });
    expect((await answerTo('it')).result).toEqual({outcome: {outcome: 'selected', optionId: 'cancel'}});
    const {entries} = await until(idle, 'the end');
    expect([...entries].find(({type}) => type === 'notice')).toMatchObject({
      text: expect.stringContaining('there is no user to ask') as string,
    });
    expect(conversation.denied()).toEqual([]);
  });
});

/** A request whose answers are its options, as Nanocoder sends it. */
function choice(call: Record<string, unknown> = {}): readonly ScriptStep[] {
  const toolCall = {toolCallId: 'call-1', title: 'Which colour?', status: 'pending'};
  const rawInput = {question: 'Which colour?', options: ['Blue', 'Red']};
  const options = ['Blue', 'Red'].map((name, index) => ({
    optionId: `answer-${index}`,
    name,
    kind: 'allow_once',
  }));
  return [
    {update: {...toolCall, sessionUpdate: 'tool_call', kind: 'other', rawInput}},
    {
      ask: 'it',
      method: 'session/request_permission',
      params: {sessionId: '$session', options, toolCall: {...toolCall, ...call}},
    },
  ];
}

describe('a request with several answers that allow it once', () => {
  test.each(['none', 'all'] as const)('is a question, whatever the level: %s', async (approval) => {
    const {conversation, answerTo, until} = await asking(choice(), {approval});
    const state = await until(({pending}) => pending.length > 0, 'the question');
    const form = state.pending[0] as PendingForm;
    expect(form).toMatchObject({
      kind: 'form',
      message: 'Which colour?',
      fields: [{type: 'choice', required: true, options: [{label: 'Blue'}, {label: 'Red'}]}],
    });
    expect(form.fields).toHaveLength(1);
    void conversation.answer(pendingId(state), {
      kind: 'accepted',
      content: {[form.fields[0]?.id ?? '']: 'answer-1'},
    });
    expect((await answerTo('it')).result).toEqual({outcome: {outcome: 'selected', optionId: 'answer-1'}});
    expect(elicitationEntries(await until(idle, 'the end'))).toMatchObject([
      {answers: [{answer: 'Red'}], outcome: 'accepted'},
    ]);
  });

  test('is cancelled without a user, with the reason', async () => {
    const {answerTo, until} = await asking(choice(), {hasUser: false, approval: 'all'});
    expect((await answerTo('it')).result).toEqual({outcome: {outcome: 'cancelled'}});
    const {entries} = await until(idle, 'the end');
    expect([...entries].find(({type}) => type === 'notice')).toMatchObject({
      text: expect.stringContaining('there is no user to ask') as string,
    });
  });

  test('that does something is a permission request, which nothing allows by itself', async () => {
    const call = {kind: 'execute', rawInput: {command: 'ls'}};
    const {until} = await asking(choice(call), {approval: 'all'});
    const {pending} = await until((state) => state.pending.length > 0, 'the request');
    expect(pending).toMatchObject([{kind: 'permission'}]);
    expect(pending[0]).not.toHaveProperty('rule');
  });
});

describe('a request that claims to be a question is shown as a permission request when', () => {
  test.each([
    ['it runs something', {kind: 'execute'}],
    ['it contains a command', {rawInput: {questions: [COLOR], command: 'rm -rf .'}}],
    ['a question contains a command', {rawInput: {questions: [{...COLOR, command: 'rm -rf .'}]}}],
    ['it changes a file', {content: [{type: 'diff', path: '/a', oldText: 'a', newText: 'b'}]}],
    ['it names a file', {locations: [{path: '/etc/passwd'}]}],
    ['its metadata says more', {rawInput: {questions: [COLOR], metadata: {to: 'https://evil.example'}}}],
    ['its questions are others', {rawInput: {questions: [{...COLOR, question: 'Delete /home?'}]}}],
    [
      'it links to a file',
      {content: [{type: 'content', content: {type: 'resource_link', name: 'x', uri: 'file:///etc/passwd'}}]},
    ],
  ])('%s', async (_what, call) => {
    const {until} = await asking([request([COLOR], call)]);
    const {pending} = await until((state) => state.pending.length > 0, 'the request');
    expect(pending).toMatchObject([{kind: 'permission'}]);
  });

  test('its tool call ran something', async () => {
    const call = {sessionUpdate: 'tool_call', toolCallId: 'call-1', title: 'x', kind: 'execute'};
    const {until} = await asking([{update: {...call, rawInput: {command: 'ls'}}}, request([COLOR])]);
    const {pending} = await until((state) => state.pending.length > 0, 'the request');
    expect(pending).toMatchObject([{kind: 'permission'}]);
  });

  test('its questions cannot be read', async () => {
    const {until} = await asking([request([{question: 7}])]);
    const {pending} = await until((state) => state.pending.length > 0, 'the request');
    expect(pending).toMatchObject([{kind: 'permission'}]);
  });
});
