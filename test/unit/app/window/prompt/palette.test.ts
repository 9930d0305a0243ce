import {describe, expect, test} from 'vitest';
import {commands} from '../../../../../src/app/commands/index.ts';
import {descriptions} from '../../../../../src/app/keymap/action-descriptions.ts';
import {defaultKeymap} from '../../../../../src/app/keymap/keymap.ts';
import {selectedItem, visibleItems} from '../../../../../src/app/pickers/picker.ts';
import {selectedIn} from '../../../../../src/app/editor/layout.ts';
import {openWindow, type TestWindow} from '../../../../support/window/app-window.ts';

function palette({ready = true} = {}): TestWindow {
  const window = openWindow({ready});
  window.offer(
    {name: 'web', description: 'Searches', input: {hint: 'what to look for'}},
    {name: 'compact', description: 'Shortens the context'},
    {name: 'model', description: 'The agent’s own'},
  );
  return window;
}

function items(window: TestWindow) {
  const {overlay} = window.state;
  if (overlay.kind !== 'picker') throw new Error(`no list but ${overlay.kind}`);
  return visibleItems(overlay.picker);
}

test.each(['e', 'ctrl+e'])('Ctrl+X and then %s edits the draft in the editor', (key) => {
  const window = openWindow();
  window.type('draft');
  window.press('ctrl+x', key);
  expect(window.performed('open_editor')).toMatchObject([{text: 'draft'}]);
  expect(window.state.overlay.kind).toBe('editor');
});

test('Ctrl+X y copies the last answer', () => {
  const window = openWindow();
  window.say('go');
  window.update({sessionUpdate: 'agent_message_chunk', content: {type: 'text', text: 'Done.'}});
  window.press('ctrl+x', 'y');
  expect(window.performed('copy')).toMatchObject([{text: 'Done.', what: 'the last answer'}]);
});

function choose(window: TestWindow, typed: string): void {
  window.press('ctrl+x', 'p');
  window.type(typed);
  const {overlay} = window.state;
  expect(overlay.kind === 'picker' && selectedItem(overlay.picker)).toBeTruthy();
  window.press('enter');
}

describe('the palette', () => {
  test('has every command, every command of the agent, and every bound action, once', () => {
    const window = palette();
    window.press('ctrl+x', 'p');
    const ids = items(window).map(({id}) => id);
    for (const {name} of commands) expect(ids).toContain(`client ${name}`);
    for (const name of ['web', 'compact', 'model']) expect(ids).toContain(`agent ${name}`);
    const bound = new Set(Object.values(defaultKeymap).flatMap((bindings) => Object.keys(bindings)));
    const shown = new Set(ids.filter((id) => id.startsWith('action ')).map((id) => id.slice(7)));
    bound.delete('open_palette');
    // Its keys are numbers.
    bound.delete('show_session');
    expect(shown).toEqual(bound);
  });

  test('shows the keys of each action', () => {
    const window = palette();
    window.press('ctrl+x', 'p');
    const keys = new Map(items(window).map(({label, description}) => [label, description]));
    expect(keys.get(descriptions.next_mode)).toBe('Shift+Tab');
    expect(keys.get(descriptions.stop_command)).toBe('Ctrl+X k');
  });

  test('runs an action and keeps the draft', () => {
    const window = palette();
    window.type('half');
    choose(window, 'full transcript');
    expect(window.state.overlay.kind).toBe('transcript');
    expect(window.draft).toBe('half');
  });

  test('Vim keys are turned on, and off during a selection', () => {
    const window = palette();
    window.type('one two');
    window.dispatch({type: 'preferences_changed', change: {editing: 'vim'}});
    window.press('escape', 'v', 'b');
    window.dispatch({type: 'preferences_changed', change: {editing: 'readline'}});
    expect(window.state.editing).toBe('readline');
    expect(selectedIn(window.open.draft)).toBeUndefined();
    window.type('x');
    expect(window.draft).toBe('one xtwo');
  });

  test('runs editing actions on the draft', () => {
    const window = palette();
    window.type('one two');
    choose(window, 'cut the previous word');
    expect(window.draft).toBe('one ');
  });

  test('runs a command without the draft', () => {
    const window = palette();
    window.type('half');
    choose(window, '/status');
    expect(window.performed('show_status')).toHaveLength(1);
    expect(window.draft).toBe('half');
    expect(window.sent).toEqual([]);
  });

  test('finds by a few letters', () => {
    const window = palette();
    choose(window, 'cmpct');
    expect(window.sent).toEqual(['/compact']);
  });

  test("sends an agent's command even if a built-in one has the same name", () => {
    const window = palette();
    choose(window, '/compact');
    expect(window.sent).toEqual(['/compact']);
    window.endTurn();
    choose(window, '//model');
    expect(window.sent).toEqual(['/compact', '/model']);
  });

  test('inserts a command that takes input before the draft', () => {
    const window = palette();
    window.type('cats');
    choose(window, '/web');
    expect(window.draft).toBe('/web cats');
    expect(window.sent).toEqual([]);
  });

  test('sends a custom command, or inserts it before the draft if it takes an argument', () => {
    const window = palette();
    const custom = {description: 'Of mine', from: 'yours', prompt: 'Do it.'};
    const commands = [
      {...custom, name: 'status'},
      {...custom, name: 'fix', argumentHint: '<issue>'},
    ];
    window.agent({type: 'custom_commands_changed', commands});
    choose(window, '//status');
    expect(window.sent).toEqual(['/status']);
    window.endTurn();
    window.type('42');
    choose(window, '/fix');
    expect(window.draft).toBe('/fix 42');
    expect(window.performed('show_status')).toEqual([]);
  });

  test('explains an unavailable command, and stays open', () => {
    const window = palette({ready: false});
    choose(window, '/model');
    expect(window.state.toast?.text).toMatch(/still opening/);
    window.press('ctrl+u');
    window.type('always reject');
    window.press('enter');
    expect(window.state.toast?.text).toBe('Only available there.');
    expect(window.state.overlay.kind).toBe('picker');
  });

  test('opens the list of another command in its place', () => {
    const window = palette();
    choose(window, '/agents');
    expect(window.state.overlay).toMatchObject({kind: 'picker', picker: {purpose: {kind: 'agents'}}});
  });
});
