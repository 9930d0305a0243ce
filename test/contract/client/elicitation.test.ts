import {readFileSync} from 'node:fs';
import {describe, expect, test} from 'vitest';
import type {Step} from '../../../fixtures/fake-agent/scenarios/script.ts';
import type {PendingForm, SessionState} from '../../../src/session/state.ts';
import {idle, makeClient, openScripted, type OpenedClient} from './open-client.ts';
import {withdraw} from './steps.ts';

const properties = {
  name: {type: 'string', title: 'Your name'},
  port: {type: 'integer', default: 3000},
  sure: {type: 'boolean'},
  tools: {type: 'array', items: {type: 'string', enum: ['a', 'b']}},
  password: {type: 'string', title: 'A password'},
};
const SCHEMA = {type: 'object', properties, required: ['name']};
const FORM = {mode: 'form', message: 'Who are you?', requestedSchema: SCHEMA};
const URL_MODE = {
  mode: 'url',
  elicitationId: 'sign-in-1',
  url: 'https://example.com/a?b=c',
  message: 'Please sign in',
};

function ask(params: Record<string, unknown>, id: string | number = 'it'): Step {
  return {ask: id, method: 'elicitation/create', params: {sessionId: '$session', ...params}};
}

const completed = (elicitationId: string): Step => ({
  send: {jsonrpc: '2.0', method: 'elicitation/complete', params: {elicitationId}},
});

/** A client whose agent asks this in its turn, and goes on when it is answered. */
async function asked(params: Record<string, unknown>, then: readonly Step[] = []): Promise<OpenedClient> {
  const opened = await openScripted({turns: [[ask(params), {answered: 'it'}, ...then]]});
  opened.prompt('go');
  await opened.until(({pending}) => pending.length > 0, 'the question');
  return opened;
}

const idOf = ({pending}: SessionState) => pending[0]?.id ?? '';
const only = ({entries}: SessionState) => [...entries].filter((entry) => entry.type === 'elicitation');

