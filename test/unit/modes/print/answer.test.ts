import type * as acp from '@agentclientprotocol/sdk/unstable';
import {array, assert, constantFrom, property} from 'fast-check';
import {describe, expect, test} from 'vitest';
import {
  createAnswer,
  createMessageStream,
  spokenText,
  trimMessage,
} from '../../../../src/modes/print/answer.ts';
import type {SessionEvent} from '../../../../src/session/events.ts';
import {reduce} from '../../../../src/session/reduce.ts';
import {withReplacement} from '../../../../src/session/transcript/patches.ts';
import {sanitize} from '../../../../src/text/sanitize.ts';
import {ended, opened, prompted, reduceEvents, says, update} from '../../../support/session/build.ts';

function streamed(parts: readonly {message: number; text: string}[]): string {
  let out = '';
  const stream = createMessageStream((text) => (out += text));
  for (const part of parts) stream.push({...part, messageId: null});
  stream.end();
  return out;
}

const text = array(constantFrom('a', '`', ' ', '  ', '\n', '\r\n', '\t', '- b', '\n\n\n'), {
  maxLength: 12,
}).map((parts) => parts.join(''));

test.each<[string | undefined, acp.ContentBlock]>([
  ['a', {type: 'text', text: 'a'}],
  ['[n](file:///a)', {type: 'resource_link', name: 'n', uri: 'file:///a'}],
  ['[t](file:///a)', {type: 'resource_link', name: 'n', title: 't', uri: 'file:///a'}],
  ['a', {type: 'resource', resource: {uri: 'file:///a', text: 'a'}}],
  [undefined, {type: 'resource', resource: {uri: 'file:///a', blob: 'YQ=='}}],
  [undefined, {type: 'image', data: 'YQ==', mimeType: 'image/png'}],
  [undefined, {type: 'text', text: 'a', annotations: {audience: ['assistant']}}],
])('the answer has the text %s of %j', (text, content) => {
  expect(spokenText(content)).toBe(text);
});

test('a message that begins anew with what is not text keeps nothing of what was said before', () => {
  const image = {type: 'image', data: 'YQ==', mimeType: 'image/png'} as const;
  const answer = createAnswer();
  let state = reduceEvents(opened, prompted('go'));
  const chunks = [
    says('SECRET', 'm'),
    withReplacement({sessionUpdate: 'agent_message_chunk' as const, messageId: 'm', content: image}),
    says('ok', 'm'),
  ];
  const parts = chunks.map((chunk) => {
    const event = {...update(chunk), at: 0} as SessionEvent;
    state = reduce(state, event);
    return answer.onEvent(event, state);
  });
  expect(answer.messages()).toEqual(['ok']);
  expect(parts).toMatchObject([{text: 'SECRET'}, {text: '', replaces: true}, {text: 'ok'}]);
});

test('a prompt that is sent again after a limit is answered anew', () => {
  const answer = createAnswer();
  let state = opened;
  const events = [prompted('go'), update(says('Limit reached.')), ended('refusal'), prompted('go', 2)];
  const parts = [...events, update(says('Done.')), ended('end_turn', 2)].map((event) => {
    state = reduceEvents(state, event);
    return answer.onEvent({...event, at: 0}, state)?.message;
  });
  expect(parts.filter(Boolean)).toEqual([1, 2]);
  expect([answer.messages(), answer.lastMessage()]).toEqual([['Done.'], 'Done.']);
});

describe('messages that stream', () => {
  test('give the same text however they are split into chunks', () => {
    assert(
      property(array(array(text, {maxLength: 4}), {maxLength: 4}), (messages) => {
        const parts = messages.flatMap((chunks, index) =>
          chunks.filter((chunk) => chunk !== '').map((chunk) => ({message: index + 1, text: chunk})),
        );
        const said = messages
          .map((chunks) => trimMessage(chunks.join('')))
          .filter((message) => message !== '');
        expect(streamed(parts)).toBe(said.length === 0 ? '' : `${said.join('\n\n')}\n`);
      }),
    );
  });

  test('keep the indentation of a first line', () => {
    expect(streamed([{message: 1, text: '\n\n    code\n'}])).toBe('    code\n');
  });

  test('keep the space between words of a message while another one has none', () => {
    const [hello, blank, world] = [
      {message: 1, text: 'Hello\n\n'},
      {message: 2, text: '\n'},
      {message: 1, text: 'World'},
    ];
    expect(streamed([hello, blank, world])).toBe('Hello\n\nWorld\n');
    expect(streamed([hello, {message: 2, text: 'x'}, {message: 1, text: ' World'}])).toBe(
      'Hello\n\nx\n\n World\n',
    );
  });

  test('are clean and whole although a line end or a character is split between chunks', () => {
    let out = '';
    const stream = createMessageStream((text) => (out += text), sanitize);
    for (const text of ['one\r', '\ntwo \u001b[1m', 'three \ud83d', '\ude00.\ud83d'])
      stream.push({message: 1, messageId: null, text});
    expect(out).toBe('one\ntwo three 😀.');
  });

  test('write what is visible at once, not at the end of the message', () => {
    let out = '';
    const stream = createMessageStream((text) => (out += text));
    stream.push({message: 1, messageId: null, text: 'Hello'});
    expect(out).toBe('Hello');
  });

  test('continue with one empty line after another line on the terminal', () => {
    let out = '';
    const stream = createMessageStream((text) => (out += text));
    stream.breakLine();
    stream.push({message: 1, messageId: null, text: 'One'});
    stream.breakLine();
    stream.breakLine();
    out += '[tool]\n';
    stream.push({message: 2, messageId: null, text: 'Two'});
    stream.breakLine();
    stream.end();
    expect(out).toBe('One\n[tool]\n\nTwo\n');
  });
});
