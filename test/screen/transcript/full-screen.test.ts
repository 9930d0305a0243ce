import {afterEach, describe, expect, test} from 'vitest';
import {atNextHit} from '../../../src/app/pages/viewer.ts';
import {openedSession} from '../../../src/app/initial.ts';
import {initialSession} from '../../../src/session/initial.ts';
import type {SessionEvent} from '../../../src/session/events.ts';
import {closeWindows, open, shown, type Window} from '../window.ts';
import {ended, prompt, says, type Untimed} from '../../unit/components/transcript/conversation.ts';

afterEach(closeWindows);

const SIZE = {columns: 60, rows: 16};
const line = (number: number) => `line ${String(number).padStart(3, '0')}`;
const lines = (from: number, to: number) => Array.from({length: to - from}, (_, index) => line(from + index));

const plan = {
  type: 'session_update',
  update: {
    sessionUpdate: 'plan',
    entries: [{content: 'Find the race', status: 'in_progress', priority: 'medium'}],
  },
} satisfies Untimed<SessionEvent>;
const edit = {
  type: 'session_update',
  update: {
    sessionUpdate: 'tool_call',
    toolCallId: 'e',
    title: 'Edit',
    status: 'completed',
    content: [{type: 'diff', path: '/work/a.ts', oldText: null, newText: 'one\ntwo\n'}],
  },
} satisfies Untimed<SessionEvent>;

/** A window in full screen, with many lines of an answer. */
async function full(count = 60, able: Parameters<typeof open>[1] = {}): Promise<Window> {
  const window = open(SIZE, able);
  window.store.dispatch({type: 'screen_changed', screen: 'full'}, 'urgent');
  window.report(prompt(1, 'Count'), says(lines(0, count).join('\n\n')), ended(1));
  await shown(window).toContain(line(count - 1));
  return window;
}

function openSecond(window: Window): void {
  const open = openedSession({
    key: 'two',
    agentLabel: 'other agent',
    session: initialSession({cwd: '/work', additionalDirectories: [], at: 0}),
    approval: 'none',
  });
  window.store.dispatch({type: 'session_added', key: 'two', open}, 'urgent');
  window.store.dispatch({type: 'session_activated', key: 'two'}, 'urgent');
}

