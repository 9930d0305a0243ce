import {expect, test, vi} from 'vitest';
import {eventSender} from '../../../src/service/event-sender.ts';
import type {SessionEvents} from '../../../src/service/messages.ts';

const happened = (text: string, key = 'key'): SessionEvents => ({
  key,
  id: 'id',
  events: [{type: 'notice', level: 'info', text, at: 0}],
});

/** A sender, and what it has sent through a connection that may be closed. */
function opened({isClosed}: {readonly isClosed: boolean}) {
  const sent: unknown[] = [];
  const sendNotification = (_: unknown, ...events: readonly unknown[]): Promise<void> => {
    sent.push(...events);
    if (isClosed) throw new Error('Connection is disposed.');
    return Promise.resolve();
  };
  const send = eventSender({sendNotification}, {maxUnread: 10, disconnect: () => undefined});
  return {send, sent};
}

test('nothing but the events is lost when the client has gone', async () => {
  const {send, sent} = opened({isClosed: true});
  send(happened('one'));
  await vi.waitUntil(() => sent.length === 1);
  send(happened('two'));
  await vi.waitUntil(() => sent.length === 2);
  expect(sent).toEqual([happened('one'), happened('two')]);
});

test('events of one turn of the event loop are one message for each session', async () => {
  const {send, sent} = opened({isClosed: false});
  send(happened('one'));
  send(happened('of another', 'other'));
  send(happened('two'));
  await vi.waitUntil(() => sent.length === 2);
  expect(sent).toMatchObject([
    {key: 'key', events: [{text: 'one'}, {text: 'two'}]},
    {key: 'other', events: [{text: 'of another'}]},
  ]);
});
