import {describe, expect, test} from 'vitest';
import {restoredSession} from '../../../../src/session/lifecycle/opening.ts';
import {sessionTitle} from '../../../../src/session/titles.ts';
import {calls, reduceEvents, opened, prompted, says, update} from '../../../support/session/build.ts';
import {summary, sessionOpenedEvent, userSays, conversation} from './replayed.ts';

describe('a resumed session', () => {
  test('has everything that it had, and what the response left out', () => {
    const modes = {currentModeId: 'a', availableModes: [{id: 'a', name: 'A'}]};
    const before = {...conversation, modes};
    const state = reduceEvents(before, sessionOpenedEvent('resume'));
    expect(state.entries).toBe(before.entries);
    expect(state.modes).toBe(modes);
    expect(state.unused).toBe(false);
  });

  test('that is a fork has another ID and says so', () => {
    const state = reduceEvents(conversation, sessionOpenedEvent('fork', 's2'));
    expect(state.sessionId).toBe('s2');
    expect(state.sessionStart).toBe(0);
    expect(summary(state).at(-1)).toMatch(/Forked from here/);
  });

  test('that is a fork has nothing of what the agent reported of the original one', () => {
    const working = reduceEvents(conversation, update({sessionUpdate: 'cursor_update', cursorId: 'k'}));
    expect(reduceEvents(working, sessionOpenedEvent('fork', 's2')).live).toBeUndefined();
  });

  test('after another one starts over, and says so', () => {
    const state = reduceEvents(
      conversation,
      {type: 'replay_started'},
      update(userSays('elsewhere')),
      sessionOpenedEvent('load', 's9'),
    );
    expect(summary(state).slice(-2)).toEqual([expect.stringMatching(/Another session/), 'elsewhere']);
    expect(sessionTitle(state)).toBe('elsewhere');
  });

  test('from an earlier run is idle: its turn was interrupted, nothing waits', () => {
    const cut = reduceEvents(
      opened,
      prompted('q'),
      update(calls('t', {status: 'in_progress'})),
      update(says('half')),
    );
    const session = restoredSession(cut, 99);
    expect(session).toMatchObject({turn: {kind: 'idle'}, streaming: [], connection: {kind: 'starting'}});
    expect(summary(session)).toEqual(['q', 't cancelled', 'half', 'turn_end']);
    expect(restoredSession(conversation, 99).entries).toEqual(conversation.entries);
  });

  test('from an earlier run says that acp-tui quit, and counts no time in between', () => {
    const cut = reduceEvents(opened, prompted('q'), {...update(says('half')), at: 2_000});
    const {lastTurn} = restoredSession(cut, 90_000_000);
    expect(lastTurn).toMatchObject({outcome: {kind: 'failed', failure: {kind: 'interrupted'}}});
    expect(lastTurn?.durationMs).toBeLessThanOrEqual(2_000);
  });

  test('that is still open elsewhere does not say that its turn was interrupted', () => {
    const {lastTurn} = restoredSession(reduceEvents(opened, prompted('q')), 99, {isOpen: true});
    expect(lastTurn?.outcome).toEqual({
      kind: 'failed',
      failure: {kind: 'interrupted', stillRunning: true},
    });
  });
});

describe('the title of a session', () => {
  test('is the agent’s, else the start of the first prompt', () => {
    expect(sessionTitle(opened)).toBeUndefined();
    expect(sessionTitle(conversation)).toBe('hello');
    const titled = reduceEvents(
      conversation,
      update({sessionUpdate: 'session_info_update', title: 'Greeting'}),
    );
    expect(sessionTitle(titled)).toBe('Greeting');
  });

  test.each(['project', '/project', ''])('is not the name of the folder: %j', (title) => {
    const titled = reduceEvents(conversation, update({sessionUpdate: 'session_info_update', title}));
    expect(sessionTitle(titled)).toBe('hello');
  });

  test('set by the user takes precedence, and can be reset', () => {
    const titled = reduceEvents(
      conversation,
      update({sessionUpdate: 'session_info_update', title: 'Greeting'}),
    );
    const own = reduceEvents(titled, {type: 'renamed', title: 'Mine', agentKnows: false});
    const changed = reduceEvents(own, update({sessionUpdate: 'session_info_update', title: 'Other'}));
    expect(sessionTitle(changed)).toBe('Mine');
    expect(sessionTitle(reduceEvents(changed, {type: 'renamed', title: '', agentKnows: false}))).toBe(
      'Other',
    );
  });

  test('is one short line', () => {
    const state = reduceEvents(opened, prompted(`first line\n\x1b[31m${'long '.repeat(100)}`));
    expect(sessionTitle(state)).toMatch(/^first line.{20,69}…$/);
  });
});
