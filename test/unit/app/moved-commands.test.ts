import {expect, test} from 'vitest';
import {findOwnCommand} from '../../../src/app/commands/index.ts';
import {movedCommands} from '../../../src/app/commands/moved-commands.ts';
import {menuOf} from '../../../src/app/completion/menu.ts';
import {openWindow} from '../../support/window/app-window.ts';

test.each([
  ['/find race condition', '/find is now /resume.', {kind: 'find_sessions', scope: 'folder'}],
  [
    '/archive',
    '/archive is now /resume, where → lists what can be done with a session.',
    {kind: 'find_sessions'},
  ],
  ['/unarchive', '/unarchive is now /resume, where →', {kind: 'find_sessions'}],
  ['/undelete', '/undelete is now /resume, where →', {kind: 'find_sessions'}],
  ['/changes', '/changes is now /review turn.', {kind: 'show_changes'}],
  ['/diff', '/diff is now /review turn.', {kind: 'show_changes'}],
  ['/vim', '/vim is now /settings editing.', {kind: 'show_settings', filter: 'editing'}],
  ['/theme', '/theme is now /settings theme.', {kind: 'show_settings', filter: 'theme'}],
  ['/theme light', '/theme is now', {kind: 'set_setting', name: 'theme', value: 'light'}],
  ['/log', '/log is now /status log.', {kind: 'show_log'}],
  ['/statusline', '/statusline is here /settings statusLine.', {kind: 'show_settings', filter: 'statusLine'}],
  ['/approve edits', '/approve is now /permissions.', {action: 'setApproval', args: ['edits']}],
])('%s does what it is now, and says where that is', (typed, told, effect) => {
  const window = openWindow();
  window.say(typed);
  expect(window.effects).toContainEqual(expect.objectContaining(effect));
  expect(window.state.toast?.text).toContain(told);
  expect(window.draft).toBe('');
});

test('what follows an old name is its argument', () => {
  const window = openWindow();
  for (const name of ['/find', '/archive', '/undelete']) {
    window.say(`${name} race condition`);
    expect(window.state.overlay).toMatchObject({picker: {filter: 'race condition'}});
    window.press('escape');
  }
});

test('a turn that follows an old name of its changes is reviewed', () => {
  const window = openWindow();
  window.say('/diff 3');
  expect(window.performed('show_review')).toMatchObject([{range: {kind: 'turn', turn: 3}}]);
});

test('what is a key now is done as with the key', () => {
  const window = openWindow();
  window.say('/fullscreen');
  expect(window.state.screen).toBe('full');
  expect(window.state.toast?.text).toBe('/fullscreen is now Ctrl+X f, or /settings screen.');
  window.say('/history');
  expect(window.state.overlay).toMatchObject({picker: {purpose: {kind: 'history'}}});
  window.press('escape');
  window.say('go');
  window.failTurn({kind: 'agent_error', method: 'session/prompt', code: 429, message: 'slow down'});
  window.say('/retry');
  expect(window.sent).toEqual(['go', 'go']);
});

test('the menu has an old name only if that is typed, with its new place', () => {
  const window = openWindow();
  window.type('/');
  expect(menuOf(window.state)?.items.filter(({source}) => source === 'moved')).toEqual([]);
  window.type('chan');
  expect(menuOf(window.state)?.items).toMatchObject([{text: '/changes', description: 'now /review turn'}]);
});

test('the values of what it is now complete an old name', () => {
  const window = openWindow();
  window.type('/approve ed');
  expect(menuOf(window.state)?.items[0]?.text).toBe('/approve edits');
});

test("an agent's command has the name instead", () => {
  const window = openWindow();
  window.offer({name: 'diff', description: 'Its own'});
  window.say('/diff');
  expect(window.sent).toEqual(['/diff']);
});

test('no command has one of the old names', () => {
  expect(movedCommands.filter(({name}) => findOwnCommand(name))).toEqual([]);
});
