import {describe, expect, test} from 'vitest';
import type {Failure} from '../../../../../src/shared/failure.ts';
import {openWindow} from '../../../../support/window/app-window.ts';
import {sessionRow} from '../../../../support/session/session-row.ts';

describe('without a session', () => {
  const lacking = {kind: 'cannot_continue', sessionId: 's1', lacks: 'load'} as const;

  function without(failure: Failure = lacking): ReturnType<typeof openWindow> {
    const window = openWindow();
    window.say('hello');
    window.update({sessionUpdate: 'agent_message_chunk', content: {type: 'text', text: 'Hi.'}});
    window.endTurn();
    window.wait(1000);
    window.connect({kind: 'no_session', failure});
    window.wait(1000);
    return window;
  }

  test('the user selects how to continue, and Enter alone sends nothing', () => {
    const window = without();
    expect(window.state.overlay).toMatchObject({
      picker: {
        title: "The agent can't resume this session.",
        items: [
          {id: 'new_with_context'},
          {id: 'new'},
          {id: 'resume'},
          {id: 'retry'},
          {id: 'stay'},
          {id: 'quit'},
        ],
      },
    });
    window.press('enter');
    expect(window.called('openSession')).toEqual([[{kind: 'new'}]]);
    expect(window.draft).toMatch(/User: hello\nAgent: Hi\./);
    expect(window.sent).toEqual(['hello']);
  });

  test('retrying requests the same session', () => {
    const window = without();
    window.press('down', 'down', 'down', 'enter');
    expect(window.called('openSession')).toEqual([[{kind: 'continue', sessionId: 's1'}]]);
  });

  test('one unknown to the agent is not reported as missing: its transcript is here', () => {
    const window = without({kind: 'no_such_session', wanted: 's1'});
    expect(window.state.overlay).toMatchObject({
      picker: {
        title: 'The agent no longer has this session',
        items: [{id: 'new_with_context'}, {}, {}, {}, {}, {}],
      },
    });
  });

  const open = [{kind: 'new'}];

  /** A window that has selected no session yet. */
  function unselected(): ReturnType<typeof openWindow> {
    const window = openWindow({ready: false});
    window.wait(1000);
    window.connect({kind: 'no_session', failure: undefined});
    window.wait(1000);
    return window;
  }

  test('a prompt opens a session, in which it is sent', () => {
    const window = unselected();
    window.say('hello');
    expect(window.called('openSession')).toEqual([open]);
    window.connect({kind: 'starting', step: 'opening_session', since: 0});
    window.connect({kind: 'no_session', failure: undefined});
    expect(window.called('openSession')).toEqual([open]);
    window.connect({kind: 'ready'});
    expect(window.sent).toEqual(['hello']);
  });

  test('closing the list of sessions opens one, also while the agent starts', () => {
    const window = unselected();
    window.say('/resume');
    window.press('escape');
    expect(window.called('openSession')).toEqual([open]);
    const starting = openWindow({ready: false});
    starting.say('/resume');
    starting.press('escape');
    expect(starting.called('openSession')).toEqual([]);
    starting.connect({kind: 'no_session', failure: undefined});
    expect(starting.called('openSession')).toEqual([open]);
  });

  test('selecting a session opens no other one, for a prompt that waits neither', () => {
    const window = openWindow({ready: false});
    window.say('hello');
    window.say('/resume');
    window.connect({kind: 'no_session', failure: undefined});
    const rows = [sessionRow('a')];
    window.dispatch({type: 'sessions_found', list: {scope: 'folder', isGrowing: false, rows, at: 1}});
    window.press('enter');
    expect(window.performed('resume_session')).toEqual([{kind: 'resume_session', row: 'a', fork: false}]);
    expect(window.called('openSession')).toEqual([]);
  });

  test('an empty one has nothing to send', () => {
    const window = unselected();
    expect(window.state.overlay).toEqual({kind: 'none'});
    window.press('enter');
    expect(window.state.overlay).toMatchObject({
      picker: {title: 'No session open', items: [{id: 'new'}, {id: 'resume'}, {id: 'stay'}, {id: 'quit'}]},
    });
  });
});
