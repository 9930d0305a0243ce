import {describe, expect, test} from 'vitest';
import {hintLine} from '../../../../support/window/hint-text.ts';
import {stallText} from '../../../../../src/app/status/progress.ts';
import type {AuthMethod} from '../../../../../src/shared/authentication.ts';
import {lost, openWindow} from '../../../../support/window/app-window.ts';

const methods: readonly AuthMethod[] = [
  {id: 'terminal', name: 'In a terminal', type: 'terminal', args: ['--login', 'now']},
  {id: 'key', name: 'API key'},
  {id: 'thoughts', name: 'Thoughts', type: 'unknown', kind: 'telepathy'},
];

/** A quiet window whose agent has just stopped. */
function stopped() {
  const window = openWindow();
  window.wait(1000);
  window.connect({kind: 'lost', failure: lost});
  return window;
}

/** A quiet window whose agent requires a sign-in. */
function asksToSignIn() {
  const window = openWindow({ready: false});
  window.wait(1000);
  window.connect({kind: 'authentication_required', methods});
  return window;
}

test('a prompt that a hook has blocked was not interrupted; the rest of the queue waits', () => {
  const window = openWindow();
  window.say('one');
  window.say('two');
  window.failTurn({kind: 'prompt_blocked', by: 'hook: ./check.sh (user)', reason: 'No.'});
  expect(window.queue).toEqual(['two']);
  window.press('enter');
  expect(window.state.overlay.kind).toBe('none');
  expect(window.sent).toEqual(['one', 'two']);
});

describe('after the agent stopped', () => {
  test('the recovery list opens by itself after a pause in typing', () => {
    const window = stopped();
    expect(window.state.overlay).toMatchObject({picker: {title: 'The agent stopped'}});
    window.wait(1000);
    window.press('enter');
    expect(window.called('restart')).toEqual([[]]);
  });

  test('Enter with a draft does what the line says: it shows the options first, and sends afterwards', () => {
    const window = openWindow();
    window.type('half');
    window.connect({kind: 'lost', failure: lost});
    expect(hintLine(window.state)).toBe('The agent stopped · Enter show options');
    window.press('enter');
    expect(window.state.overlay).toMatchObject({picker: {title: 'The agent stopped'}});
    expect(window.draft).toBe('half');
    // A double press restarts nothing.
    window.press('enter');
    expect(window.called('restart')).toEqual([]);
    window.press('escape');
    window.wait(10_000);
    expect(hintLine(window.state)).toBe('The agent stopped · Enter show options (empty prompt)');
    window.press('enter');
    expect(window.queue).toEqual(['half']);
    window.connect({kind: 'ready'});
    expect(window.sent).toEqual(['half']);
  });

  test('a command runs, whatever is offered', () => {
    const window = openWindow();
    window.paste('/quit');
    window.connect({kind: 'lost', failure: lost});
    expect(hintLine(window.state)).toBe('The agent stopped · Enter show options (empty prompt)');
    window.press('enter');
    expect(window.performed('quit')).toHaveLength(1);
  });

  test('an Enter typed as it opens selects nothing', () => {
    const window = stopped();
    window.press('enter');
    expect(window.called('restart')).toEqual([]);
    expect(window.state.overlay.kind).toBe('picker');
  });

  test('a repeated report of the same exit does not reopen it', () => {
    const window = stopped();
    window.press('escape');
    window.connect({kind: 'lost', failure: {...lost}});
    window.wait(60_000);
    expect(window.state.overlay.kind).toBe('none');
  });

  test('nothing is restarted automatically, however often it exits', () => {
    const window = openWindow();
    for (let crash = 0; crash < 3; crash++) {
      window.connect({kind: 'ready'});
      window.connect({kind: 'lost', failure: lost});
      window.wait(1000);
    }
    expect(window.effects).toEqual([]);
  });
});

