import {afterEach, describe, expect, onTestFinished, test, vi} from 'vitest';
import {allRows} from '../../../components/layout/lazy-rows.ts';
import {rowsOfRequest} from '../../../components/requests/permission-request.ts';
import {unseenRows} from '../../../src/app/requests/request-guard.ts';
import {REPEAT_MS} from '../../../src/app/requests/request-phase.ts';
import {requestedToolCall} from '../../../src/session/selectors.ts';
import {colorTheme} from '../../support/screen/theme.ts';
import {reduceEvents, opened, update, type UntimedEvent} from '../../support/session/build.ts';
import {asks, diff, ended, prompt, says, tool} from '../../support/session/conversation.ts';
import {drawingReady, inProcess} from '../../support/in-process.ts';
import {useThreads} from '../../../src/worker/background.ts';
import {closeWindows, keysCount, open, shown, type Window} from '../../support/screen/window.ts';

const toRun = (command: string) => asks({kind: 'execute', rawInput: {command}});
const toWrite = (newText: string, oldText: string | null = null) =>
  asks({title: 'Write a file', kind: 'edit', content: [diff(newText, oldText)]});
const asked = toRun('rm -rf build');

function unseen(window: Window): number | undefined {
  const {request} = window.store.latest();
  return request && unseenRows(request.seen);
}

afterEach(closeWindows);

