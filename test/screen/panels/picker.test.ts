import {afterEach, describe, expect, test} from 'vitest';
import {pickerPanel} from '../../../components/panels/picker.ts';
import {pickerOf} from '../../../src/app/pickers/picker.ts';
import {rewindPicker, rewindToPicker, undoPicker} from '../../../src/app/pickers/restore-pickers.ts';
import {sessionPicker} from '../../../src/app/pickers/session-picker.ts';
import type {RewindPoint} from '../../../src/session/rewind.ts';
import {plainTheme} from '../../support/screen/theme.ts';
import {linesOfPanel} from '../../support/screen/frame-of.tsx';
import {update} from '../../support/session/build.ts';
import {closeWindows, open, shown, type Window} from '../../support/screen/window.ts';
import {sessionRow} from '../../support/session/session-row.ts';

/** The lines of a list. */
function linesOf(view: Parameters<typeof pickerPanel>[0], {columns = 50} = {}): string[] {
  const theme = plainTheme({columns});
  return linesOfPanel(pickerPanel(view, theme), theme);
}

afterEach(closeWindows);

const groups = ['Fast', 'Best'].map((name) => ({
  group: name.toLowerCase(),
  name,
  options: ['Small', 'Large', 'Huge'].map((size) => ({
    value: `${name}/${size}`,
    name: `${name} ${size}`,
    description: `${size} and ${name.toLowerCase()} answers`,
  })),
}));

const opened = {
  type: 'session_opened' as const,
  how: 'new' as const,
  session: {
    sessionId: 's1',
    cwd: '/work',
    additionalDirectories: [],
    configOptions: [
      {
        id: 'model',
        name: 'Model',
        category: 'model',
        type: 'select' as const,
        currentValue: 'Best/Large',
        options: groups,
      },
    ],
  },
};

async function models(window: Window): Promise<Window> {
  window.report(opened, {type: 'connection_changed', connection: {kind: 'ready'}});
  await shown(window).toContain('Ask anything');
  window.press('/model');
  await shown(window).toContain('/model');
  window.press('\r');
  await shown(window).toContain('─ Model');
  return window;
}

