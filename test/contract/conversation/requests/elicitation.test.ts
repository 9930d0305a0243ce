import {readFileSync} from 'node:fs';
import {describe, expect, test} from 'vitest';
import type {PendingForm} from '../../../../src/session/state.ts';
import {
  elicit,
  openElicitation,
  completed,
  FORM,
  pendingId,
  elicitationEntries,
  URL_MODE,
} from './elicitations.ts';
import {idle, makeConversation, openScripted} from '../open-conversation.ts';
import {withdraw} from '../steps.ts';

describe('a form', () => {
  test('that is accepted returns content of the right types, and is stored without its secrets', async () => {
    const {conversation, state, answerTo} = await openElicitation(FORM);
    const content = {name: 'Ada', port: 3000, sure: false, tools: ['b'], password: 'hunter2'};
    void conversation.answer(pendingId(state()), {kind: 'accepted', content});
    expect((await answerTo('it')).result).toEqual({action: 'accept', content});
    expect(elicitationEntries(state())).toMatchObject([
      {
        mode: 'form',
        message: 'Who are you?',
        outcome: 'accepted',
        answers: [
          {label: 'Your name', answer: 'Ada'},
          {label: 'port', answer: '3000'},
          {label: 'sure', answer: 'no'},
          {label: 'tools', answer: 'b'},
          {label: 'A password', isSecret: true},
        ],
      },
    ]);
    expect(JSON.stringify([...state().entries])).not.toContain('hunter2');
    expect(state().pending).toEqual([]);
  });

  test.each([
    ['declined', 'decline'],
    ['cancelled', 'cancel'],
  ] as const)('that is %s is answered with the action %s only', async (kind, action) => {
    const {conversation, state, answerTo} = await openElicitation(FORM);
    void conversation.answer(pendingId(state()), {kind});
    expect((await answerTo('it')).result).toEqual({action});
    expect(elicitationEntries(state())).toMatchObject([{outcome: kind, answers: []}]);
  });

  test.each([
    ['a form', FORM],
    ['a link', URL_MODE],
  ])('of two answers to it one counts, and the other is told: %s', async (_what, asked) => {
    const {conversation, state, answerTo} = await openElicitation(asked);
    const id = pendingId(state());
    const answers = [
      conversation.answer(id, {kind: 'declined'}),
      conversation.answer(id, {kind: 'accepted', content: {}}),
    ];
    expect(await Promise.all(answers)).toMatchObject([
      {ok: true},
      {ok: false, failure: {kind: 'answer_not_taken'}},
    ]);
    expect((await answerTo('it')).result).toEqual({action: 'decline'});
  });

  test('that waits when the turn is cancelled is answered with cancel', async () => {
    const {conversation, answerTo, until} = await openElicitation(FORM);
    conversation.cancel();
    expect((await answerTo('it')).result).toEqual({action: 'cancel'});
    expect((await until(idle, 'the end')).pending).toEqual([]);
  });

  test('that the agent cancels is answered with -32800', async () => {
    const {prompt, answerTo, until} = await openScripted({
      turns: [[elicit(FORM), withdraw('it'), {answered: 'it'}]],
    });
    prompt('go');
    expect(await answerTo('it')).toMatchObject({error: {code: -32_800}});
    const state = await until(idle, 'the end');
    expect(state.pending).toEqual([]);
    expect(elicitationEntries(state)).toMatchObject([{outcome: 'withdrawn'}]);
  });

  test('is answered once, whatever is pressed afterwards', async () => {
    const {conversation, state, answerTo, sent} = await openElicitation(FORM);
    const id = pendingId(state());
    void conversation.answer(id, {kind: 'declined'});
    void conversation.answer(id, {kind: 'accepted', content: {}});
    expect((await answerTo('it')).result).toEqual({action: 'decline'});
    expect(sent().filter((message) => message.id === 'it')).toHaveLength(1);
  });

  test('with an unknown property, and with the names of MCP, is still shown', async () => {
    const {state} = await openElicitation({
      ...FORM,
      toolCallId: 'call-1',
      requestedSchema: {
        type: 'object',
        title: 'Settings',
        properties: {
          size: {type: 'string', enum: ['s', 'l'], enumNames: ['Small', 'Large']},
          id: {type: 'string', format: 'uuid'},
          color: {type: '_color'},
        },
      },
    });
    const form = state().pending[0] as PendingForm;
    expect(form).toMatchObject({kind: 'form', title: 'Settings', toolCallId: 'call-1'});
    expect(form.fields).toMatchObject([
      {type: 'choice', options: [{value: 's', label: 'Small'}, {label: 'Large'}]},
      {type: 'text', format: undefined},
      {type: 'unknown', kind: '_color'},
    ]);
  });

  test('of Codex, as recorded, has a choice and a text', async () => {
    const file = new URL('../../../../fixtures/wire/codex-ask-collabplan.ndjson', import.meta.url);
    const lines = readFileSync(file, 'utf8').trim().split('\n');
    const messages = lines.map((line) => (JSON.parse(line) as {m?: Record<string, unknown>}).m ?? {});
    const {params} = messages.find(({method}) => method === 'elicitation/create') ?? {};
    const {conversation, state, answerTo} = await openElicitation({
      ...(params as Record<string, unknown>),
      sessionId: '$session',
    });
    expect((state().pending[0] as PendingForm).fields).toMatchObject([
      {type: 'choice', label: 'Which color do you like?', required: true},
      {type: 'text', required: false},
    ]);
    void conversation.answer(pendingId(state()), {kind: 'accepted', content: {color: 'Red'}});
    expect((await answerTo('it')).result).toEqual({action: 'accept', content: {color: 'Red'}});
  });

  test('can be sent before a session is open, for a request', async () => {
    const {sessionId: _, ...params} = {sessionId: '', requestId: 1, ...FORM};
    const script = {
      opening: [{ask: 'it', method: 'elicitation/create', params}, {answered: 'it'}] as const,
    };
    const {conversation, state, until, answerTo} = makeConversation(['script', JSON.stringify(script)]);
    const opening = conversation.open();
    await until(({pending}) => pending.length > 0, 'the question');
    expect(state()).toMatchObject({sessionId: undefined, connection: {kind: 'starting'}});
    void conversation.answer(pendingId(state()), {kind: 'accepted', content: {name: 'Ada'}});
    expect((await answerTo('it')).result).toEqual({action: 'accept', content: {name: 'Ada'}});
    expect(await opening).toEqual({ok: true, value: undefined});
  });
});

