import {expect, test} from 'vitest';
import {createUpdatesLog} from '../../../../src/modes/doctor/updates-log.ts';
import type {Update} from '../../../../src/session/events.ts';

const said = (text: string): Update => ({
  sessionUpdate: 'agent_message_chunk',
  content: {type: 'text', text},
});

test("an agent's output is kept by its source", () => {
  const log = createUpdatesLog();
  log.add('a', {...said('hello'), sessionUpdate: 'user_message_chunk'} as Update);
  log.add('b', said('world'));
  expect(log.updates).toMatchObject([
    {sessionId: 'a', by: 'user', text: 'hello'},
    {sessionId: 'b', by: 'agent', text: 'world'},
  ]);
});

test('an agent that sends too much does not fill the memory', async () => {
  const log = createUpdatesLog();
  const next = log.next('a');
  const text = 'x'.repeat(1024 * 1024);
  for (let piece = 0; piece < 100; piece++) log.add('a', said(text));
  log.add('a', {sessionUpdate: 'plan', entries: [{content: text, priority: 'low', status: 'pending'}]});
  await next;
  const kept = log.updates.map((one) => one.text).join('').length;
  expect(kept).toBeGreaterThan(0);
  expect(kept).toBeLessThan(20 * text.length);
});

test('empty chunks count as well', () => {
  const log = createUpdatesLog();
  for (let piece = 0; piece < 300_000; piece++) log.add('a', said(''));
  expect(log.updates.length).toBeLessThan(200_000);
});
