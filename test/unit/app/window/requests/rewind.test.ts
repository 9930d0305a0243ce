import {describe, expect, test} from 'vitest';
import {rewindPicker, rewindToPicker, undoPicker} from '../../../../../src/app/pickers/restore-pickers.ts';
import type {RewindPlan, RewindPoint} from '../../../../../src/session/rewind.ts';
import {draftText} from '../../../../../src/app/editor/draft.ts';
import {activeDraft} from '../../../../../src/app/sessions.ts';
import {hintLine} from '../../../../support/window/hint-text.ts';
import {openWindow} from '../../../../support/window/app-window.ts';

const NOW = 10 * 60_000;
const prompt: RewindPoint = {
  kind: 'prompt',
  turn: 1,
  text: 'fix it\nplease',
  at: NOW - 5 * 60_000,
  snapshot: 'aaa',
  changed: {files: 2, added: 33, removed: 4},
};
const points: readonly RewindPoint[] = [
  {kind: 'restore', at: NOW, snapshot: 'ccc'},
  {...prompt, turn: 2, text: 'and more', at: NOW - 60_000, snapshot: undefined, changed: undefined},
  prompt,
];
const plan: RewindPlan = {
  point: prompt,
  now: 'bbb',
  files: [
    {path: '/project/a.ts', does: 'restore', preview: '@@ -1 +1 @@\n-new\n+old\n'},
    {path: '/project/b.ts', does: 'restore', doubt: 'outside_turns'},
  ],
  uncovered: [{path: 'big.bin', reason: 'too large'}],
};

type Window = ReturnType<typeof openWindow>;

/** A window after two turns. */
function withTurns(): Window {
  const window = openWindow();
  for (const text of ['fix it', 'and more']) {
    window.say(text);
    window.endTurn();
  }
  return window;
}

function asked(shown = plan): Window {
  const window = withTurns();
  const picker = rewindToPicker(shown, {cwd: '/project', answerFrom: window.now + 250});
  window.dispatch({type: 'overlay_opened', overlay: {kind: 'picker', picker}});
  window.wait(1000);
  return window;
}

function itemsOf({state: {overlay}}: Window): readonly string[] {
  return overlay.kind === 'picker' ? overlay.picker.items.map(({label}) => label) : [];
}

const draftOf = (window: Window) => draftText(activeDraft(window.state));

