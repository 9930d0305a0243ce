import {expect, test} from 'vitest';
import type {ApprovalLevel} from '../../../../src/session/settings/approval.ts';
import {chooseFromList} from '../../../support/window/chosen.ts';
import {FIRST, openWindow, type OpenedWindow} from '../open-window.ts';

/** Lists the settings and returns one of them. */
async function setting(window: OpenedWindow, id: string) {
  const {store} = window;
  store.dispatch({type: 'overlay_closed', at: 0});
  window.sessions.perform({kind: 'show_settings', filter: ''});
  await window.until(({overlay}) => overlay.kind === 'picker');
  const [opened] = chooseFromList(store.latest(), id).events;
  if (!opened) throw new Error(`no setting ${id}`);
  store.dispatch(opened, 'urgent');
  const {overlay} = store.latest();
  const [item] = overlay.kind === 'picker' ? overlay.picker.items : [];
  const [effect] = chooseFromList(store.latest(), item?.id ?? '').effects;
  if (effect?.kind !== 'change_setting') throw new Error(`${id} has no values`);
  return effect.row;
}

/** Changes a setting and resolves when it is done. */
async function change(window: OpenedWindow, id: string, value: string | undefined) {
  const row = await setting(window, id);
  const before = window.store.latest().toast;
  window.sessions.perform({kind: 'change_setting', row, value, place: 'user', back: {filter: ''}});
  await window.until(({toast}) => toast !== before);
}

test.each([
  ['theme', 'light', 'auto'],
  ['editing', 'vim', 'readline'],
  ['requireReading', 'all', 'commands'],
] as const)('a change of %s applies at once, and so does its removal', async (id, value, usual) => {
  const window = await openWindow('echo');
  await change(window, id, value);
  expect(window.store.latest()[id]).toBe(value);
  expect(await setting(window, id)).toMatchObject({value, source: 'your settings'});
  await change(window, id, undefined);
  expect(window.store.latest()[id]).toBe(usual);
});

test.each([
  ['theme', 'light', 'theme', 'light'],
  ['theme', 'dar', 'theme', 'dark'],
  ['editing', 'vim', 'editing', 'vim'],
  ['promptSuggestions', 'false', 'promptSuggestions', false],
] as const)('%s set to "%s" by a command applies at once', async (name, value, id, now) => {
  const window = await openWindow('echo');
  window.sessions.perform({kind: 'set_setting', name, value});
  await window.until(({toast}) => toast?.text === `${id} is saved in your settings.`);
  expect(window.store.latest()).toMatchObject({[id]: now, overlay: {kind: 'none'}});
});

test('a setting whose value is typed is set by a command if its name has a dot, and checked', async () => {
  const window = await openWindow('echo');
  window.sessions.perform({kind: 'set_setting', name: 'limits.sessionCost', value: '5'});
  await window.until(({toast}) => toast?.text.startsWith('limits.sessionCost is saved') === true);
  window.sessions.perform({kind: 'set_setting', name: 'limits.sessionCost', value: 'much'});
  await window.until(
    ({toast}) => toast?.text.includes('limits.sessionCost') === true && !toast.text.includes('saved'),
  );
  expect(window.store.latest().overlay).toEqual({kind: 'none'});
});

test('a value that a setting does not have is refused with those that it has', async () => {
  const window = await openWindow('echo');
  window.sessions.perform({kind: 'set_setting', name: 'theme', value: 'purple'});
  await window.until(({toast}) => toast !== undefined);
  const {toast, theme} = window.store.latest();
  expect([toast?.text, theme]).toEqual([
    expect.stringMatching(/^Unknown theme "purple"\. Available: auto, dark, light,/),
    'dark',
  ]);
});

test('words that are no setting with a value are searched', async () => {
  const window = await openWindow('echo');
  for (const name of ['agent', 'color']) {
    window.sessions.perform({kind: 'set_setting', name, value: 'colors'});
    await window.until(({overlay}) => overlay.kind === 'picker');
    expect(window.store.latest().overlay).toMatchObject({picker: {filter: `${name} colors`}});
    window.store.dispatch({type: 'overlay_closed', at: 0});
  }
  expect(window.store.latest().toast).toBeUndefined();
});

