import {afterEach, describe, expect, test} from 'vitest';
import {boardRows} from '../../../src/app/board/board-rows.ts';
import {initialReviewView} from '../../../src/app/review/review-view.ts';
import {joinedWidth} from '../../../src/text/width.ts';
import {closeWindows, keysCount, shown, type Window} from '../../support/screen/window.ts';
import {asks, ended, prompt, says, tool} from '../../support/session/conversation.ts';
import {aReview, SESSION_FILE} from '../../support/session/a-review.ts';
import {full, line, lines} from './full-window.ts';
import {sessionRow} from '../../support/session/session-row.ts';

afterEach(closeWindows);

/** The sessions of the board. */
const stored = ['first', 'second'].map((id) => sessionRow(id, {title: `task ${id}`, status: 'idle'}));

describe('the mouse', () => {
  test('scrolls with its wheel', async () => {
    const window = await full();
    window.point({kind: 'wheel_up', column: 3, row: 3});
    await shown(window).not.toContain(line(59));
    window.point({kind: 'wheel_down', column: 3, row: 3});
    await shown(window).toContain(line(59));
    expect(window.store.latest().viewer.position).toEqual({from: 'end', rows: 0});
  });

  test('selects text, which is copied without decoration', async () => {
    const window = await full();
    const screen = (await window.screen()).split('\n');
    const row = screen.findIndex((text) => text.includes(line(58)));
    window.point({kind: 'press', column: 0, row}, {kind: 'drag', column: 9, row: row + 2});
    window.point({kind: 'release', column: 9, row: row + 2});
    expect(window.effects).toContainEqual({
      kind: 'copy',
      text: `${line(58)}\n\n${line(59)}`,
      what: 'the selection',
      terminal: 'sent',
    });
  });

  test('keeps selecting the same text while more of it arrives', async () => {
    const window = await full();
    const row = (await window.screen()).split('\n').findIndex((text) => text.includes(line(58)));
    window.point({kind: 'press', column: 0, row}, {kind: 'drag', column: 9, row: row + 2});
    window.report(prompt(2, 'More'), says('The very end.'), ended(2));
    await shown(window).toContain('The very end.');
    const now = (await window.screen()).split('\n').findIndex((text) => text.includes(line(59)));
    expect(now).toBeLessThan(row);
    window.point({kind: 'release', column: 9, row: now});
    expect(window.effects).toContainEqual({
      kind: 'copy',
      text: `${line(58)}\n\n${line(59)}`,
      what: 'the selection',
      terminal: 'sent',
    });
  });

  test('copies the source of a message that is selected in full', async () => {
    const window = await full(2);
    window.report(says('Some *words* and `code`.', 'm'), ended(1));
    await shown(window).toContain('Some words and code.');
    const screen = (await window.screen()).split('\n');
    const row = screen.findIndex((text) => text.includes('Some words'));
    window.point({kind: 'press', column: 0, row: row - 1}, {kind: 'drag', column: 50, row: row + 1});
    window.point({kind: 'release', column: 50, row: row + 1});
    const copied = window.effects.find(({kind}) => kind === 'copy');
    expect(copied).toMatchObject({text: expect.stringContaining('Some *words* and `code`.') as string});
  });

  test('expands a clicked tool call, and folds it again', async () => {
    const window = await full(2);
    const text = lines(0, 40).join('\n');
    const content = [{type: 'content' as const, content: {type: 'text' as const, text}}];
    window.report(tool('e', 'completed', {title: 'Look', content}));
    await shown(window).toContain('▸');
    const click = async () => {
      const row = (await window.screen()).split('\n').findIndex((each) => each.includes('Look'));
      window.point({kind: 'press', column: 5, row}, {kind: 'release', column: 5, row});
    };
    await click();
    await shown(window).toContain(line(39));
    window.press('\x1b[1;2H', '\x1b[1;2B');
    await shown(window).toContain('▾');
    await click();
    await shown(window).toContain('▸');
    expect(window.store.latest().viewer.flipped).toEqual([]);
  });

  test('does nothing if disabled in the settings', async () => {
    const window = await full();
    window.store.dispatch({type: 'preferences_changed', change: {mouse: false}}, 'urgent');
    window.point({kind: 'wheel_up', column: 3, row: 3});
    expect(window.store.latest().viewer.position.rows).toBe(0);
  });

  test('does nothing while a review hides the window', async () => {
    const window = await full();
    const row = (await window.screen()).split('\n').findIndex((text) => text.includes(line(58)));
    const view = initialReviewView('one', aReview(SESSION_FILE));
    window.store.dispatch({type: 'overlay_opened', overlay: {kind: 'review', ...view}}, 'urgent');
    await shown(window).not.toContain(line(58));
    window.point({kind: 'press', column: 0, row}, {kind: 'drag', column: 9, row: row + 2});
    window.point({kind: 'release', column: 9, row: row + 2}, {kind: 'wheel_up', column: 3, row: 3});
    expect(window.effects.map(({kind}) => kind)).not.toContain('copy');
    expect(window.store.latest().viewer.position.rows).toBe(0);
  });

  test.each([
    ['first_keys', '?', 'Ctrl+R'],
    ['more_keys', '\x18', 'switch to the open session of that number'],
  ])('closes no list of keys with its wheel: %s', async (kind, keys, text) => {
    const window = await full();
    window.press(keys);
    await shown(window).toContain(text);
    const row = (await window.screen()).split('\n').findIndex((each) => each.includes(text));
    const before = window.store.latest();
    window.point({kind: 'wheel_up', column: 3, row}, {kind: 'wheel_down', column: 3, row});
    expect(window.store.latest()).toEqual(before);
    expect(before.overlay.kind).toBe(kind);
  });

  test('never answers a request, whatever is written on it', async () => {
    const window = await full(2);
    window.report(prompt(2), asks({kind: 'execute', rawInput: {command: '1  y  Yes'}}));
    await shown(window).toContain('2  n  No');
    await keysCount(window);
    const screen = (await window.screen()).split('\n');
    for (const [row, text] of screen.entries()) {
      const column = Math.max(0, text.indexOf('No'));
      window.point({kind: 'press', column, row}, {kind: 'release', column, row});
    }
    expect(window.effects.map(({kind}) => kind)).toEqual([]);
    expect(window.store.latest().sessions['one']?.draft.text).toBe('');
  });

  test('selects the clicked answer of a request, which a key then takes', async () => {
    const window = await full(2);
    window.press('x');
    await shown(window).toContain('x');
    window.report(prompt(2), asks({kind: 'execute', rawInput: {command: 'rm a'}}));
    await shown(window).toContain('2  n  No');
    expect(window.store.latest().focus.kind).toBe('prompt');
    await click(window, '2  n  No');
    expect(window.store.latest()).toMatchObject({
      focus: {kind: 'request', id: 'p'},
      request: {selected: 1, phase: {kind: 'focused'}},
    });
    expect(window.effects).toEqual([]);
    await keysCount(window);
    window.press('\r');
    await expect
      .poll(() => window.effects)
      .toContainEqual(expect.objectContaining({action: 'answer', args: ['p', expect.anything()]}));
  });

  test('selects the clicked item of a list, which Enter then takes', async () => {
    const window = await full(2);
    window.press('\x18', 'p');
    await shown(window).toContain('select');
    await click(window, '/new');
    await shown(window).toMatch(/❯ \/new|> \/new/);
    expect(window.store.latest().overlay.kind).toBe('picker');
  });

  test('selects the clicked command of the menu, which Enter then takes', async () => {
    const window = await full(2);
    window.press('/');
    await shown(window).toContain('Commands');
    const rows = (await window.screen()).split('\n');
    const [, third = ''] =
      /^ {2}(\/\S+)/.exec(rows[rows.findIndex((row) => row.includes('Commands')) + 3] ?? '') ?? [];
    await click(window, `  ${third}`);
    await shown(window).toContain(`❯ ${third}`);
    expect(window.effects).toEqual([]);
  });

  test('selects a clicked session of the board, and opens it with another click; the wheel moves on', async () => {
    const window = await full(2);
    window.press('\x18', 'b');
    await shown(window).toContain('Sessions');
    window.store.dispatch({type: 'board_changed', change: {stored, at: 60_000, selected: 'first'}}, 'urgent');
    await shown(window).toMatch(/❯ .*task first/);
    await click(window, 'task second');
    await shown(window).toMatch(/❯ .*task second/);
    const at = (await window.screen()).split('\n').findIndex((text) => text.includes('task second'));
    window.point({kind: 'wheel_up', column: 3, row: at});
    await shown(window).toMatch(/❯ .*task first/);
    expect(window.effects).toEqual([]);
    await click(window, 'task first');
    expect(window.effects).toMatchObject([{kind: 'resume_session', row: 'first'}]);
  });

  test('stops at the ends of a list and of the board, and takes no reply from its session', async () => {
    const window = await full(2);
    const turn = async (...kinds: readonly ('wheel_up' | 'wheel_down')[]) => {
      const row = (await window.screen()).split('\n').findIndex((text) => text.startsWith('❯'));
      window.point(...kinds.map((kind) => ({kind, column: 3, row})));
    };
    window.press('\x18', 'p');
    await shown(window).toMatch(/^❯/m);
    await turn('wheel_up', 'wheel_down', 'wheel_up', 'wheel_up');
    expect(window.store.latest().overlay).toMatchObject({picker: {selected: 0}});
    window.press('\x1b');
    await shown(window).not.toMatch(/^❯/m);
    window.press('\x18', 'b');
    await shown(window).toContain('Sessions');
    window.store.dispatch(
      {type: 'board_changed', change: {stored, at: 60_000, selected: 'second'}},
      'urgent',
    );
    await shown(window).toMatch(/❯ .*task second/);
    const board = () => window.store.latest().board;
    const ids = boardRows(window.store.latest(), board()!).map(({id}) => id);
    for (const [kind, id] of [
      ['wheel_up', ids[0]],
      ['wheel_down', ids.at(-1)],
    ] as const) {
      await turn(...ids.map(() => kind));
      expect(board()?.selected).toBe(id);
    }
    window.press(' ', 'x');
    await shown(window).toContain('x');
    await turn('wheel_up');
    expect(board()).toMatchObject({selected: ids.at(-1), typing: 'reply', draft: {text: 'x'}});
  });

  test('asks whether to open a clicked link, with its whole URL', async () => {
    const window = await full(2);
    const whole = `https://example.org/${'a'.repeat(80)}`;
    window.report(says(`See ${whole} and https://example.com/b.`, 'm'), ended(1));
    await shown(window).toContain('https://example.com/b');
    await click(window, 'example.org');
    await click(window, 'example.com');
    await click(window, 'See');
    expect(window.effects).toMatchObject([
      {kind: 'open_content', item: {kind: 'link', target: whole}},
      {kind: 'open_content', item: {kind: 'link', target: 'https://example.com/b'}},
    ]);
  });

  test('asks about a link behind an emoji that is joined from several', async () => {
    const window = await full(2);
    window.report(says('👨‍👩‍👧 see https://a.example', 'm'), ended(1));
    await shown(window).toContain('https://a.example');
    await click(window, 'https://a.example');
    expect(window.effects).toMatchObject([{kind: 'open_content', item: {target: 'https://a.example'}}]);
  });

  test('asks about no other link that begins like the clicked one', async () => {
    const window = await full(2);
    window.report(says('See https://example.co', 'm'), ended(1));
    window.report(prompt(2), says('Not https://example.com.evil.example/x', 'n'), ended(2));
    await shown(window).toContain('evil.example');
    await click(window, 'https://example.co');
    expect(window.effects).toMatchObject([{kind: 'open_content', item: {target: 'https://example.co'}}]);
  });

  test('opens the target of a hyperlink, whatever its text is', async () => {
    const window = await full(2, {hyperlinks: true});
    window.report(says('See [https://good.example](https://bad.example/x) now.', 'm'), ended(1));
    await shown(window).toContain('(https://bad.example/x)');
    await click(window, 'good.example');
    expect(window.effects).toMatchObject([{item: {target: 'https://bad.example/x'}}]);
  });
});

/** Clicks on a text on the screen. */
async function click(window: Window, text: string) {
  const screen = (await window.screen()).split('\n');
  const row = screen.findIndex((line) => line.includes(text));
  const column = joinedWidth(screen[row]?.split(text)[0] ?? '');
  window.point({kind: 'press', column, row}, {kind: 'release', column, row});
}
