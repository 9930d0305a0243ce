import {describe, expect, test} from 'vitest';
import {historyEntries} from '../../../../../src/app/editor/history.ts';
import {selectedItem, visibleItems} from '../../../../../src/app/pickers/picker.ts';
import type {KeyEvent} from '../../../../../src/app/input/keys.ts';
import {openWindow, press, type TestWindow} from '../../../../support/window/app-window.ts';

function searching(): TestWindow {
  const window = openWindow();
  window.dispatch({
    type: 'history_loaded',
    history: {
      project: ['fix the parser', 'write a test\nfor the parser', 'explain the lexer'],
      everywhere: ['deploy the site'],
    },
  });
  return window;
}

function listed(window: TestWindow) {
  const {overlay} = window.state;
  return overlay.kind === 'picker' ? visibleItems(overlay.picker).map(({id}) => id) : overlay.kind;
}

function selected(window: TestWindow) {
  const {overlay} = window.state;
  return overlay.kind === 'picker' ? selectedItem(overlay.picker) : undefined;
}

test("/ searches the history in Vim's normal mode, and is text elsewhere", () => {
  const window = openWindow();
  window.dispatch({type: 'preferences_changed', change: {editing: 'vim'}});
  window.say('hello');
  window.type('a/b');
  expect(window.draft).toBe('a/b');
  window.press('escape');
  window.type('f/');
  expect(window.state.overlay.kind).toBe('none');
  window.press('/');
  expect(window.state.overlay).toMatchObject({kind: 'picker', picker: {purpose: {kind: 'history'}}});
});

test('/ and the words behind it search as well if they arrive together', () => {
  const window = openWindow();
  window.dispatch({type: 'preferences_changed', change: {editing: 'vim'}});
  window.say('fix the parser');
  window.type('a line of six');
  window.press('escape');
  window.key({...press('0', window.now), name: undefined, text: '0x/fix'} as KeyEvent);
  expect(window.draft).toBe(' line of six');
  expect(window.state.overlay).toMatchObject({picker: {purpose: {kind: 'history'}, filter: 'fix'}});
});

describe('Ctrl+R', () => {
  test('lists the prompts of the project, the newest first and selected', () => {
    const window = searching();
    window.press('ctrl+r');
    expect(listed(window)).toEqual(['explain the lexer', 'write a test\nfor the parser', 'fix the parser']);
    expect(selected(window)?.id).toBe('explain the lexer');
  });

  test('searches all lines while typing, and shows the whole entry', () => {
    const window = searching();
    window.press('ctrl+r');
    window.type('parser te');
    expect(listed(window)).toEqual(['write a test\nfor the parser']);
    expect(selected(window)?.preview).toBe('write a test\nfor the parser');
  });

  test('moves to the previous one when repeated, and Ctrl+S back', () => {
    const window = searching();
    window.press('ctrl+r');
    window.type('parser');
    window.press('ctrl+r');
    expect(selected(window)?.id).toBe('fix the parser');
    window.press('ctrl+s');
    expect(selected(window)?.id).toBe('write a test\nfor the parser');
  });

  test('searches all projects with Tab, and back', () => {
    const window = searching();
    window.press('ctrl+r');
    window.type('the s');
    expect(listed(window)).not.toContain('deploy the site');
    window.press('tab');
    expect(listed(window)).toContain('deploy the site');
    window.press('tab');
    expect(listed(window)).not.toContain('deploy the site');
  });

  test('inserts the whole entry with Enter and sends nothing; undo restores the draft', () => {
    const window = searching();
    window.type('my own');
    window.press('ctrl+r');
    window.type('test');
    window.press('enter');
    expect(window.draft).toBe('write a test\nfor the parser');
    expect(window.sent).toEqual([]);
    window.press('ctrl+_');
    expect(window.draft).toBe('my own');
  });

  test('restores the draft and the cursor with Esc', () => {
    const window = searching();
    window.type('half a thought');
    window.press('ctrl+a', 'right');
    const {draft} = window.open;
    window.press('ctrl+r');
    window.type('parser');
    window.press('down', 'escape');
    expect(window.open.draft).toBe(draft);
  });

  test('changes nothing for Enter without a match', () => {
    const window = searching();
    window.type('mine');
    window.press('ctrl+r');
    window.type('no such prompt');
    window.press('enter');
    expect(window.draft).toBe('mine');
    expect(listed(window)).toEqual([]);
  });

  test('starts a new search with Ctrl+U', () => {
    const window = searching();
    window.press('ctrl+r');
    window.type('nothing like it');
    window.press('ctrl+u');
    expect(listed(window)).toHaveLength(3);
  });

  test('does not duplicate a selected entry when it is sent', () => {
    const window = searching();
    window.press('ctrl+r', 'down', 'enter', 'enter');
    expect(window.sent).toEqual(['write a test\nfor the parser']);
    expect(
      historyEntries(window.state.history).filter((entry) => entry.includes('write a test')),
    ).toHaveLength(1);
  });
});