test('key bindings change at once', async () => {
  const window = await openWindow('echo');
  await change(window, 'keys', '{"undo": ["ctrl+z"]}');
  expect(window.store.latest().keymap.prompt.undo).toEqual(['ctrl+z']);
});

test('agent colors change at once, and only colors are accepted', async () => {
  const window = await openWindow('echo');
  await change(window, 'agentColors', '{"echo": "#ff0000"}');
  expect(window.store.latest().agentColors).toEqual({echo: '#ff0000'});
  await change(window, 'agentColors', '{"echo": "red"}');
  expect(window.store.latest().toast?.text).toContain('nothing changed');
  await change(window, 'agentColors', undefined);
  expect(window.store.latest().agentColors).toBeUndefined();
});

test('a custom theme can be selected at once, and an unknown one cannot', async () => {
  const window = await openWindow('echo');
  await change(window, 'theme', 'mine');
  expect(window.store.latest().toast?.text).toContain('nothing changed');
  await change(window, 'themes', '{"mine": {"dark": {"accent": "#ff79c6"}}}');
  expect(window.store.latest().ownThemes).toMatchObject([{name: 'mine'}]);
  expect((await setting(window, 'theme')).choices).toContain('mine');
  await change(window, 'theme', 'mine');
  expect(window.store.latest().theme).toBe('mine');
  await change(window, 'themes', undefined);
  expect(window.store.latest().toast?.text).toContain('nothing changed');
});

test('an invalid theme is rejected with the mistake', async () => {
  const window = await openWindow('echo');
  await change(window, 'themes', '{"mine": {"dark": {"acent": "#ff79c6"}}}');
  expect(window.store.latest().toast?.text).toContain('wrong: dark.acent');
  expect(window.store.latest().ownThemes).toEqual([]);
});

async function openWithLevel(level: ApprovalLevel): Promise<OpenedWindow> {
  const window = await openWindow('echo');
  window.sessions.clientOf(FIRST).setApproval(level);
  await window.until(() => window.session(FIRST)?.session.approval === level);
  return window;
}

test('auto-approve changes in the sessions that had what was set', async () => {
  const window = await openWithLevel('none');
  await change(window, 'approve', 'reads');
  expect(window.session(FIRST)?.session.approval).toBe('reads');
});

test('auto-approve stays in a session whose level was chosen for it', async () => {
  const window = await openWithLevel('edits');
  await change(window, 'approve', 'reads');
  expect(window.session(FIRST)?.session.approval).toBe('edits');
});

test('auto-approve changes in a session that is not on the screen only if that is allowed less then', async () => {
  const window = await openWithLevel('none');
  await window.converse(FIRST, 'one');
  const shown = await window.openWith({approval: 'none'}, 'echo');
  await change(window, 'approve', 'edits');
  expect(window.session(shown)?.session.approval).toBe('edits');
  expect(window.session(FIRST)?.session.approval).toBe('none');
  window.sessions.clientOf(FIRST).setApproval('edits');
  await window.until(() => window.session(FIRST)?.session.approval === 'edits');
  await change(window, 'approve', 'reads');
  expect(window.session(FIRST)?.session.approval).toBe('reads');
});

test('a change that cannot apply at once says when it does', async () => {
  const window = await openWindow('echo');
  await change(window, 'sessions.keepDays', '30');
  expect(window.store.latest().toast?.text).toBe(
    'sessions.keepDays is saved in your settings; it applies at the next start.',
  );
});

test('an invalid value is rejected with a message', async () => {
  const window = await openWindow('echo');
  await change(window, 'sessions.keepDays', 'soon');
  expect(window.store.latest().toast?.text).toContain(
    'must be a number greater than 0, not "soon"; nothing changed.',
  );
});
