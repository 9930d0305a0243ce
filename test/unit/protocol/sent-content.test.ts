import {cancelledStep} from '../../support/session/build.ts';
import * as fc from 'fast-check';
import {expect, test} from 'vitest';
import {createSentUpdates} from '../../../src/protocol/agent-side/sent-updates.ts';
import {withCleared} from '../../../src/session/transcript/patches.ts';
import type {JsonObject} from '../../../src/text/json.ts';
import {contentAfter} from '../../support/version-2-content.ts';

const part = (text: string) => ({type: 'content', content: {type: 'text', text}});
const diff = (path: string) => ({type: 'diff', path, oldText: 'a\n', newText: 'b\n'});
const update = (fields: JsonObject): JsonObject => ({
  sessionUpdate: 'tool_call_update',
  toolCallId: 'c',
  ...fields,
});

/** What is sent of updates one after the other. */
function sentOf(...updates: readonly JsonObject[]): readonly (readonly JsonObject[])[] {
  const sent = createSentUpdates();
  return updates.map((each) => sent.translate(each));
}

const chunk = (text: string) => ({
  sessionUpdate: 'tool_call_content_chunk',
  toolCallId: 'c',
  content: part(text),
});

test('of content that grows, what is new is sent, then what else has changed', () => {
  const grown = update({content: ['a', 'b', 'c'].map(part), title: 'Run', status: 'in_progress'});
  expect(sentOf(update({content: [part('a')]}), grown)[1]).toEqual([
    chunk('b'),
    chunk('c'),
    update({title: 'Run', status: 'in_progress'}),
  ]);
});

test('content that stays is not sent again', () => {
  const first = update({content: [part('a')]});
  const [, same, ended] = sentOf(first, first, update({content: [part('a')], status: 'completed'}));
  expect(same).toEqual([]);
  expect(ended).toEqual([update({status: 'completed'})]);
});

test.each([
  ['is shorter', [update({content: ['a', 'b'].map(part)})]],
  ['was changed', [update({content: [part('x')]})]],
  ['is of a call that has ended', [update({content: [part('a')], status: 'completed'})]],
  ['is of a call that begins', [update({content: [part('a')]}), update({sessionUpdate: 'tool_call'})]],
  ['was cleared', [update({content: [part('a')]}), update(withCleared({content: null}))]],
])('content that %s is sent as a whole', (_, before) => {
  const whole = update({content: [part('a')]});
  expect(sentOf(...before, whole).at(-1)).toEqual([whole]);
});

test('what a client may have otherwise is sent as a whole', () => {
  const sent = createSentUpdates();
  const grown = update({content: ['a', 'b'].map(part)});
  for (const forget of [() => sent.forgetCall('c'), () => sent.forgetCall()]) {
    sent.translate(update({content: [part('a')]}));
    forget();
    expect(sent.translate(grown)).toEqual([grown]);
  }
});

const contents = fc.array(fc.constantFrom(part('a'), part('b'), diff('/f')), {maxLength: 4});
const updates = fc.record(
  {
    sessionUpdate: fc.constantFrom('tool_call', 'tool_call_update', 'tool_call_update', 'tool_call_update'),
    toolCallId: fc.constantFrom('c', 'd'),
    content: contents,
    status: fc.constantFrom('pending', 'in_progress', 'completed', 'failed'),
    title: fc.constantFrom('one', 'two'),
    clears: fc.constant(true),
  },
  {requiredKeys: ['sessionUpdate', 'toolCallId']},
);

test('a client has the same content, whatever is sent of it', () => {
  fc.assert(
    fc.property(fc.array(updates), (drawn) => {
      const all = drawn.map(({clears, ...each}): JsonObject =>
        clears ? withCleared({...each, content: null}) : {...each},
      );
      const pieces = sentOf(...all).flat();
      const wholes = all.flatMap((each) => sentOf(each).flat());
      for (const id of ['c', 'd']) expect(contentAfter(pieces, id)).toEqual(contentAfter(wholes, id));
    }),
  );
});

test('a step of a plan that was cancelled is sent as such', () => {
  const [sent] = createSentUpdates().translate({
    sessionUpdate: 'plan',
    entries: [{...cancelledStep('Drop')}],
  });
  expect(sent).toMatchObject({plan: {entries: [{content: 'Drop', priority: 'high', status: 'cancelled'}]}});
  expect(JSON.stringify(sent)).not.toContain('_meta');
});
