import type * as acp from '@agentclientprotocol/sdk/unstable';
import {describe, expect, test} from 'vitest';
import {providerPicker} from '../../../../../src/app/pickers/setting-pickers.ts';
import {menuOf} from '../../../../../src/app/completion/menu.ts';
import {lost, openWindow, workingWindow} from '../../../../support/window/app-window.ts';

const agents: readonly acp.AvailableCommand[] = [
  {name: 'inspect', description: 'Inspects', input: {hint: 'what'}},
  {name: 'plan', description: 'Plans'},
  {name: 'run tests', description: 'Runs them', input: {hint: ''}},
  {name: '$skill', description: 'A skill'},
  ...Array.from({length: 47}, (_, index) => ({name: `other:${index}`, description: ''})),
];

function withCommands() {
  const window = openWindow();
  window.offer(...agents);
  return window;
}

function offered(window: ReturnType<typeof openWindow>) {
  return menuOf(window.state)?.items.map((item) => item.text);
}

describe('the menu', () => {
  test("lists acp-tui's commands and all of the agent's for a single slash", () => {
    const window = withCommands();
    window.type('/');
    expect(offered(window)).toContain('/help');
    expect(offered(window)).toContain('/inspect');
    expect(menuOf(window.state)?.items.filter((item) => item.source === 'agent')).toHaveLength(51);
  });

  test("shows the agent’s commands after four of acp-tui's, and finds those by alias", () => {
    const window = withCommands();
    window.type('/');
    expect(offered(window)?.slice(0, 6)).toEqual(['/help', '/new', '/resume', '/mode', '/inspect', '//plan']);
    window.type('clea');
    expect(offered(window)).toEqual(['/new']);
  });

  test.each([
    ['/mo', ['/mode', '/model']],
    ['/tests', ['/run tests']],
    ['/run t', ['/run tests']],
    ['/$sk', ['/$skill']],
    ['//pl', ['//plan']],
  ])('filters as typed: %s', (typed, items) => {
    const window = withCommands();
    window.type(typed);
    expect(offered(window)).toEqual(items);
  });

  test('completes the selected command with Tab, with a space if an argument can follow', () => {
    const window = withCommands();
    window.type('/mo');
    window.press('down', 'tab');
    expect(window.draft).toBe('/model ');
    window.press('ctrl+c');
    window.type('/run');
    window.press('tab');
    expect(window.draft).toBe('/run tests');
  });

  test('runs the selected command with Enter', () => {
    const window = withCommands();
    window.type('/hel');
    window.press('enter');
    expect(window.state.overlay).toMatchObject({kind: 'picker', picker: {title: 'Help'}});
    expect(window.draft).toBe('');
  });

  test('is closed by Esc until another command is started', () => {
    const window = withCommands();
    window.type('/mo');
    window.press('escape', 'd');
    expect(menuOf(window.state)).toBeUndefined();
    window.press('ctrl+c', '/');
    expect(menuOf(window.state)).toBeDefined();
  });

  test('leaves the arrows to the history while browsing it', () => {
    const window = withCommands();
    for (const text of ['/status', 'hello']) {
      window.say(text);
      window.press('escape');
    }
    window.endTurn();
    window.press('up', 'up');
    expect(window.draft).toBe('/status');
    window.press('down');
    expect(window.draft).toBe('hello');
  });
});