describe('when the agent requires a sign-in', () => {
  test('its methods are listed with what each needs, and one can be selected', () => {
    const window = asksToSignIn();
    window.wait(1000);
    expect(window.state.overlay).toMatchObject({
      picker: {
        items: [
          {label: 'In a terminal', description: 'runs demo --login now'},
          {label: 'API key', description: undefined, preview: ''},
          {label: 'Thoughts', disabled: expect.stringContaining('"telepathy"')},
          {label: 'Restart the agent'},
        ],
      },
    });
    window.press('enter');
    expect(window.called('authenticate')).toEqual([['terminal']]);
  });

  test('a digit selects the method of that number in a list that opened by itself, and Enter confirms it', () => {
    const window = openWindow({ready: false});
    window.connect({kind: 'authentication_required', methods});
    window.wait(2000);
    window.press('9');
    expect(hintLine(window.state)).toBe('No item has this number.');
    window.press('2');
    expect(window.called('authenticate')).toEqual([]);
    expect(window.state.overlay).toMatchObject({picker: {selected: 1}});
    window.press('enter');
    expect(window.called('authenticate')).toEqual([[methods[1]?.id]]);
    expect(window.draft).toBe('');
  });

  test('a digit that starts a prompt is no answer, and is not lost', () => {
    const window = openWindow({ready: false});
    window.connect({kind: 'authentication_required', methods});
    window.wait(2000);
    window.say('12 files are left');
    expect(window.called('authenticate')).toEqual([]);
    expect(window.queue).toEqual(['12 files are left']);
  });

  test('a digit confirms in a list that the user opened', () => {
    const window = openWindow();
    window.agent({
      type: 'agent_initialized',
      response: {protocolVersion: 1, authMethods: [...methods]},
      fallbackName: 'demo',
    });
    window.say('/login');
    window.wait(1000);
    window.press('3');
    expect(hintLine(window.state)).toContain('telepathy');
    window.press('2');
    expect(window.called('authenticate')).toEqual([[methods[1]?.id]]);
  });

  test('a digit typed as the list opened is text', () => {
    const window = openWindow({ready: false});
    window.connect({kind: 'authentication_required', methods});
    window.press('2');
    expect([window.called('authenticate'), window.draft]).toEqual([[], '2']);
  });

  test('everything passed to a program is shown, including variables that affect it invisibly', () => {
    const window = openWindow({ready: false});
    const hidden: AuthMethod = {
      id: 'hidden',
      name: 'A name that takes up much of the line in which the command should stand',
      _meta: {
        'terminal-auth': {command: 'login', args: ['a b', '\u001b[2J'], env: {LD_PRELOAD: '/tmp/x.so'}},
      },
    };
    window.connect({kind: 'authentication_required', methods: [hidden]});
    window.wait(1000);
    expect(window.state.overlay).toMatchObject({
      picker: {
        items: [
          {preview: "runs LD_PRELOAD=/tmp/x.so login 'a b' '␛[2J'"},
          {preview: expect.stringContaining("After signing in with the agent's own program")},
        ],
      },
    });
  });

  test('its list keeps its position when the agent reports the sign-in status late', () => {
    const window = openWindow({ready: false});
    window.agent({type: 'agent_initialized', response: {protocolVersion: 1}, fallbackName: 'demo'});
    window.wait(1000);
    window.connect({kind: 'authentication_required', methods});
    window.press('down');
    window.agent({type: 'auth_status_reported', status: {state: 'unauthenticated'}});
    expect(window.state.overlay).toMatchObject({
      picker: {selected: 1, note: 'The agent says: not signed in.'},
    });
  });

  test('an external sign-in restarts the agent', () => {
    const window = openWindow({ready: false});
    window.connect({kind: 'authentication_required', methods: []});
    window.wait(1000);
    window.press('enter');
    expect(window.called('restart')).toHaveLength(1);
  });

  test('the rejected prompt is sent again after the sign-in, once, followed by the queue', () => {
    const window = openWindow();
    for (const text of ['one', 'two']) window.say(text);
    window.connect({kind: 'authentication_required', methods});
    window.failTurn({kind: 'authentication_required', methods});
    expect(window.sent).toEqual(['one']);
    expect(window.queue).toEqual(['one', 'two']);
    window.connect({kind: 'starting', step: 'authenticating', since: window.now});
    window.connect({kind: 'ready'});
    expect(window.sent).toEqual(['one', 'one']);
    expect(window.sentPrompts[1]).toMatchObject({repeats: true});
    window.endTurn();
    expect(window.sent).toEqual(['one', 'one', 'two']);
  });

  test('Esc keeps it in the queue, which is held, and points to /login', () => {
    const window = openWindow();
    for (const text of ['one', 'two']) window.say(text);
    window.connect({kind: 'authentication_required', methods});
    window.failTurn({kind: 'authentication_required', methods});
    window.wait(1000);
    window.press('escape');
    expect(window.open.session.queue.isPaused).toBe(true);
    expect(window.state.toast?.text).toBe(
      'Not signed in. /login shows the methods again. Queued prompts are sent next.',
    );
    window.wait(60_000);
    expect(window.state.overlay.kind).toBe('none');
    window.say('/login');
    expect(window.state.overlay).toMatchObject({picker: {title: 'Sign in to continue'}});
    window.connect({kind: 'ready'});
    expect(window.sent).toEqual(['one', 'one']);
  });

  test('Esc cancels a sign-in in progress', () => {
    const window = openWindow({ready: false});
    window.connect({kind: 'starting', step: 'authenticating', since: window.now});
    window.press('escape');
    expect(window.called('cancel')).toEqual([[]]);
  });

  test('a repeated report opens the list once, and never over a request', () => {
    const window = asksToSignIn();
    window.connect({kind: 'authentication_required', methods, problem: 'Wrong key.'});
    expect(window.state.overlay).toMatchObject({picker: {note: 'Wrong key.'}});
    window.press('escape');
    window.wait(60_000);
    expect(window.state.overlay.kind).toBe('none');
  });
});