describe('a permission request', () => {
  test('counts only rows as read that stay beside its notes', async () => {
    const window = open({columns: 40, rows: 20});
    window.report(
      prompt(1),
      tool('a', 'pending'),
      toWrite('one\ntwo\nthree\nfour\nfive\nsix\nseven\neight\n'),
    );
    await shown(window).toMatch(/Scroll to the end to allow/);
    const {scroll} = window.store.latest().request ?? {};
    const hidden = (scroll?.totalRows ?? 0) - (scroll?.visibleRows ?? 0);
    expect(unseen(window)).toBe(hidden);
    await shown(window).toContain(`… ${hidden} below`);
  });

  test('waits beside the draft during typing', async () => {
    const window = open({columns: 60, rows: 17});
    await shown(window).toContain('Ask anything');
    window.press('x');
    await shown(window).toContain('x');
    window.report(prompt(1), tool('a', 'pending'), asked);
    await shown(window).toContain('Allow this command?');
    await shown(window).toContain('▌ go');
    await shown(window).toContain('Tab answer');
    expect(await window.screen()).toMatchSnapshot();
  });

  test('has no animation: only the user can act', async () => {
    const intervals = new Set<unknown>();
    const {setInterval, clearInterval} = globalThis;
    vi.spyOn(globalThis, 'setInterval').mockImplementation(((run: () => void, ms: number) => {
      const timer = setInterval(run, ms);
      intervals.add(timer);
      return timer;
    }) as typeof setInterval);
    vi.spyOn(globalThis, 'clearInterval').mockImplementation((timer) => {
      intervals.delete(timer);
      clearInterval(timer);
    });
    onTestFinished(() => void vi.restoreAllMocks());
    const window = open({columns: 80, rows: 24}, {animations: true});
    window.report(prompt(1), tool('a', 'pending'));
    await vi.waitUntil(() => intervals.size > 0, {timeout: 10_000});
    window.report(asked);
    await shown(window).toContain('Allow this command?');
    await vi.waitUntil(() => intervals.size === 0, {timeout: 10_000});
    expect(intervals.size).toBe(0);
  });

  test('leaves room for the completion menu, which has the keys', async () => {
    const window = open({columns: 80, rows: 24});
    window.press('/ren');
    await shown(window).toContain('❯ /rename');
    window.report(prompt(1), tool('a', 'pending'), asked);
    await shown(window).toContain('Allow this command?');
    await shown(window).toMatch(/❯ \/rename[^]*Needs you: Esc close menu, then Tab answer/);
    window.resize({columns: 40, rows: 8});
    await shown(window).toContain('❯ /rename');
    await shown(window).not.toContain('1  y  Yes');
    window.press('\x1b');
    await shown(window).toContain('1  y  Yes');
    expect(await window.screen()).toContain('Tab answer');
  });

  test('is answered by its number once it has the focus', async () => {
    const window = open();
    window.report(prompt(1), tool('a', 'pending'), asked);
    await shown(window).toContain('$ rm -rf build');
    window.press('\t');
    await shown(window).toContain('why am I asked');
    // A key counts only some time after the request was drawn.
    await keysCount(window);
    window.press('1');
    await expect
      .poll(() => window.effects)
      .toContainEqual({
        kind: 'call',
        key: 'one',
        action: 'answer',
        args: ['p', {kind: 'option', index: 0, changes: 0, key: '1'}],
      });
  });

  test('can be read and answered on a screen of 20 by 5', async () => {
    const window = open({columns: 20, rows: 5});
    window.report(prompt(1), tool('a', 'pending'), asked);
    await shown(window).toContain('1  y  Yes');
    const rows = (await window.screen()).split('\n');
    expect(rows.length).toBeLessThanOrEqual(5);
    expect(Math.max(...rows.map((row) => row.length))).toBeLessThanOrEqual(20);
    expect(await window.screen()).toMatchSnapshot();
  });

  test('marks the answer that Enter selects only while it does, where there is no room for a hint', async () => {
    const window = open({columns: 20, rows: 5});
    window.report(prompt(1), tool('a', 'pending'), asked);
    await shown(window).toContain('… 1  y  Yes');
    window.press('\t');
    await shown(window).toContain('❯ 1  y  Yes');
  });

  test.each([6, 7, 8])('shows a command of two rows on a screen of 20 by %d', async (rows) => {
    const window = open({columns: 20, rows});
    const command = 'git push origin main';
    window.report(prompt(1), asks({title: command, kind: 'execute', rawInput: {command}}));
    await shown(window).toContain('1  y  Yes');
    window.press('\t');
    await shown(window).toContain('Esc back to prompt');
    expect(await window.screen()).toMatch(/git push\n.* origin main\n.*1  y  Yes/);
    expect((await window.screen()).split('\n').length).toBeLessThanOrEqual(rows);
  });

  test('says how much of a command is left to read, also after End', async () => {
    const window = open({columns: 80, rows: 16});
    const long = Array.from({length: 40}, (_, line) => `echo ${line}`).join('\n');
    window.report(prompt(1), toRun(long));
    await expect
      .poll(() => window.store.latest().request?.scroll)
      .toMatchObject({firstRow: 0, totalRows: 41});
    window.press('\t');
    await shown(window).toMatch(/Read it all to allow \(Space\/PgDn\) · \d+ lines left · n reject/);
    window.press('\x1b[F');
    await shown(window).toMatch(/echo 39[^]*Read it all to allow \(Space\/PgDn\) · \d+ lines left/);
    await keysCount(window);
    for (let page = 0; page < 20; page++) {
      const {seen} = window.store.latest().request ?? {};
      window.press('y');
      await expect.poll(() => window.store.latest().request?.seen).not.toBe(seen);
      if (unseen(window) === 0) break;
    }
    await shown(window).toContain('why am I asked');
    expect(window.effects).toEqual([]);
  });

  test('says how many lines of a change were not shown', async () => {
    const window = open({columns: 80, rows: 16});
    const newText = Array.from({length: 80}, (_, line) => `line ${line}`).join('\n');
    window.report(prompt(1), toWrite(newText));
    await expect.poll(() => window.store.latest().request?.phase.kind).toMatch(/shown|focused/);
    window.press('\t');
    await shown(window).toMatch(/Scroll to the end to allow \(End\) · \d+ lines left · n reject/);
    window.press('\x1b[F');
    await shown(window).toMatch(/line 79[^]*\d+ lines were not shown\. e edit first/);
    // At the end there is nothing below.
    expect(await window.screen()).toMatch(/… \d+ above · PgUp scroll · Home start/);
  });

  test('says that the agent has changed it', async () => {
    const window = open({columns: 60, rows: 16});
    window.report(prompt(1), toRun('make'));
    await shown(window).toContain('$ make');
    window.report(
      update({sessionUpdate: 'tool_call_update', toolCallId: 'a', rawInput: {command: 'make all'}}),
    );
    await shown(window).toContain('$ make all');
    expect(await window.screen()).toMatch(/\? \(changed\)[^]*The agent changed this request/);
  });

  test('says that a file has changed since, and accepts a key only after that', async () => {
    const window = open({columns: 100, rows: 16});
    window.report(prompt(1), toWrite('mine\n'));
    await expect.poll(() => window.store.latest().request?.phase.kind).toMatch(/shown|focused/);
    window.press('\t');
    await keysCount(window);
    window.press('y');
    await expect.poll(() => window.store.latest().request?.phase.kind).toBe('answered');
    const outdated = [{path: '/work/a.txt', why: 'changed' as const}];
    window.report({type: 'permission_outdated', id: 'p', outdated});
    await shown(window).toMatch(
      /\? \(changed\)[^]*a\.txt has changed since you were asked; the diff shows the old version\. Read it again\./,
    );
    expect(window.store.latest().request).toMatchObject({phase: {kind: 'focused'}, changed: 'disk'});
    expect(await window.screen()).not.toContain('The agent changed');
  });

  const outdated = [{path: '/work/a.txt', why: 'differs' as const}];

  test('says when a file does not match its diff', async () => {
    const window = open({columns: 100, rows: 16});
    window.report(prompt(1), {...toWrite('mine\n', 'theirs\n'), outdated});
    await shown(window).toContain('a.txt does not match this diff: its current content may be lost.');
    expect(await window.screen()).not.toContain('permission, changed');
  });

  test.each([
    [{_meta: {change: {does: 'delete'}}, newText: ''}, 'Allow this deletion?', 'a.txt (deleted, 1 line)'],
    [
      {_meta: {change: {does: 'move', oldPath: '/work/b.txt'}}},
      'Allow this move?',
      'b.txt → a.txt (moved, +1 −1)',
    ],
  ])('says what is deleted or moved: %j', async (fields, question, file) => {
    const window = open({columns: 100, rows: 16});
    const content = [{...diff('mine\n', 'theirs\n'), ...fields}];
    window.report(prompt(1), asks({title: 'Tidy up', kind: 'edit', content}));
    await shown(window).toContain(question);
    expect(await window.screen()).toContain(file);
  });

  test.each([
    ['*** Delete File: gone.txt\n', 'Allow this deletion?'],
    ['rename from old.txt\nrename to new.txt\n', 'Allow this move?'],
  ])('says what a patch in the input deletes or moves: %j', async (patch, question) => {
    const window = open({columns: 100, rows: 24});
    window.report(prompt(1), asks({title: 'Tidy up', kind: 'edit', rawInput: {patch}}));
    await shown(window).toContain(question);
    expect(await window.screen()).toContain(patch.split('\n')[0]);
  });

  test('calls no existing file new', async () => {
    const window = open({columns: 100, rows: 16});
    window.report(prompt(1), {...toWrite('mine\n'), outdated});
    await shown(window).toContain('a.txt already exists: its current content may be lost.');
    expect(await window.screen()).toContain('a.txt (replaces the file, 1 line)');
  });

  test('says which keys allow hidden characters', async () => {
    const window = open({columns: 80, rows: 16});
    window.report(prompt(1), toRun('ls -la \x1b]0;touch x;#\x07'));
    await shown(window).toContain('$ ls -la \u241b]0;touch x;#\u2407');
    // It takes the focus by itself: nobody is typing.
    await shown(window).toContain('Contains hidden characters. To allow: Tab, then a number.');
    await keysCount(window, REPEAT_MS);
    window.press('\t');
    await shown(window).toContain('number allow · v full view');
    expect(await window.screen()).not.toContain('Enter or a number');
  });
});