describe('a list with groups', () => {
  test('at 80×24 shows all of it, with descriptions', async () => {
    const window = await models(open({columns: 80, rows: 24}));
    expect(await window.screen()).toMatchSnapshot();
  });

  test.each([160, 300])('on a terminal of %i columns shows all of it, too', async (columns) => {
    const window = await models(open({columns, rows: 24}));
    for (const name of ['❯ Best Large (now)', 'Best Small', 'Fast Small'])
      expect(await window.screen()).toContain(name);
  });

  test('at 20×5 shows the selected item, and each one moved to', async () => {
    const window = await models(open({columns: 20, rows: 5}));
    await shown(window).toContain('❯ Best Large (now)');
    expect(await window.screen()).toMatchSnapshot();
    window.press('\x1b[A');
    await shown(window).toContain('❯ Best Small');
    window.press('\x1b[H');
    await shown(window).toContain('❯ Fast Small');
    expect((await window.screen()).split('\n').length).toBeLessThanOrEqual(5);
  });

  test('says how many items match the filter, and highlights the matches', async () => {
    const window = await models(open({columns: 80, rows: 24}, {colors: 1}));
    window.press('huge');
    await shown(window).toMatch(/─ Model ─+ 2 of 6 ─\n[^]*─ Enter select · Esc close ─/);
    expect(window.bytes()).toMatch(/Best \x1b\[4mHuge\x1b\[24m/);
    window.press('zzz');
    await shown(window).toContain('No matches');
  });

  test('keeps the name of the group in view when its first items are not', async () => {
    const window = await models(open({columns: 60, rows: 12}));
    window.press('\x1b[F');
    await shown(window).toContain('❯ Best Huge');
    expect(await window.screen()).toMatchSnapshot();
  });
});

test("an agent's command shows its input hint until something is typed", async () => {
  const window = open({columns: 40, rows: 12});
  const web = {name: 'web', description: 'Searches', input: {hint: 'what to look for'}};
  window.report(
    opened,
    {type: 'connection_changed', connection: {kind: 'ready'}},
    update({sessionUpdate: 'available_commands_update', availableCommands: [web]}),
  );
  await shown(window).toContain('Ask anything');
  window.press('/web ');
  await shown(window).toMatch(/❯ \/web what to look for +│$/m);
  window.press('cats');
  await shown(window).toContain('/web cats');
  expect(await window.screen()).not.toContain('look for');
});

describe('the prompt history', () => {
  const history = {
    project: [
      'fix the parser',
      'write\na test\nfor the parser',
      ...Array.from({length: 30}, (_, index) => `older ${index}`),
    ],
    everywhere: [],
  };

  test('shows the whole selected prompt below', async () => {
    const window = open({columns: 60, rows: 20});
    window.store.dispatch({type: 'history_loaded', history});
    window.press('\x12');
    await shown(window).toContain('older 29');
    window.press('pars');
    await shown(window).toContain('2 of 32');
    expect(await window.screen()).toMatchSnapshot();
    window.press('\r');
    await shown(window).toMatch(/❯ write +│\n│ +a test +│\n│ +for the parser +│$/m);
  });

  test('omits the preview without space', async () => {
    const window = open({columns: 20, rows: 8});
    window.store.dispatch({type: 'history_loaded', history});
    window.press('\x12');
    await shown(window).toContain('❯ older 29');
    expect((await window.screen()).split('older 29')).toHaveLength(2);
  });
});

test('an empty list does not look like a filter without matches', async () => {
  const window = open({columns: 60, rows: 20});
  window.press('\x12');
  await shown(window).toContain('No items yet');
  window.press('x');
  await shown(window).toContain('Filter: x');
  expect(await window.screen()).toContain('No items yet');
});

test('the text needed to choose is wrapped below the title, and leaves room for the choices', () => {
  const items = [{id: 'key', label: 'API key'}];
  const note = 'The key that was given is not valid any more: it was withdrawn on Monday.';
  const picker = pickerOf({purpose: {kind: 'authenticate'}, title: 'Sign in to continue', note, items});
  const lines = linesOf({picker, items, rows: 12}, {columns: 30});
  expect(lines[0]).toContain('Sign in to continue');
  expect(lines.slice(1, 4).join(' ')).toBe(note);
  const few = linesOf({picker: {...picker, note: note.repeat(20)}, items, rows: 6}, {columns: 30});
  expect(few).toHaveLength(5);
  expect(few.join('\n')).toContain('API key');
  expect(few[2]).toMatch(/…$/);
});

test('a list with room for two items has no row for the name of a group', () => {
  const items = ['One', 'Two', 'Three'].map((label) => ({id: label, label, group: 'Numbers'}));
  const picker = pickerOf({
    purpose: {kind: 'agents', isFirst: false},
    title: 'Which?',
    note: undefined,
    items,
  });
  const lines = linesOf({picker, items, rows: 3}, {columns: 30});
  expect(lines.slice(1).map((line) => line.trimEnd())).toEqual(['❯ One', '  Two']);
});

test('the preview of a short list takes only the rows of its tallest item, and none if empty', () => {
  const items = ['', 'one\ntwo', 'three'].map((preview, index) => ({
    id: `${index}`,
    label: `Item ${index}`,
    preview,
  }));
  const picker = pickerOf({purpose: {kind: 'authenticate'}, title: 'Sign in', note: undefined, items});
  const drawn = (shown: typeof items) =>
    linesOf({picker: {...picker, items: shown}, items: shown, rows: 30}, {columns: 30});
  expect(drawn(items)).toHaveLength(1 + 3 + 1 + 2 + 1);
  expect(drawn(items.slice(0, 1))).toHaveLength(1 + 1 + 1);
});

test('what happened to files is in columns beside long names, as far as there is room', () => {
  const at = 10 * 60_000;
  const points: readonly RewindPoint[] = ['fix it', `edit ${'very/'.repeat(12)}long.ts`].map(
    (text, turn) => ({
      kind: 'prompt',
      turn,
      text,
      at,
      snapshot: 'a',
      changed: {files: turn + 1, added: 33, removed: 4},
    }),
  );
  const [point] = points;
  const paths = ['/work/a.ts', `/work/${'folder/'.repeat(10)}long.ts`];
  const files = paths.map((path) => ({path, does: 'delete' as const}));
  const plan = point && {point, now: 'b', files, uncovered: []};
  const pickers = [
    rewindPicker(points, at),
    ...(plan ? [{...rewindToPicker(plan, {cwd: '/work', answerFrom: 0}), takesKeys: true}] : []),
  ];
  const drawn = [140, 80].flatMap((columns) =>
    pickers.flatMap((picker) => linesOf({picker, items: picker.items, rows: 12}, {columns})),
  );
  expect(drawn.map((line) => line.trimEnd()).join('\n')).toMatchSnapshot();
});

describe('the sessions', () => {
  const at = 1_000_000_000;
  const both = {branch: 'main', agent: 'Codex', bytes: 2048};
  const rows = [
    sessionRow('Fix the session refresh', {...both, at: at - 60_000, status: 'interrupted'}),
    sessionRow('Upgrade vite', {...both, at: at - 26 * 3_600_000, agent: 'Claude Code', branch: 'upgrade'}),
  ];
  const {items} = sessionPicker({scope: 'folder', rows, at, isGrowing: false});
  const picker = pickerOf({purpose: {kind: 'agents', isFirst: false}, title: 'Sessions', items});

  test.each([100, 60, 30])('are in columns that fit: %i', (columns) => {
    const lines = linesOf({picker, items, rows: 8}, {columns});
    expect(lines.map((line) => line.trimEnd()).join('\n')).toMatchSnapshot();
  });
});

test('a list does not count what is in it whatever the filter', () => {
  const items = [
    {id: 'one', label: 'One'},
    {id: 'more', label: 'More', isLastResort: true},
  ];
  const picker = {...pickerOf({title: 'List', items}), filter: 'two'};
  expect(linesOf({picker: {...picker, filter: ''}, items, rows: 8})[0]).toMatch(/─ List ─+ 1 ─/);
  expect(linesOf({picker, items: items.slice(1), rows: 8})[0]).toMatch(/─ List ─+ 0 of 1 ─/);
});

test('a list has no name of a group in its last row', () => {
  const items = ['One', 'Two', 'Three'].map((label) => ({
    id: label,
    label,
    group: label === 'Three' ? 'Odd' : 'Even',
  }));
  const picker = pickerOf({
    title: 'List',
    items,
    purpose: {kind: 'setting_value', back: {filter: ''}, before: 'plain'},
  });
  const lines = (rows: number) => linesOf({picker, items, rows});
  expect(lines(6).join('\n')).not.toContain('Odd');
  expect(lines(6)).toHaveLength(6);
  expect(lines(7).join('\n')).toMatch(/Odd\n {2}Three/);
});

test('what is cut off in the row of the selected item is shown in full below the list', () => {
  const description =
    'a description that is much too long for the row that it is drawn in, so that its end is cut off';
  const items = [
    {id: 'long', label: 'Long', description},
    {id: 'short', label: 'Short', description: 'fits'},
  ];
  const lines = (selected: number, columns: number) => {
    const picker = {
      ...pickerOf({
        title: 'List',
        items,
        purpose: {kind: 'setting_value', back: {filter: ''}, before: 'plain'},
      }),
      selected,
    };
    return linesOf({picker, items, rows: 12}, {columns}).map((line) => line.trim());
  };
  expect(lines(0, 80).slice(3)).toEqual([
    'a description that is much too long for the row that it is drawn in, so that its',
    'end is cut off',
    expect.stringContaining('Enter select'),
  ]);
  // The list keeps its height.
  expect(lines(1, 80).slice(3)).toEqual(['', '', expect.stringContaining('Enter select')]);
  expect(lines(0, 140)).toHaveLength(4);
});

test('a long path is cut in the middle, and what happens to the file stays in its row', () => {
  const path = `/work/${'some/very/deep/folder/'.repeat(5)}file.ts`;
  const files = [{path, does: 'restore' as const}];
  const picker = undoPicker({turn: 1, files, uncovered: []}, {cwd: '/work', answerFrom: 0});
  const lines = linesOf({picker, items: picker.items, rows: 20}, {columns: 80});
  const row = lines.find((line) => line.includes('file.ts')) ?? '';
  expect(row).toMatch(/^ {2}some\/very.*….*file\.ts +Restored to its previous content\.$/);
  expect(row.length).toBeLessThanOrEqual(80);
});

test('a list without items has no preview', () => {
  const picker = {
    ...pickerOf({
      title: 'List',
      items: [],
      purpose: {kind: 'setting_value', back: {filter: ''}, before: 'plain'},
    }),
    preview: {id: '', text: ''},
  };
  expect(linesOf({picker, items: [], rows: 20})).toHaveLength(3);
});

test('a list that opened by itself says from when its keys count', async () => {
  const window = open();
  await shown(window).toContain('Ask anything');
  const picker = undoPicker({turn: 1, files: [], uncovered: []}, {cwd: '/work', answerFrom: 0});
  window.store.dispatch({type: 'overlay_opened', overlay: {kind: 'picker', picker}}, 'urgent');
  await shown(window).toContain('Keys count in a moment');
  expect(await window.screen()).not.toContain('Enter select');
  window.store.dispatch({type: 'tick', at: performance.now() + 1000}, 'urgent');
  await shown(window).toContain('Enter select');
});