describe('/rewind', () => {
  test('lists the prompts to rewind to', () => {
    const window = withTurns();
    window.say('/rewind');
    expect(window.performed('show_rewind')).toEqual([{kind: 'show_rewind', key: 'main'}]);
    const {items} = rewindPicker(points, NOW);
    expect(items.map(({label, description}) => `${label} · ${description}`)).toEqual([
      'Before files were restored · just now',
      'and more · files not covered · 1 min ago',
      'fix it · 2 files +33 −4 · 5 min ago',
    ]);
  });

  test('needs a prompt, and waits for the end of the turn', () => {
    const window = openWindow();
    window.say('/rewind');
    expect(hintLine(window.state)).toContain('No messages yet');
    window.press('ctrl+c');
    window.say('go');
    window.say('/rewind');
    expect(hintLine(window.state)).toContain('A turn is running');
    expect(window.performed('show_rewind')).toEqual([]);
  });

  test('opens with Esc Esc on an empty prompt, and on no other', () => {
    const window = withTurns();
    window.type('x');
    window.press('escape', 'escape', 'backspace', 'escape');
    expect(window.performed('show_rewind')).toEqual([]);
    window.wait(5000);
    window.press('escape');
    expect(window.performed('show_rewind')).toEqual([]);
    window.press('escape');
    expect(window.performed('show_rewind')).toEqual([{kind: 'show_rewind', key: 'main'}]);
  });

  test('shows what rewinding to the selected prompt would do', () => {
    const window = withTurns();
    window.dispatch({type: 'overlay_opened', overlay: {kind: 'picker', picker: rewindPicker(points, NOW)}});
    window.press('down', 'down', 'enter');
    expect(window.performed('plan_rewind')).toEqual([{kind: 'plan_rewind', key: 'main', point: prompt}]);
  });

  test('says before the confirmation what is restored, what is not covered, and what others may have changed', () => {
    const picker = rewindToPicker(plan, {cwd: '/project', answerFrom: 0});
    expect(picker.note).toContain('Not covered: ignored files');
    expect(picker.note).toContain('big.bin (too large)');
    expect(picker.items.map(({label, disabled}) => [label, disabled].filter(Boolean).join(': '))).toEqual([
      'Change nothing',
      'Restore 1 file, keep 1 that something else may have changed',
      'Restore 2 files',
      'Restore 2 files and rewind the conversation',
      'Rewind the conversation only',
      'a.ts: Restored to its previous content.',
      'b.ts: Restored to its previous content. It was also changed between turns.',
    ]);
    expect(picker.items[5]?.preview).toContain('+old');
  });

  test('restores files, and puts the prompt back', () => {
    const window = asked();
    window.press('down', 'enter');
    expect(window.called('rewind')).toEqual([[{point: prompt, now: 'bbb'}, ['/project/a.ts']]]);
    expect(window.called('openSession')).toEqual([]);
    expect(draftOf(window)).toBe('fix it');
  });

  test('a repeat of the selecting Enter does not send the prompt again; a later Enter does', () => {
    const window = asked();
    const sent = window.sentPrompts.length;
    window.press('down', 'enter');
    for (let count = 0; count < 5; count++) {
      window.wait(200);
      window.press('enter');
    }
    expect(draftOf(window)).toBe('fix it');
    expect(hintLine(window.state)).toContain('too soon');
    window.wait(1000);
    window.press('enter');
    expect(window.sentPrompts).toHaveLength(sent + 1);
    expect(draftOf(window)).toBe('');
  });

  test('rewinds the conversation with a new session that gets the earlier transcript', () => {
    const window = asked({...plan, point: {...prompt, turn: 2}});
    window.press('down', 'down', 'down', 'enter');
    expect(window.called('rewind')).toMatchObject([
      [{next: {kind: 'new'}}, ['/project/a.ts', '/project/b.ts']],
    ]);
    expect(window.called('openSession')).toEqual([]);
    expect(draftOf(window)).toContain('User: fix it');
    expect(draftOf(window)).not.toContain('User: and more');
    expect(draftOf(window)).toMatch(/and more$/);
  });

  test.each([
    ['Enter alone', ['enter']],
    ['Esc', ['down', 'escape']],
  ])('%s changes nothing', (_what, keys) => {
    const window = asked();
    window.press(...keys);
    expect(window.called('rewind')).toEqual([]);
    expect(draftOf(window)).toBe('');
  });

  test('can rewind the conversation to a prompt whose turn is not covered', () => {
    const window = asked({
      ...plan,
      files: [],
      uncovered: [],
      now: '',
      problem: 'there is no snapshot of the folder before it',
    });
    expect(itemsOf(window)).toEqual(['Change nothing', 'Rewind the conversation only']);
    window.press('down', 'enter');
    expect(window.called('openSession')).toHaveLength(1);
  });

  test('says that no file would change instead of counting none', () => {
    const window = asked({...plan, files: [], uncovered: []});
    expect(itemsOf(window)).toEqual(['Change nothing', 'Restore files', 'Rewind the conversation only']);
    window.press('down', 'enter');
    expect(window.called('rewind')).toEqual([]);
    expect(hintLine(window.state)).toContain('No file would change');
  });
});

test('/undo lists what is not covered before the confirmation', () => {
  const {files, uncovered} = plan;
  const asked = {cwd: '/project', answerFrom: 0};
  expect(undoPicker({turn: 1, files, uncovered}, asked).note).toContain('commits');
  expect(undoPicker({turn: 1, files, uncovered}, asked).note).toContain('big.bin (too large)');
  expect(undoPicker({turn: 1, files}, asked).note).toBeUndefined();
});
