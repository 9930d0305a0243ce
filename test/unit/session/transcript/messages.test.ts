import {describe, expect, it} from 'vitest';
import {messageText} from '../../../../src/session/selectors.ts';
import {
  ended,
  entriesOf,
  reduceEvents,
  only,
  opened,
  prompted,
  says,
  text,
  thinks,
  reduceUpdates,
  types,
} from '../../../support/session/build.ts';

describe('chunks without IDs', () => {
  it('are one message as long as nothing else arrives', () => {
    const session = reduceUpdates(opened, says('Hel'), says('lo'));
    expect(only(session, 'agent_message').content).toEqual([text('Hello')]);
  });

  it('start a new message after a thought', () => {
    const session = reduceUpdates(opened, says('one'), thinks('hm'), says('two'));
    expect(types(session)).toEqual(['agent_message', 'agent_thought', 'agent_message']);
  });

  it('start a new message after a tool call', () => {
    const session = reduceUpdates(
      opened,
      says('before'),
      {sessionUpdate: 'tool_call', toolCallId: 't', title: 'Read'},
      says('after'),
    );
    expect(entriesOf(session, 'agent_message').map(messageText)).toEqual(['before', 'after']);
  });

  it('continue after an update of that tool call in between', () => {
    const session = reduceUpdates(
      opened,
      {sessionUpdate: 'tool_call', toolCallId: 't', title: 'Read'},
      says('af'),
      {sessionUpdate: 'tool_call_update', toolCallId: 't', status: 'completed'},
      says('ter'),
    );
    expect(messageText(only(session, 'agent_message'))).toBe('after');
  });

  it('are not split by a notice or by something unknown', () => {
    const session = reduceUpdates(
      opened,
      says('in '),
      {sessionUpdate: 'notice', severity: 'info', title: 'Heads up'},
      {sessionUpdate: '_unknown', kind: 'weather', json: '{}'},
      says('one piece'),
    );
    expect(messageText(only(session, 'agent_message'))).toBe('in one piece');
  });

  it('that are empty start nothing and interrupt nothing', () => {
    const session = reduceUpdates(opened, says('a'), thinks(''), says(''), says('b'));
    expect(types(session)).toEqual(['agent_message']);
  });
});

describe('chunks with IDs', () => {
  it('are one message even with other updates between them', () => {
    const session = reduceUpdates(
      opened,
      says('one ', 'm1'),
      says('other', 'm2'),
      {sessionUpdate: 'tool_call', toolCallId: 't', title: 'Read'},
      says('message', 'm1'),
    );
    expect(entriesOf(session, 'agent_message').map(messageText)).toEqual(['one message', 'other']);
  });

  it('start a new message when the ID changes', () => {
    const session = reduceUpdates(opened, says('one', 'm1'), says('two', 'm2'));
    expect(entriesOf(session, 'agent_message')).toHaveLength(2);
  });

  it('do not join a message of an earlier session', () => {
    const before = reduceUpdates(opened, says('old', 'm1'));
    const session = reduceUpdates(
      reduceEvents(before, {
        type: 'session_opened',
        how: 'new',
        session: {sessionId: 's2', cwd: '/project', additionalDirectories: []},
      }),
      says('new', 'm1'),
    );
    expect(entriesOf(session, 'agent_message').map(messageText)).toEqual(['old', 'new']);
  });
});

describe('a message', () => {
  it('is complete once something else starts, and open again when more of it arrives', () => {
    const interrupted = reduceUpdates(opened, says('a', 'm1'), thinks('hm'));
    expect(only(interrupted, 'agent_message').complete).toBe(true);
    const goesOn = reduceUpdates(interrupted, says('b', 'm1'));
    expect(only(goesOn, 'agent_message').complete).toBe(false);
    const over = reduceUpdates(goesOn, {sessionUpdate: 'tool_call', toolCallId: 't', title: 'Read'});
    expect(only(over, 'agent_message').complete).toBe(true);
    expect(only(over, 'agent_thought').complete).toBe(true);
  });

  it('is complete when the turn ends', () => {
    const session = reduceEvents(
      reduceUpdates(reduceEvents(opened, prompted('hi')), says('hello', 'm1')),
      ended('end_turn'),
    );
    expect(only(session, 'agent_message').complete).toBe(true);
  });

  it('keeps annotations: text for another audience is a separate block and is not displayed', () => {
    const annotations = {audience: ['assistant' as const]};
    const session = reduceUpdates(
      opened,
      says('seen '),
      {sessionUpdate: 'agent_message_chunk', content: {type: 'text', text: 'secret', annotations}},
      {sessionUpdate: 'agent_message_chunk', content: {type: 'text', text: ' notes', annotations}},
      says('again'),
    );
    const entry = only(session, 'agent_message');
    expect(entry.content).toEqual([text('seen '), {...text('secret notes'), annotations}, text('again')]);
    expect(messageText(entry)).toBe('seen again');
  });

  it('keeps images between its text', () => {
    const picture = {type: 'image' as const, mimeType: 'image/png', data: 'aGk='};
    const session = reduceUpdates(
      opened,
      says('look: '),
      {sessionUpdate: 'agent_message_chunk', content: picture},
      says('nice'),
    );
    expect(only(session, 'agent_message').content).toEqual([text('look: '), picture, text('nice')]);
  });
});