describe('the full screen', () => {
  test('shows the end of the transcript above the prompt, and follows it', async () => {
    const window = await full();
    const screen = (await window.screen()).split('\n');
    expect(screen.length).toBe(SIZE.rows - 1);
    expect(screen.at(-1)).toContain('test agent');
    window.report(prompt(2, 'More'), says('The very end.'));
    await shown(window).toContain('The very end.');
  });

  test('starts with the start card, which disappears with the first message', async () => {
    const window = open(SIZE);
    window.store.dispatch({type: 'screen_changed', screen: 'full'}, 'urgent');
    await shown(window).toMatch(/^\n {2}acp-tui 0\.0\.0 · test agent\n/);
    expect((await window.screen()).split('\n').length).toBe(SIZE.rows - 1);
    window.report(prompt(1, 'Hello'), says('Hi.'));
    await shown(window).toContain('Hi.');
    expect(await window.screen()).not.toContain('acp-tui');
  });

  test('handles keys that arrive together one by one', async () => {
    const window = await full();
    window.press('\x0f');
    await shown(window).toContain('close');
    window.press('/line 05');
    await shown(window).toContain('/line 05');
    const viewer = () => window.store.latest().viewer;
    await expect.poll(() => viewer().hits?.length).toBe(10);
    window.press('\r');
    await expect.poll(() => viewer().typingFrom).toBeUndefined();
    const next = {...viewer(), ...atNextHit(viewer(), 1)};
    const {hit} = atNextHit(next, 1);
    window.press('nn');
    await expect.poll(() => viewer().hit).toBe(hit);
  });

  test('folds reads and searches into one row until they are unfolded', async () => {
    const window = await full(1);
    const read = (toolCallId: string) =>
      ({
        type: 'session_update',
        update: {
          sessionUpdate: 'tool_call',
          toolCallId,
          title: `Read ${toolCallId}.ts`,
          kind: 'read',
          status: 'completed',
          locations: [{path: `/work/${toolCallId}.ts`}],
        },
      }) satisfies Untimed<SessionEvent>;
    window.report(prompt(2, 'Look'), read('a'), read('b'));
    await shown(window).toContain('Read b.ts');
    window.report(read('c'), says('Seen.'), ended(2));
    await shown(window).toMatch(/Read 3 files ▸ a\.ts, b\.ts, c\.ts +▸\n\n {2}Seen\./);
    window.press('\x0f');
    await shown(window).toContain('close');
    window.press('f');
    await shown(window).toMatch(/Read a\.ts.*\n.*Read b\.ts.*\n.*Read c\.ts/);
  });

  test('moves nothing with reduced motion', async () => {
    const window = open(SIZE, {animations: true});
    window.store.dispatch({type: 'preferences_changed', change: {reducedMotion: true}}, 'urgent');
    window.store.dispatch({type: 'screen_changed', screen: 'full'}, 'urgent');
    window.report(prompt(1, 'Hello'));
    await shown(window).toContain('Hello');
    expect(await window.screen()).toMatch(/◐ \S+…/);
  });

  test('opens when the program that has the terminal returns it', async () => {
    const window = open(SIZE);
    await shown(window).toContain('test agent');
    const {promise, resolve} = Promise.withResolvers<void>();
    const lent = window.lend(() => promise);
    window.store.dispatch({type: 'screen_changed', screen: 'full'}, 'urgent');
    setImmediate(resolve);
    await lent;
    await expect.poll(() => window.bytes()).toContain('\x1b[?1049h');
  });

  test('prints its end for the size that the terminal has got meanwhile', async () => {
    const window = await full(2);
    window.report(prompt(2, 'More'), says('some words '.repeat(9)), ended(2));
    await shown(window).toContain('some words');
    window.resize({columns: 40, rows: 16});
    const wrapped = '  some words some words some words some\n  words some';
    await shown(window).toContain(wrapped);
    await window.close();
    await expect.poll(() => window.everything()).toContain(wrapped);
    expect(await window.everything()).not.toMatch(/[╭─]/);
  });

  test('stays where it was scrolled to, and shows what is new', async () => {
    const window = await full();
    window.press('\x1b[5~');
    await shown(window).toContain('Shift+End end');
    await shown(window).not.toContain(line(59));
    const before = (await window.screen()).split('\n').slice(0, 8);
    window.report(prompt(2, 'More'), says('The very end.'), ended(2));
    await shown(window).toContain('3 new ↓');
    expect((await window.screen()).split('\n').slice(0, 8)).toEqual(before);
    window.press('\x1b[1;2F');
    await shown(window).toContain('The very end.');
  });

  test('has a side panel if there is space, until it is hidden', async () => {
    const window = await full();
    window.report(prompt(2, 'Fix it'), plan, edit);
    window.resize({columns: 140, rows: 30});
    await shown(window).toMatch(/│ Plan 0\/1 *$/m);
    await shown(window).toMatch(/│ . Find the race *$/m);
    await shown(window).toMatch(/│ To review  1 file *\n.*│ A a\.ts *$/m);
    window.press('\x18', 'l');
    await shown(window).not.toContain('A a.ts');
    expect(await window.screen()).toContain('Find the race');
  });

  test('puts no line behind characters that terminals disagree on', async () => {
    const window = await full();
    window.report(prompt(2, 'Fix it'), plan, says('A family 👩‍👩‍👧 of one.\n\nThe very end.'));
    window.resize({columns: 140, rows: 30});
    await shown(window).toMatch(/The very end\. +│/);
    expect(await window.screen()).toMatch(/A family .* of one\.$/m);
  });

  test('shows the context and the cost in the side panel, or else at the prompt', async () => {
    const window = await full();
    const usage = {used: 5000, size: 10_000, cost: {amount: 1.5, currency: 'USD'}};
    window.report({type: 'session_update', update: {sessionUpdate: 'usage_update', ...usage}});
    window.resize({columns: 140, rows: 30});
    await shown(window).toMatch(/│ \S+ 50% *$/m);
    const screen = await window.screen();
    expect(screen.match(/50%/g)).toHaveLength(1);
    expect(screen.match(/\$1\.50/g)).toHaveLength(1);
    window.press('\x18', 'l');
    await shown(window).toMatch(/50% of 10k {2}\$1\.50/);
  });

  test('lists in the side panel what a review would show, not what tool calls report', async () => {
    const window = await full();
    const listed = [
      {path: 'a.ts', status: 'added', added: 2, removed: 0},
      {path: 'by-command.ts', status: 'deleted', added: 0, removed: 7},
    ] as const;
    window.report(prompt(2, 'Fix it'), edit, ended(2), {type: 'unreviewed_changes', files: 12, listed});
    window.resize({columns: 140, rows: 30});
    await shown(window).toMatch(
      /│ To review  12 files *\n.*│ A a\.ts +\+2 *\n.*│ D by-command\.ts +−7 *\n.*│ … 10 more/,
    );
    window.report({type: 'unreviewed_changes', files: 0, listed: []});
    await shown(window).not.toContain('To review');
    window.report({type: 'unreviewed_changes', files: 2, listed: [{...listed[0], added: 7}, listed[1]]});
    await shown(window).toMatch(/│ A a\.ts +\+7 *$/m);
    // Its figures are those of before.
    window.report(prompt(3, 'More'), {...edit, update: {...edit.update, toolCallId: 'f'}});
    await shown(window).toMatch(/│ To review  2 files *\n.*│ A a\.ts *\n.*│ D by-command\.ts +−7 *$/m);
    expect(await window.screen()).not.toContain('+7');
  });

  test('has tabs if several sessions are open, with the state of each', async () => {
    const window = await full();
    openSecond(window);
    await shown(window).toMatch(/^ 1 Count {2}2 Other agent/i);
    window.report(prompt(2, 'More'), says('Aside.'), ended(2));
    await shown(window).toMatch(/^ 1 Count ● new/);
    window.point({kind: 'press', column: 3, row: 0}, {kind: 'release', column: 3, row: 0});
    await shown(window).toContain('Aside.');
    expect(window.store.latest().active).toBe('one');
  });

  test('shows a session again where it was scrolled to', async () => {
    const window = await full();
    window.press('\x1b[5~');
    await shown(window).toContain('Shift+End end');
    const topRow = async () => (await window.screen()).split('\n').find((text) => text.includes('line '));
    const before = await topRow();
    openSecond(window);
    await shown(window).not.toContain('line ');
    window.store.dispatch({type: 'session_activated', key: 'one'}, 'urgent');
    await shown(window).toContain('Shift+End end');
    expect(await topRow()).toBe(before);
  });
});

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
    const call = {
      sessionUpdate: 'tool_call',
      toolCallId: 'e',
      title: 'Look',
      status: 'completed',
      content,
    } as const;
    window.report({type: 'session_update', update: call});
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

  test('never answers a request, whatever is written on it', async () => {
    const window = await full(2);
    const toolCall = {
      toolCallId: 'a',
      title: 'Clean up',
      kind: 'execute',
      rawInput: {command: '1. Yes'},
    } as const;
    const options = [
      {optionId: 'yes', name: 'Yes', kind: 'allow_once'},
      {optionId: 'no', name: 'No', kind: 'reject_once'},
    ] as const;
    const request = {sessionId: 's', toolCall, options: [...options]};
    window.report(prompt(2), {type: 'permission_requested', id: 'p1', request});
    await shown(window).toContain('2. No');
    const from = () => window.store.latest().request?.answerFrom ?? Infinity;
    await expect.poll(() => performance.now() > from()).toBe(true);
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
    const options = [
      {optionId: 'yes', name: 'Yes', kind: 'allow_once'},
      {optionId: 'no', name: 'No', kind: 'reject_once'},
    ] as const;
    const toolCall = {
      toolCallId: 'a',
      title: 'Clean up',
      kind: 'execute',
      rawInput: {command: 'rm a'},
    } as const;
    window.press('x');
    await shown(window).toContain('x');
    const request = {sessionId: 's', toolCall, options: [...options]};
    window.report(prompt(2), {type: 'permission_requested', id: 'p1', request});
    await shown(window).toContain('2. No');
    expect(window.store.latest().focus.kind).toBe('prompt');
    await click(window, '2. No');
    expect(window.store.latest()).toMatchObject({
      focus: {kind: 'request', id: 'p1'},
      request: {selected: 1, answered: false},
    });
    expect(window.effects).toEqual([]);
    const from = () => window.store.latest().request?.answerFrom ?? Infinity;
    await expect.poll(() => performance.now() > from()).toBe(true);
    window.press('\r');
    await expect
      .poll(() => window.effects)
      .toContainEqual(expect.objectContaining({kind: 'answer', id: 'p1'}));
  });

  test('selects the clicked item of a list, which Enter then takes', async () => {
    const window = await full(2);
    window.press('/theme', '\r');
    await shown(window).toContain('select');
    await click(window, 'high-contrast');
    await shown(window).toMatch(/❯ high-contrast|> high-contrast/);
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
  const column = screen[row]?.indexOf(text) ?? 0;
  window.point({kind: 'press', column, row}, {kind: 'release', column, row});
}
