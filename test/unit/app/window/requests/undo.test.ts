import {describe, expect, test} from 'vitest';
import {needsTicks} from '../../../../../src/app/status/notifications.ts';
import {hintLine} from '../../../../support/window/hint-text.ts';
import {undoPicker} from '../../../../../src/app/pickers/restore-pickers.ts';
import type {UndoneFile} from '../../../../../src/session/transcript/diffs.ts';
import {openWindow, workingWindow} from '../../../../support/window/app-window.ts';

const files: readonly UndoneFile[] = [
  {path: '/project/a.ts', does: 'restore'},
  {path: '/project/new.ts', does: 'delete'},
  {path: '/project/b.ts', does: 'restore', refused: 'it has changed since'},
];

/** A window that asks whether to undo turn 3; keys count after 250 ms. */
function askedToUndo(plan = files, isStuck = false) {
  const window = openWindow({isStuck});
  const picker = undoPicker({turn: 3, files: plan}, {cwd: '/project', answerFrom: window.now + 250});
  window.dispatch({type: 'overlay_opened', overlay: {kind: 'picker', picker}});
  return window;
}

function itemsOf({state: {overlay}}: ReturnType<typeof openWindow>) {
  return overlay.kind === 'picker'
    ? overlay.picker.items.map(({label, disabled}) => [label, disabled].filter(Boolean).join(': '))
    : [];
}

describe('/undo', () => {
  test('first finds out what it would do', () => {
    const window = openWindow();
    window.say('/undo');
    expect(window.performed('plan_undo')).toEqual([{kind: 'plan_undo', key: 'main'}]);
    expect(window.called('undo')).toEqual([]);
  });

  test('waits for the end of the turn', () => {
    const window = workingWindow();
    window.say('/undo');
    expect(window.performed('plan_undo')).toEqual([]);
    expect(hintLine(window.state)).toContain('A turn is running');
  });

  test('says what happens to each file', () => {
    expect(itemsOf(askedToUndo())).toEqual([
      'Keep all changes',
      'Undo 2 files',
      'a.ts: Restored to its previous content.',
      'new.ts: Deleted: it did not exist before.',
      'b.ts: Unchanged: it has changed since.',
    ]);
  });

  test('undoes what was requested, and only after a selection', () => {
    const window = askedToUndo();
    window.wait(1000);
    window.press('down', 'enter');
    expect(window.called('undo')).toEqual([[3]]);
    expect(window.state.overlay.kind).toBe('none');
  });

  test.each([
    ['Enter alone', ['enter']],
    ['Esc', ['down', 'escape']],
    ['a key pressed before the question was on the screen', ['down', 'enter']],
  ])('%s undoes nothing', (what, keys) => {
    const window = askedToUndo();
    if (!what.startsWith('a key')) window.wait(1000);
    window.press(...keys);
    expect(window.called('undo')).toEqual([]);
  });

  test('says that an early key does not count', () => {
    const window = askedToUndo();
    window.press('enter');
    expect(hintLine(window.state)).toContain('too soon');
    expect(window.state.overlay.kind).toBe('picker');
    window.wait(1000);
    window.press('enter');
    expect(window.state.overlay.kind).toBe('none');
  });

  test('counts no key before it was on the screen for a moment', () => {
    const window = askedToUndo(files, true);
    window.wait(5000);
    window.press('down', 'enter');
    expect(window.called('undo')).toEqual([]);
    window.dispatch({type: 'picker_changed', change: {seenAt: window.now}});
    expect(needsTicks(window.state)).toBe(true);
    window.wait(100);
    window.press('enter');
    expect(window.called('undo')).toEqual([]);
    window.wait(1000);
    window.press('enter');
    expect(window.called('undo')).toHaveLength(1);
  });

  test('leaves typing meanwhile to the prompt', () => {
    const window = askedToUndo();
    window.say('yes, go on');
    expect(window.called('undo')).toEqual([]);
    expect(window.sent).toEqual(['yes, go on']);
  });

  test('cannot be selected when no file can be undone', () => {
    const window = askedToUndo(files.slice(2));
    window.wait(1000);
    window.press('down', 'enter');
    expect(window.called('undo')).toEqual([]);
    expect(hintLine(window.state)).toContain('None of its files');
  });
});

describe('/undo if others may have changed a file', () => {
  const doubted: readonly UndoneFile[] = [
    ...files.slice(0, 2),
    {path: '/project/c.ts', does: 'restore', doubt: 'not_named'},
  ];

  test('says so, and offers to keep that file', () => {
    expect(itemsOf(askedToUndo(doubted))).toEqual([
      'Keep all changes',
      'Undo 2 files, keep 1 that something else may have changed',
      'Undo 3 files',
      'a.ts: Restored to its previous content.',
      'new.ts: Deleted: it did not exist before.',
      'c.ts: Restored to its previous content. No tool call names it: a command or something else changed it.',
    ]);
  });

  test.each([
    ['the others', ['down', 'enter'], [['/project/a.ts', '/project/new.ts']]],
    ['all of them', ['down', 'down', 'enter'], []],
  ])('undoes %s', (_what, keys, only) => {
    const window = askedToUndo(doubted);
    window.wait(1000);
    window.press(...keys);
    expect(window.called('undo')).toEqual([[3, ...only]]);
  });
});

test('/review turn lists the changed files, also during a turn', () => {
  const window = workingWindow();
  window.say('/review turn');
  expect(window.performed('show_changes')).toEqual([{kind: 'show_changes', key: 'main'}]);
});