test('an answer has its kind behind its name only if the name does not say it', async () => {
  const window = open({columns: 80, rows: 24});
  const names = [
    ['Yes, proceed', 'allow_once', 'Yes, proceed'],
    ['Allow', 'allow_once', 'Allow once'],
    ['Run it', 'allow_once', 'Run it (allow once)'],
    ["Yes, and don't ask again", 'allow_always', "Yes, and don't ask again"],
    ['Allow for this session', 'allow_always', 'Allow for this session'],
    // What does more, or something else than its name says.
    ['Allow once', 'allow_always', 'Allow once (allow always)'],
    ['Reject once', 'allow_always', 'Reject once (allow always)'],
    ['No, never allow it again', 'allow_always', 'No, never allow it again (allow always)'],
    ['Аllow always', 'allow_always', 'Аllow always (allow always)'],
    ['No, tell me why', 'reject_once', 'No, tell me why'],
  ] as const;
  const options = names.map(([name, kind], index) => ({optionId: String(index), name, kind}));
  window.report(prompt(1), {...asked, request: {...asked.request, options}});
  await shown(window).toContain('No, tell me why');
  const screen = await window.screen();
  for (const [index, [, , label]] of names.entries())
    expect(screen).toContain(`${index + 1}  ${index === 9 ? 'n' : ' '}  ${label}`.padEnd(60));
});

