import {describe, expect, it} from 'vitest';
import type {Update} from '../../../src/session/events.ts';
import {entriesOf, only, opened, says, text, reduceUpdates, types} from '../../support/session/build.ts';

describe('a compaction', () => {
  const begun: Update = {sessionUpdate: 'compaction_update', compactionId: 'c', status: 'in_progress'};
  const summary = (words: string): Update => ({
    sessionUpdate: 'compaction_summary_chunk',
    compactionId: 'c',
    content: text(words),
  });

  it('keeps the position of its first update and is updated there', () => {
    const session = reduceUpdates(opened, begun, says('meanwhile'), summary('We '), summary('talked.'), {
      ...begun,
      status: 'completed',
    });
    expect(types(session)).toEqual(['compaction', 'agent_message']);
    expect(only(session, 'compaction')).toMatchObject({status: 'completed', summary: [text('We talked.')]});
  });

  it('may start with a chunk of its summary', () => {
    expect(only(reduceUpdates(opened, summary('We')), 'compaction')).toMatchObject({
      status: 'in_progress',
      summary: [text('We')],
    });
  });

  it('keeps what is omitted, and clears what is null', () => {
    const failed = reduceUpdates(opened, summary('We'), {...begun, status: 'failed', error: 'too long'});
    expect(only(reduceUpdates(failed, begun), 'compaction')).toMatchObject({
      summary: [text('We')],
      error: 'too long',
    });
    const cleared = reduceUpdates(failed, {...begun, summary: null, error: null});
    expect(only(cleared, 'compaction')).toMatchObject({summary: [], error: undefined});
  });
});

describe('a subagent', () => {
  it('is one entry, updated by its session ID', () => {
    const session = reduceUpdates(
      opened,
      {sessionUpdate: 'subagent_update', sessionId: 'sub', title: 'Research', description: 'Reads'},
      {sessionUpdate: 'subagent_update', sessionId: 'sub', state: {state: 'running'}, description: null},
      {sessionUpdate: 'subagent_update', sessionId: 'other'},
    );
    expect(entriesOf(session, 'subagent')).toMatchObject([
      {sessionId: 'sub', title: 'Research', description: undefined, state: 'running'},
      {sessionId: 'other', title: undefined},
    ]);
  });
});

describe('a message between sessions', () => {
  const chunk = (words: string): Update => ({
    sessionUpdate: 'session_message_chunk',
    messageId: 'm',
    content: text(words),
  });
  const sender: Update = {sessionUpdate: 'session_message', messageId: 'm', senderSessionId: 'a'};

  it('is one entry, whether its sender comes before, between or after its content', () => {
    const orders = [
      [sender, chunk('Hi '), chunk('there')],
      [chunk('Hi '), sender, chunk('there')],
      [chunk('Hi '), chunk('there'), sender],
    ];
    for (const order of orders)
      expect(only(reduceUpdates(opened, ...order), 'session_message')).toMatchObject({
        sender: 'a',
        content: [text('Hi there')],
      });
  });

  it('is emptied by null content and replaced by other content', () => {
    const session = reduceUpdates(opened, chunk('Hi'));
    const emptied = reduceUpdates(session, {sessionUpdate: 'session_message', messageId: 'm', content: null});
    expect(only(emptied, 'session_message').content).toEqual([]);
    const replaced = reduceUpdates(session, {
      sessionUpdate: 'session_message',
      messageId: 'm',
      content: [text('Yo')],
    });
    expect(only(replaced, 'session_message').content).toEqual([text('Yo')]);
  });
});

describe('an update of an unknown kind', () => {
  const unknown = (kind: string, json = '{}'): Update => ({sessionUpdate: '_unknown', kind, json});

  it('is shown with its content', () => {
    expect(only(reduceUpdates(opened, unknown('weather', '{"sun":1}')), 'unknown')).toMatchObject({
      kind: 'weather',
      count: 1,
      json: '{"sun":1}',
    });
  });

  it('shares an entry with its neighbors of the same kind', () => {
    const session = reduceUpdates(opened, unknown('a', '1'), unknown('b', '2'), unknown('a', '3'));
    expect(entriesOf(session, 'unknown')).toMatchObject([
      {kind: 'a', count: 2, json: '1\n3'},
      {kind: 'b', count: 1, json: '2'},
    ]);
    const later = reduceUpdates(session, says('hi'), unknown('a', '4'));
    expect(entriesOf(later, 'unknown')).toHaveLength(3);
  });

  it('cannot fill the memory, neither by its size nor by its number', () => {
    const flood = Array.from({length: 1000}, () => unknown('a', 'x'.repeat(1000)));
    const session = reduceUpdates(opened, unknown('huge', 'x'.repeat(10_000_000)), ...flood);
    const kept = entriesOf(session, 'unknown');
    expect(kept.map(({count}) => count)).toEqual([1, 1000]);
    for (const {json} of kept) expect(json.length).toBeLessThan(20_000);
  });
});