describe('a form', () => {
  test('that is accepted is answered with content of the right types, and kept without its secrets', async () => {
    const {client, state, answerTo} = await asked(FORM);
    const content = {name: 'Ada', port: 3000, sure: false, tools: ['b'], password: 'hunter2'};
    client.actions.answer(idOf(state()), {kind: 'accepted', content});
    expect((await answerTo('it')).result).toEqual({action: 'accept', content});
    expect(only(state())).toMatchObject([
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
  ] as const)('that is %s is answered with the action %s alone', async (kind, action) => {
    const {client, state, answerTo} = await asked(FORM);
    client.actions.answer(idOf(state()), {kind});
    expect((await answerTo('it')).result).toEqual({action});
    expect(only(state())).toMatchObject([{outcome: kind, answers: []}]);
  });

  test('that waits when the turn is cancelled is answered with cancel', async () => {
    const {client, answerTo, until} = await asked(FORM);
    client.actions.cancel();
    expect((await answerTo('it')).result).toEqual({action: 'cancel'});
    expect((await until(idle, 'the end')).pending).toEqual([]);
  });

  test('that the agent takes back is answered with -32800', async () => {
    const {prompt, answerTo, until} = await openScripted({
      turns: [[ask(FORM), withdraw('it'), {answered: 'it'}]],
    });
    prompt('go');
    expect(await answerTo('it')).toMatchObject({error: {code: -32_800}});
    const state = await until(idle, 'the end');
    expect(state.pending).toEqual([]);
    expect(only(state)).toMatchObject([{outcome: 'withdrawn'}]);
  });

  test('is answered once, whatever is pressed afterwards', async () => {
    const {client, state, answerTo, sent} = await asked(FORM);
    const id = idOf(state());
    client.actions.answer(id, {kind: 'declined'});
    client.actions.answer(id, {kind: 'accepted', content: {}});
    expect((await answerTo('it')).result).toEqual({action: 'decline'});
    expect(sent().filter((message) => message.id === 'it')).toHaveLength(1);
  });

  test('with a property that nobody knows, and with names as MCP had them, is shown all the same', async () => {
    const {state} = await asked({
      ...FORM,
      toolCallId: 'call-1',
      requestedSchema: {
        type: 'object',
        title: 'Settings',
        properties: {
          size: {type: 'string', enum: ['s', 'l'], enumNames: ['Small', 'Large']},
          id: {type: 'string', format: 'uuid'},
          colour: {type: '_colour'},
        },
      },
    });
    const form = state().pending[0] as PendingForm;
    expect(form).toMatchObject({kind: 'form', title: 'Settings', toolCallId: 'call-1'});
    expect(form.fields).toMatchObject([
      {type: 'choice', options: [{value: 's', label: 'Small'}, {label: 'Large'}]},
      {type: 'text', format: undefined},
      {type: 'unknown', kind: '_colour'},
    ]);
  });

  test('of Codex, as it was recorded, is a choice and a text', async () => {
    const file = new URL('../../../fixtures/wire/codex-ask-collabplan.ndjson', import.meta.url);
    const lines = readFileSync(file, 'utf8').trim().split('\n');
    const messages = lines.map((line) => (JSON.parse(line) as {m?: Record<string, unknown>}).m ?? {});
    const {params} = messages.find(({method}) => method === 'elicitation/create') ?? {};
    const {client, state, answerTo} = await asked({
      ...(params as Record<string, unknown>),
      sessionId: '$session',
    });
    expect((state().pending[0] as PendingForm).fields).toMatchObject([
      {type: 'choice', label: 'Which colour do you like?', required: true},
      {type: 'text', required: false},
    ]);
    client.actions.answer(idOf(state()), {kind: 'accepted', content: {colour: 'Red'}});
    expect((await answerTo('it')).result).toEqual({action: 'accept', content: {colour: 'Red'}});
  });

  test('can be asked before a session is open, for a request', async () => {
    const {sessionId: _, ...params} = {sessionId: '', requestId: 1, ...FORM};
    const script = {
      opening: [{ask: 'it', method: 'elicitation/create', params}, {answered: 'it'}] as const,
    };
    const {client, state, until, answerTo} = makeClient(['script', JSON.stringify(script)]);
    const opening = client.open();
    await until(({pending}) => pending.length > 0, 'the question');
    expect(state()).toMatchObject({sessionId: undefined, connection: {kind: 'starting'}});
    client.actions.answer(idOf(state()), {kind: 'accepted', content: {name: 'Ada'}});
    expect((await answerTo('it')).result).toEqual({action: 'accept', content: {name: 'Ada'}});
    expect(await opening).toEqual({ok: true, value: undefined});
  });
});

describe('an address', () => {
  test('that may be opened is accepted without content, and waits for the word that it is done', async () => {
    const {client, state, answerTo, until} = await asked(URL_MODE, [{cancelled: true}]);
    expect(state().pending).toMatchObject([
      {kind: 'url', isOpened: false, link: {href: 'https://example.com/a?b=c', host: 'example.com'}},
    ]);
    client.actions.answer(idOf(state()), {kind: 'accepted', content: {}});
    expect((await answerTo('it')).result).toEqual({action: 'accept'});
    expect(state().pending).toMatchObject([{isOpened: true}]);
    expect(only(state())).toMatchObject([
      {mode: 'url', url: 'https://example.com/a?b=c', outcome: 'accepted'},
    ]);
    client.actions.cancel();
    expect((await until(idle, 'the end')).pending).toEqual([]);
  });

  test('is waited for until the agent says that it is done; what else it names changes nothing', async () => {
    const {client, state, until} = await asked(URL_MODE, [
      completed('somebody else'),
      {update: {sessionUpdate: 'session_info_update', title: 'told'}},
      completed('sign-in-1'),
      completed('sign-in-1'),
    ]);
    let atTitle: readonly unknown[] = [];
    client.actions.answer(idOf(state()), {kind: 'accepted', content: {}});
    await until((now) => {
      if (now.title === 'told' && atTitle.length === 0) atTitle = now.pending;
      return idle(now);
    }, 'the end');
    expect(atTitle).toMatchObject([{isOpened: true}]);
    expect(state().pending).toEqual([]);
  });

  test('need not be waited for', async () => {
    const {client, state, until} = await asked(URL_MODE, []);
    const id = idOf(state());
    client.actions.answer(id, {kind: 'accepted', content: {}});
    await until(idle, 'the end');
    expect(state().pending).toMatchObject([{isOpened: true}]);
    client.actions.answer(id, {kind: 'done'});
    expect(state().pending).toEqual([]);
  });
});

describe('refused with -32602 is', () => {
  const refused = async (params: Record<string, unknown>, person = true) => {
    const opened = await openScripted({turns: [[ask(params), {answered: 'it'}]]}, {person});
    opened.prompt('go');
    return {answer: await opened.answerTo('it'), state: await opened.until(idle, 'the end')};
  };

  test.each([
    ['a mode that nobody knows', {mode: '_quiz', message: 'Hm?'}],
    ['a form without a schema', {mode: 'form', message: 'Hm?'}],
    ['a form without a message', {mode: 'form', requestedSchema: SCHEMA}],
    ['what is no address', {...URL_MODE, url: 'example.com'}],
    ['an address that starts a program', {...URL_MODE, url: 'vscode://open?file=/etc/passwd'}],
    ['a file', {...URL_MODE, url: 'file:///etc/passwd'}],
    ['what belongs to no session and no request', {...FORM, sessionId: undefined}],
  ])('%s', async (_what, params) => {
    const {answer, state} = await refused(params);
    expect(answer).toMatchObject({error: {code: -32_602}});
    expect(state.pending).toEqual([]);
  });

  test('everything where nobody is there, and the reason is told', async () => {
    for (const params of [FORM, URL_MODE]) {
      const {answer, state} = await refused(params, false);
      expect(answer).toMatchObject({error: {code: -32_602}});
      expect([...state.entries].find(({type}) => type === 'notice')).toMatchObject({
        level: 'warning',
        text: expect.stringContaining('nobody is there to be asked') as string,
      });
    }
  });

  test('and a question of a session that is not open is answered with an error', async () => {
    const {answer} = await refused({...FORM, sessionId: 'another'});
    expect(answer.error?.code).toBeLessThan(0);
  });
});

test('without a person forms are not offered', async () => {
  const {sent} = await openScripted({}, {person: false});
  expect(sent()[0]?.params?.['clientCapabilities']).not.toHaveProperty('elicitation');
});
