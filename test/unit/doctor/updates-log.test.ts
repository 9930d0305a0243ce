import {expect, test} from 'vitest';
import {createUpdatesLog} from '../../../src/doctor/updates-log.ts';
import type {Update} from '../../../src/session/events.ts';

const said = (text: string): Update => ({
  sessionUpdate: 'agent_message_chunk',
  content: {type: 'text', text},
});

test('what an agent says is kept by who said it', () => {
  const hearing = createUpdatesLog();
  hearing.add('a', {...said('hello'), sessionUpdate: 'user_message_chunk'} as Update);
  hearing.add('b', said('world'));
  expect(hearing.updates).toMatchObject([
    {sessionId: 'a', by: 'user', text: 'hello'},
    {sessionId: 'b', by: 'agent', text: 'world'},
  ]);
});

test('an agent that says more than anybody reads does not fill the memory', async () => {
  const hearing = createUpdatesLog();
  const next = hearing.next('a');
  const text = 'x'.repeat(1024 * 1024);
  for (let piece = 0; piece < 100; piece++) hearing.add('a', said(text));
  hearing.add('a', {sessionUpdate: 'plan', entries: [{content: text, priority: 'low', status: 'pending'}]});
  await next;
  const kept = hearing.updates.map((one) => one.text).join('').length;
  expect(kept).toBeGreaterThan(0);
  expect(kept).toBeLessThan(20 * text.length);
});

test('empty pieces take room as well', () => {
  const hearing = createUpdatesLog();
  for (let piece = 0; piece < 300_000; piece++) hearing.add('a', said(''));
  expect(hearing.updates.length).toBeLessThan(200_000);
});