test('a form that belongs to a sign-in is cancelled with it', async () => {
  const {sessionId: _, ...params} = {sessionId: '', requestId: 2, ...URL_MODE};
  const script = {
    initialize: {authMethods: [{id: 'browser', name: 'Browser'}]},
    authenticating: [
      {ask: 'it', method: 'elicitation/create', params},
      {answered: 'it'},
      {received: '_never'},
    ],
  };
  const {conversation, until, answerTo} = await openScripted(script);
  void conversation.authenticate('browser');
  await until(({pending}) => pending.length > 0, 'the question');
  conversation.cancel();
  expect((await answerTo('it')).result).toEqual({action: 'cancel'});
  await until(({pending}) => pending.length === 0, 'nothing to answer');
});

describe('a URL request', () => {
  test('that is allowed is accepted without content and waits for its completion', async () => {
    const {conversation, state, answerTo, until} = await openElicitation(URL_MODE, [{cancelled: true}]);
    expect(state().pending).toMatchObject([
      {kind: 'url', isOpened: false, link: {href: 'https://example.com/a?b=c', host: 'example.com'}},
    ]);
    void conversation.answer(pendingId(state()), {kind: 'accepted', content: {}});
    expect((await answerTo('it')).result).toEqual({action: 'accept'});
    expect(state().pending).toMatchObject([{isOpened: true}]);
    expect(elicitationEntries(state())).toMatchObject([
      {mode: 'url', url: 'https://example.com/a?b=c', outcome: 'accepted'},
    ]);
    conversation.cancel();
    expect((await until(idle, 'the end')).pending).toEqual([]);
  });

  test('waits until the agent reports completion; other IDs change nothing', async () => {
    const {conversation, state, until} = await openElicitation(URL_MODE, [
      completed('somebody else'),
      {update: {sessionUpdate: 'session_info_update', title: 'told'}},
      completed('sign-in-1'),
      completed('sign-in-1'),
    ]);
    let atTitle: readonly unknown[] = [];
    void conversation.answer(pendingId(state()), {kind: 'accepted', content: {}});
    await until((now) => {
      if (now.title === 'told' && atTitle.length === 0) atTitle = now.pending;
      return idle(now);
    }, 'the end');
    expect(atTitle).toMatchObject([{isOpened: true}]);
    expect(state().pending).toEqual([]);
  });

  test('need not be waited for', async () => {
    const {conversation, state, until} = await openElicitation(URL_MODE, []);
    const id = pendingId(state());
    void conversation.answer(id, {kind: 'accepted', content: {}});
    await until(idle, 'the end');
    expect(state().pending).toMatchObject([{isOpened: true}]);
    void conversation.answer(id, {kind: 'done'});
    expect(state().pending).toEqual([]);
  });
});