test('an agent that crashes three times in a row is not restarted by Enter alone', () => {
  const window = openWindow();
  for (const [index, first] of ['restart', 'restart', 'stay'].entries()) {
    window.wait(1000);
    window.connect({kind: 'lost', failure: lost});
    expect(window.state.overlay).toMatchObject({picker: {items: [{id: first}, {}, {}]}});
    window.wait(1000);
    window.press('enter');
    if (index < 2) window.connect({kind: 'ready'});
  }
  expect(window.called('restart')).toHaveLength(2);
});

test('a known agent that is not installed is offered to install', () => {
  const window = openWindow();
  window.wait(1000);
  const failure = {kind: 'command_not_found', command: 'gemini', installable: 'gemini'} as const;
  window.connect({kind: 'failed', failure});
  expect(window.state.overlay).toMatchObject({
    picker: {
      items: [
        {label: 'Install gemini'},
        {id: 'restart', description: undefined},
        {id: 'agents'},
        {id: 'stay'},
        {id: 'quit'},
      ],
    },
  });
  window.wait(1000);
  window.press('enter');
  expect(window.performed('install_agent')).toEqual([{kind: 'install_agent', id: 'gemini'}]);
});

describe('a start that hangs', () => {
  test('says after five seconds what it waits for, and Esc cancels it', () => {
    const window = openWindow();
    window.connect({kind: 'starting', step: 'initializing', since: 0});
    window.wait(4000);
    window.press('escape');
    expect(window.called('cancel')).toEqual([]);
    window.wait(2000);
    expect(stallText(window.state, window.now)).toMatch(
      /^demo has not answered initialize\. Wait, or press Esc to give up\.$/,
    );
    window.connect({
      kind: 'starting',
      step: 'initializing',
      since: 0,
      output: 'Error: not signed in\nset KEY!',
    });
    expect(stallText(window.state, window.now)).toMatch(
      /^demo has not answered initialize\. It printed: Error: not signed in \| set KEY! Wait, or/,
    );
    window.press('escape');
    expect(window.called('cancel')).toEqual([[]]);
  });

  test('or that fails offers another agent, and all of its output', () => {
    const window = openWindow();
    window.wait(1000);
    window.connect({kind: 'failed', failure: {kind: 'no_answer', method: 'initialize', seconds: 7}});
    window.wait(1000);
    window.press('down', 'down', 'enter');
    expect(window.performed('show_log')).toEqual([{kind: 'show_log', key: 'main'}]);
    window.say('');
    window.wait(1000);
    window.press('down', 'enter');
    expect(window.performed('find_agents')).toEqual([{kind: 'find_agents', ask: 'if_allowed'}]);
  });
});