describe('text that starts with a slash', () => {
  test.each([
    ['/inspect this', '/inspect this'],
    ['//plan all', '/plan all'],
    ['//run tests', '/run tests'],
    ['//nothing known', '//nothing known'],
    ['/usr/bin is full', '/usr/bin is full'],
    [' /help', ' /help'],
    ['/', '/'],
  ])('%j is sent to the agent as %j', (typed, sent) => {
    const window = withCommands();
    window.paste(typed);
    window.press('escape', 'enter');
    expect(window.sent).toEqual([sent]);
  });

  test.each([
    ['/hlep', 'Unknown command /hlep. Did you mean /help? Press Enter again to send it to the agent.'],
    ['/eixt now', 'Unknown command /eixt. Did you mean /exit? Press Enter again to send it to the agent.'],
    [
      '/inpsect this',
      'Unknown command /inpsect. Did you mean /inspect? Press Enter again to send it to the agent.',
    ],
    ['/zzzzzzzz', 'Unknown command /zzzzzzzz. Press Enter again to send it to the agent.'],
  ])('%j is sent only after a second Enter', (typed, reported) => {
    const window = withCommands();
    window.paste(typed);
    window.press('escape', 'enter');
    expect([window.sent, window.draft, window.state.toast?.text]).toEqual([[], typed, reported]);
    window.press('enter');
    expect([window.sent, window.draft, window.state.toast]).toEqual([[typed], '', undefined]);
  });

  test('is sent if the agent may still list the command', () => {
    const window = openWindow();
    window.say('/inspect');
    expect(window.sent).toEqual(['/inspect']);
    window.endTurn();
    window.say('/inspect');
    expect(window.sent).toEqual(['/inspect']);
    expect(window.state.toast?.text).toContain('Unknown command /inspect');
  });

  test('is confirmed again after a change', () => {
    const window = withCommands();
    window.say('/zzz');
    window.type('y');
    window.press('enter');
    expect(window.sent).toEqual([]);
    expect(window.state.toast?.text).toContain('/zzzy');
  });

  test.each([
    ['/exit', {kind: 'quit'}],
    ['/clear', {action: 'openSession'}],
    ['/diff', {kind: 'show_changes'}],
    ['/log', {kind: 'show_log'}],
  ])('runs the built-in command for the alias %s', (alias, effect) => {
    const window = withCommands();
    window.say(alias);
    expect(window.effects).toContainEqual(expect.objectContaining(effect));
    expect(window.sent).toEqual([]);
  });

  test.each(['/cost', '/context'])('%s shows the status', (alias) => {
    const window = withCommands();
    window.say(alias);
    expect(window.performed('show_status')).toHaveLength(1);
  });

  test("runs the agent's command for an alias that it lists", () => {
    const window = openWindow();
    window.offer({name: 'context', description: 'Its own'});
    window.say('/context');
    expect(window.sent).toEqual(['/context']);
  });

  test('prefers the built-in command over the agent’s', () => {
    const window = withCommands();
    window.say('/plan');
    expect(window.sent).toEqual([]);
    expect(window.state.overlay).toMatchObject({title: 'Plan'});
  });

  test('is kept and reported if the command accepts no argument', () => {
    const window = withCommands();
    window.say('/plan the work');
    expect(window.state.toast?.text).toContain('//plan');
    expect(window.draft).toBe('/plan the work');
    expect(window.state.overlay.kind).toBe('none');
  });

  test.each(['/mode', '/fork', '/new', '/add-dir ..', '/login', '/logout', '/providers'])(
    'of an ended session names what opens it again: %s',
    (text) => {
      const window = openWindow({ready: false});
      window.connect({kind: 'closed'});
      window.say(text);
      expect(window.state.toast?.text).toBe('This session has ended; /restart opens it again.');
    },
  );

  test('is kept and explained if the command is unavailable', () => {
    const window = openWindow({ready: false});
    window.say('/mode');
    expect(window.state.toast?.text).toContain('still opening');
    expect(window.draft).toBe('/mode');
    window.connect({kind: 'ready'});
    window.press('enter');
    expect(window.state.toast?.text).toBe('This agent has no modes.');
  });
});

