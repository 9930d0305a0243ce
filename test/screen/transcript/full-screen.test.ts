import {afterEach, describe, expect, test} from 'vitest';
import {goToNextHit} from '../../../src/app/pages/viewer.ts';
import {createTab} from '../../../src/app/initial.ts';
import {initialSession} from '../../../src/session/initial.ts';
import {closeWindows, open, shown, type Window} from '../../support/screen/window.ts';
import {update} from '../../support/session/build.ts';
import {diff, ended, prompt, says, tool} from '../../support/session/conversation.ts';
import {full, line, SIZE} from './full-window.ts';

afterEach(closeWindows);

const plan = update({
  sessionUpdate: 'plan',
  entries: [{content: 'Find the race', status: 'in_progress', priority: 'medium'}],
});
const edit = (toolCallId = 'e') =>
  tool(toolCallId, 'completed', {title: 'Edit', content: [diff('one\ntwo\n', null, '/work/a.ts')]});

function openSecond(window: Window): void {
  const tab = createTab({
    key: 'two',
    agentLabel: 'other agent',
    session: initialSession({cwd: '/work', additionalDirectories: [], at: 0}),
    approval: 'none',
  });
  window.store.dispatch({type: 'session_added', key: 'two', tab}, 'urgent');
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
    const next = {...viewer(), ...goToNextHit(viewer(), 1)};
    const {hit} = goToNextHit(next, 1);
    window.press('nn');
    await expect.poll(() => viewer().hit).toBe(hit);
  });

  test('shows each call with an ID that is used again, whole', async () => {
    const window = open(SIZE);
    const calls = ['Read notes.md', 'Overwrite everything'].map((title, index) =>
      tool(index === 0 ? 'call_0' : 'call_0 #2', 'completed', {title}),
    );
    window.report(prompt(1, 'Go'), ...calls, ended(1));
    window.press('\x0f');
    await shown(window).toContain('close');
    await shown(window).toMatch(/Read notes\.md[^]*Overwrite everything/);
  });

  test('finds very many rows of one entry', {timeout: 60_000}, async () => {
    const window = await full(1);
    window.report(prompt(2, 'List'), says(`\`\`\`\n${'wanted\n'.repeat(130_000)}\`\`\``), ended(2));
    window.press('\x0f');
    await shown(window).toContain('close');
    window.press('/wanted');
    await expect
      .poll(() => window.store.latest().viewer.hits?.length, {timeout: 50_000})
      .toBeGreaterThan(125_000);
  });

  test('folds reads and searches into one row until they are unfolded', async () => {
    const window = await full(1);
    const read = (toolCallId: string) =>
      tool(toolCallId, 'completed', {
        title: `Read ${toolCallId}.ts`,
        kind: 'read',
        locations: [{path: `/work/${toolCallId}.ts`}],
      });
    window.report(prompt(2, 'Look'), read('a'), read('b'));
    await shown(window).toContain('Read b.ts');
    window.report(read('c'), says('Seen.'), ended(2));
    await shown(window).toMatch(/Read 3 files ▸ a\.ts, b\.ts, c\.ts +▸\n\n {2}Seen\./);
    window.press('\x0f');
    await shown(window).toContain('close');
    window.press('f');
    await shown(window).toMatch(/Read a\.ts.*\n.*Read b\.ts.*\n.*Read c\.ts/);
    expect(await window.screen()).not.toContain('Read 3 files');
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
    window.report(prompt(2, 'Fix it'), plan, edit());
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
    window.report(prompt(2, 'Fix it'), edit(), ended(2), {type: 'unreviewed_changes', files: 12, listed});
    window.resize({columns: 140, rows: 30});
    await shown(window).toMatch(
      /│ To review  12 files *\n.*│ A a\.ts +\+2 *\n.*│ D by-command\.ts +−7 *\n.*│ … 10 more/,
    );
    window.report({type: 'unreviewed_changes', files: 0, listed: []});
    await shown(window).not.toContain('To review');
    window.report({type: 'unreviewed_changes', files: 2, listed: [{...listed[0], added: 7}, listed[1]]});
    await shown(window).toMatch(/│ A a\.ts +\+7 *$/m);
    // Its figures are those of before.
    window.report(prompt(3, 'More'), edit('f'));
    await shown(window).toMatch(/│ To review  2 files *\n.*│ A a\.ts *\n.*│ D by-command\.ts +−7 *$/m);
    expect(await window.screen()).not.toContain('+7');
  });

  test('has tabs if several sessions are open, with the state of each', async () => {
    const window = await full();
    openSecond(window);
    await shown(window).toMatch(/^ 1 Count {2}2 Other agent/i);
    window.report(prompt(2, 'More'), says('Aside.'), ended(2));
    await shown(window).toMatch(/^ 1 Count ● done/);
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