describe('similar options', () => {
  const alike = (...names: readonly string[]): UntimedEvent => {
    const request = toRun('make');
    const options = names.map((name, index) => ({
      optionId: `id-${index}`,
      name,
      kind: 'allow_once' as const,
    }));
    return {...request, request: {...request.request, options}};
  };

  test("have their number, their kind and the agent's name for them", async () => {
    const window = open({columns: 80, rows: 20});
    window.report(prompt(1), alike('Go', 'GO', 'Stop'));
    await shown(window).toContain('1     Go (allow once, option 1, "id-0")');
    await shown(window).toContain('2     GO (allow once, option 2, "id-1")');
    expect(await window.screen()).toContain('3     Stop (allow once)');
  });

  test('show hidden characters once, also on the page that explains them', async () => {
    const window = open({columns: 100, rows: 24});
    window.report(prompt(1), alike('Go a\u200bb', 'Go ab', 'go a\u200bb'));
    await shown(window).toContain('1     Go a⟨U+200B⟩b (allow once, option 1, "id-0")');
    await keysCount(window);
    window.press('?');
    await shown(window).toContain('1  Go a⟨U+200B⟩b');
  });

  test('are shown in full when a row is too narrow for them', async () => {
    const window = open({columns: 40, rows: 24});
    const words = 'Allow what was asked for in this session';
    window.report(prompt(1), alike(`${words} once`, `${words} and always`));
    await shown(window).toContain('Answers in full:');
    const screen = await window.screen();
    expect(screen.replaceAll(/[\s│]+/g, ' ')).toContain(`2 ${words} and always (allow once)`);
    // Indented like everything else that is asked.
    expect(screen).toMatch(/^│ {3}Answers in full:.*\n│ {3}1  Allow.*\n│ {3}this session/m);
  });
});

test('the diff of a request gets its colors when the thread has them', async () => {
  const content = [diff('local x = 1\n', null, '/work/a.lua')];
  const state = reduceEvents(opened, asks({kind: 'edit', content}));
  const [pending] = state.pending;
  if (pending?.kind !== 'permission') throw new Error('no request');
  const look = colorTheme();
  const draw = () => allRows(rowsOfRequest(pending, look, requestedToolCall(state, pending))).join('\n');
  useThreads(inProcess);
  expect(draw()).toContain('local x = 1');
  expect(draw()).toBe(draw());
  await drawingReady();
  await expect.poll(draw).not.toContain('local x = 1');
});

test('with a screen reader a request repeats what is asked, not the notes about its text', async () => {
  const window = open({columns: 60, rows: 20}, {isLinear: true});
  window.report(asks({title: 'Run it', rawInput: {command: 'ls ملف'}}));
  await expect.poll(() => window.everything()).toMatch(/Question: Allow this command\? · .*: Run it/);
});

test('with a screen reader what is copied is not written to the terminal', async () => {
  const window = open({columns: 60, rows: 20}, {isLinear: true});
  window.report(prompt(1), says('An answer'), ended(1));
  window.press('/copy', '\r');
  await expect
    .poll(() => window.effects)
    .toContainEqual(expect.objectContaining({kind: 'copy', terminal: 'none'}));
  await window.written();
  expect(window.bytes()).not.toContain('\x1b]52');
});

describe('with a screen reader', () => {
  const runs = (id: string, ...lines: readonly string[]) => ({
    ...asks({title: 'Run it', toolCallId: id, rawInput: {command: lines.join('\n')}}),
    id,
  });
  const settle = (id: string) => ({
    type: 'permission_resolved' as const,
    id,
    toolCallId: id,
    decision: {outcome: 'rejected', by: 'user', option: 'No'} as const,
  });
  const countOf = (text: string, line: string) =>
    text.split('\n').filter((each) => each.trim() === line).length;

  test('a request is read out as a whole, whatever it has in common with the one before', async () => {
    const window = open({columns: 60, rows: 30}, {isLinear: true});
    window.report(runs('one', 'cat a', 'rm -rf ~'), runs('two', 'npm test', 'rm -rf ~'));
    window.report(runs('three', 'npm test', 'rm -rf ~'));
    await expect.poll(() => window.everything()).toContain('cat a');
    window.report(settle('one'));
    await expect.poll(async () => countOf(await window.everything(), '| rm -rf ~')).toBe(2);
    window.report(settle('two'));
    await expect.poll(async () => countOf(await window.everything(), '| rm -rf ~')).toBe(3);
    expect(countOf(await window.everything(), '| $ npm test')).toBe(2);
  });

  test('so is the next page of one that has the same line again', async () => {
    const window = open({columns: 60, rows: 20}, {isLinear: true});
    const page = (name: string) => Array.from({length: 12}, (_, line) => `${name} ${line}`);
    window.report(runs('one', 'if false; then', 'rm -rf ~', ...page('a'), ...page('b'), 'rm -rf ~'));
    await expect.poll(() => window.store.latest().request?.scroll.totalRows).toBeGreaterThan(20);
    expect(countOf(await window.everything(), '| rm -rf ~')).toBe(1);
    window.store.dispatch({type: 'request_scrolled', firstRow: 100}, 'urgent');
    await expect.poll(async () => countOf(await window.everything(), '| rm -rf ~')).toBe(2);
  });
});