describe('the commands', () => {
  test.each([
    ['/new --worktre fix', 'Unknown argument "--worktre fix". Usage: /new [--worktree [name]].'],
    ['/new fix the flaky test', 'Unknown argument "fix the flaky test". Usage: /new [--worktree [name]].'],
    ['/clear now', 'Unknown argument "now". Usage: /new [--worktree [name]].'],
    ['/status all', 'Unknown argument "all". Usage: /status [log].'],
    ['/review 3', 'Unknown argument "3". Usage: /review [session | turn number].'],
    ['/changes session', 'Unknown argument "turn session". Usage: /review [session | turn number].'],
    ['/worktree drop', 'Unknown argument "drop". Usage: /worktree [apply|merge|keep|remove].'],
    ['/permissions forbid read', 'Unknown argument "forbid read". Usage: /permissions [log | none|'],
    ['/retry now', '/retry has no arguments.'],
  ])('%s does nothing, says what is accepted, and stays to be changed', (text, said) => {
    const window = openWindow();
    window.say(text);
    expect(window.effects).toEqual([]);
    expect(window.state.toast?.text).toContain(said);
    expect(window.draft).toBe(text);
  });

  test.each([
    ['/new', {action: 'openSession', args: [{kind: 'new'}]}],
    ['/new --worktree', {kind: 'open_worktree', session: 'main'}],
    ['/new -w fix', {kind: 'open_worktree', session: 'main', name: 'fix'}],
  ])('%s begins a session', (text, effect) => {
    const window = openWindow();
    window.say(text);
    expect(window.effects).toContainEqual(expect.objectContaining(effect));
  });

  test('/new, /status log and /quit are passed to the client', () => {
    const window = openWindow();
    for (const command of ['/new', '/status log', '/quit']) window.say(command);
    expect(window.effects.filter(({kind}) => kind !== 'save_history')).toEqual([
      {kind: 'call', key: 'main', action: 'openSession', args: [{kind: 'new'}]},
      {kind: 'show_log', key: 'main'},
      {kind: 'quit'},
    ]);
  });

  test('/permissions accepts a level to auto-approve, and lists all for an unknown one', () => {
    const window = openWindow();
    window.say('/permissions edits');
    expect(window.open.session.approval).toBe('edits');
    expect(window.called('setApproval')).toEqual([['edits']]);
    window.say('/permissions most');
    expect(window.open.session.approval).toBe('edits');
    expect(window.state.toast?.text).toContain('none|reads|edits|all');
  });

  test('Alt+R sends the last prompt again', () => {
    const window = openWindow();
    window.press('alt+r');
    expect(window.state.toast?.text).toBe('No prompt sent yet.');
    window.say('go');
    window.press('alt+r');
    expect(window.state.toast?.text).toContain('A turn is running');
    window.failTurn({kind: 'agent_error', method: 'session/prompt', code: 429, message: 'slow down'});
    window.press('alt+r');
    expect(window.sent).toEqual(['go', 'go']);
  });

  test('Alt+R after a crash does not send the prompt twice', () => {
    const window = workingWindow();
    window.connect({kind: 'lost', failure: lost});
    window.press('escape', 'alt+r');
    window.connect({kind: 'ready'});
    expect(window.sent).toEqual(['go', 'go']);
    window.endTurn();
    expect(window.sent).toEqual(['go', 'go']);
  });

  test('/login lists the methods when the agent requires a sign-in', () => {
    const window = openWindow({ready: false});
    window.say('/login');
    expect(window.state.toast?.text).toContain('still opening');
    window.press('ctrl+c');
    window.connect({kind: 'authentication_required', methods: [{id: 'key', name: 'API key'}]});
    window.say('/login');
    window.wait(1000);
    window.press('enter');
    expect(window.called('authenticate')).toEqual([['key']]);
  });

  test('/login changes the account in an open session, between turns', () => {
    const window = openWindow();
    const response = {protocolVersion: 1, authMethods: [{id: 'key', name: 'API key'}]};
    window.agent({type: 'agent_initialized', response, fallbackName: 'demo'});
    window.say('go');
    window.say('/login');
    expect(window.state.toast?.text).toBe('A turn is running; Esc cancels it.');
    window.press('ctrl+u');
    window.endTurn();
    window.say('/login');
    expect(window.state.overlay).toMatchObject({picker: {title: 'Sign in', items: [{label: 'API key'}, {}]}});
    window.agent({type: 'auth_status_reported', status: {state: 'authenticated'}});
    expect(window.state.overlay.kind).toBe('picker');
    window.press('escape');
    expect(window.state.toast?.text).not.toContain('Not signed in');
  });

  test.each([
    [{}, []],
    [{providers: {}}, [{kind: 'show_providers', key: 'main'}]],
  ])('/providers of an agent with %j', (agentCapabilities, effects) => {
    const window = openWindow();
    const response = {protocolVersion: 1, agentCapabilities};
    window.agent({type: 'agent_initialized', response, fallbackName: 'demo'});
    window.say('/providers');
    expect(window.performed('show_providers')).toEqual(effects);
    const said = effects.length === 0 ? "This agent's providers cannot be configured." : undefined;
    expect(window.state.toast?.text).toBe(said);
  });

  test('the selected provider is configured', () => {
    const window = openWindow();
    const picker = providerPicker([{providerId: 'main-llm', supported: ['openai'], required: false}]);
    window.dispatch({type: 'overlay_opened', overlay: {kind: 'picker', picker}});
    window.press('enter');
    expect(window.called('configureProvider')).toEqual([['main-llm']]);
  });

  test('/login says so if the agent has no method', () => {
    const window = openWindow();
    window.agent({type: 'agent_initialized', response: {protocolVersion: 1}, fallbackName: 'demo'});
    window.say('/login');
    expect(window.state.toast?.text).toBe('This agent has no sign-in methods.');
  });
});
