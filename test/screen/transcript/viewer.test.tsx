import {describe, expect, test} from 'vitest';
import {
  createTranscriptRows,
  topFoldable,
  type VisibleRows,
} from '../../../components/viewer/transcript-rows.ts';
import {selectedText} from '../../../components/viewer/selection.ts';
import {Foot} from '../../../components/viewer/foot.tsx';
import {rowsOfView, highlightMatches} from '../../../components/viewer/viewer-lines.ts';
import {END, movePosition, openedViewer, START} from '../../../src/app/pages/viewer.ts';
import type {Viewer, ViewerPosition} from '../../../src/app/pages/viewer-state.ts';
import {initialSession} from '../../../src/session/initial.ts';
import {reduce} from '../../../src/session/reduce.ts';
import type {SessionState} from '../../../src/session/state.ts';
import {prompted, reduceEvents, opened, says, update} from '../../support/session/build.ts';
import {conversation, ended, prompt, tool} from '../../support/session/conversation.ts';
import {UNBOUND} from '../../../src/app/keymap/key-names.ts';
import {colorTheme, plainTheme} from '../../support/screen/theme.ts';
import {frameOf} from '../../support/screen/frame-of.tsx';
import {linesOf, viewWhole} from '../../support/screen/whole-transcript.ts';

const numbered = (count: number) => Array.from({length: count}, (_, line) => `line ${line + 1}`);
const theme = plainTheme({columns: 100, extent: 'whole'});
const ROWS = 10;

/** Calls with this many lines of output each, the first of them drawn without a blank row above. */
function session(...lines: readonly number[]): SessionState {
  let state = initialSession({cwd: '/work', additionalDirectories: [], at: 0});
  lines.forEach((count, index) => {
    const text = numbered(count).join('\n');
    const content = [{type: 'content' as const, content: {type: 'text' as const, text}}];
    const toolCallId = String(index);
    const update = {sessionUpdate: 'tool_call' as const, toolCallId, title: toolCallId, content};
    state = reduce(state, {type: 'session_update', update, at: 1});
  });
  return state;
}

function scroller(state: SessionState) {
  const {view} = createTranscriptRows();
  return (position: ViewerPosition, now = state): VisibleRows =>
    view({session: now, theme, isFolded: () => false, end: []}, position, ROWS);
}

test.each([
  ['⚠️ rm -rf build', 5],
  ['1️⃣ rm -rf build', 5],
  ['👨‍👩‍👧 rm -rf build', 5],
  ['日 rm -rf build', 5],
])('selects the columns under the mouse: %s', (text, column) => {
  const rows = [{text: `  ${text}`, entry: undefined, row: 0, height: 1, isHead: true}];
  const selection = {from: {row: 0, column}, to: {row: 0, column: column + 'rm -rf'.length - 1}};
  expect(selectedText({rows}, selection)).toBe('rm -rf');
});

test('looks at each entry of a long run of folded reads a few times', () => {
  const talk = conversation();
  const reads = Array.from({length: 400}, (_, index) => tool(`${index}`, 'completed', {kind: 'read'}));
  talk.report(prompt(1), ...reads, ended(1));
  let looks = 0;
  const isFolded = () => ++looks > 0;
  const {rows} = createTranscriptRows().view({session: talk.session(), theme, isFolded, end: []}, END, ROWS);
  expect(rows.map(({text}) => text.trim()).filter(Boolean)).toContain('✓ Read 400 files');
  expect(looks).toBeLessThan(400 * 10);
});

describe('scrolling in a transcript', () => {
  const long = session(5, 30, 0, 12, 8);
  const all = linesOf(viewWhole(long, theme));

  test('shows its last rows at the end, and all of it if it fits', () => {
    expect(linesOf(scroller(long)(END))).toEqual(all.slice(-ROWS));
    const short = session(3);
    expect(linesOf(scroller(short)(END))).toEqual(linesOf(viewWhole(short, theme)));
    expect(scroller(short)({from: 'start', rows: 3}).position).toEqual(END);
  });

  test('passes each row once in any steps, up and down, and keeps its position', () => {
    for (const step of [1, 4, ROWS, 33]) {
      const view = scroller(long);
      let position: ViewerPosition = END;
      let first = all.length - ROWS;
      while (first > 0) {
        position = view(movePosition(position, -step)).position;
        first = Math.max(0, first - step);
        expect(linesOf(view(position))).toEqual(all.slice(first, first + ROWS));
        expect(view(position).position).toEqual(position);
      }
      while (first < all.length - ROWS) {
        position = view(movePosition(position, step)).position;
        first = Math.min(all.length - ROWS, first + step);
        expect(linesOf(view(position))).toEqual(all.slice(first, first + ROWS));
      }
      expect(position).toEqual(END);
    }
  });

  test('stays at the end when more arrives, and in place elsewhere', () => {
    const view = scroller(long);
    const {position} = view(movePosition(END, -7));
    const before = linesOf(view(position));
    const more = reduce(long, {
      type: 'session_update',
      update: {sessionUpdate: 'agent_message_chunk', content: {type: 'text', text: 'The end.'}},
      at: 2,
    });
    expect(linesOf(view(position, more))).toEqual(before);
    expect(linesOf(view(END, more)).at(-1)).toContain('The end.');
  });

  test('draws a growing message as if drawn at once', () => {
    const text = '# Title\n\nSome *words*.\n\n- one\n- two\n\n```js\nlet a = 1;\n```\n\nThe end.';
    const view = scroller(long);
    let growing = reduceEvents(opened);
    for (const character of text) {
      growing = reduceEvents(growing, update(says(character)));
      view(END, growing);
    }
    const whole = linesOf(viewWhole(growing, theme));
    expect(linesOf(view(START, growing))).toEqual(whole.slice(0, ROWS));
  });

  test('finds the topmost visible entry that can be folded', () => {
    const view = scroller(long);
    expect(topFoldable(view(START))).toEqual({id: '0', row: 0});
    expect(topFoldable(view({from: 'entry', id: '1', rows: 12}))).toEqual({id: '1', row: 12});
    expect(topFoldable(scroller(reduceEvents(opened, update(says('Hi'))))(START))).toBeUndefined();
  });
});

test('the fold mark is only on the first row of an entry, even without a blank row above it', () => {
  const view = viewWhole(session(3, 3), theme);
  const rows = rowsOfView(view, view.rows.length, {viewer: openedViewer, isFolded: () => false, theme});
  const marked = rows.flatMap((row) =>
    row.endsWith(theme.symbols.unfolded) ? [row.trim().split(' ')[1]] : [],
  );
  expect(marked).toEqual(['0', '1']);
});

describe('the line below it', () => {
  const foot = (
    viewer: Partial<Viewer>,
    {hints = 0, ...rest}: {first?: number; news?: string; hints?: number} = {},
  ) =>
    frameOf(
      <Foot
        foot={{viewer: {...openedViewer, ...viewer}, entries: 50, first: 0, news: undefined, ...rest}}
        isBelowPrompt={false}
      />,
      {...theme, hints},
    );
  const place = {from: 'entry', id: '3', rows: 0} as const;

  test('shows the position, what is new, what waits, and the keys', () => {
    expect(foot({})).toMatch(/^End · q or Esc close · \/ search/);
    expect(foot({position: place}, {first: 25})).toMatch(/^50 % · q/);
    expect(foot({position: place, seen: 38}, {first: 25})).toMatch(/^50 % · 12 new ↓ · /);
    expect(foot({}, {news: 'Needs you'})).toContain('Needs you');
  });

  test('names all keys, those that do not fit after another key', () => {
    const parts = [0, 1, 2].map((hints) => foot({}, {hints}));
    for (const key of ['q or Esc close', 'f fold all, Tab one', '( ) failures', 'v open', 'x cancel call'])
      expect(parts).toContainEqual(expect.stringContaining(key));
    expect(parts.every((part) => part.startsWith('End · ') && part.endsWith(' · ? more'))).toBe(true);
  });

  test('names no action without a key', () => {
    const none = new Set(['close', 'fold_one', 'previous_failure', 'next_failure', 'previous_call']);
    const keyOf: typeof theme.keyOf = (action) => (none.has(action) ? UNBOUND : theme.keyOf(action));
    const foot = {viewer: openedViewer, entries: 50, first: 0, news: undefined};
    const words = frameOf(<Foot foot={foot} isBelowPrompt={false} />, {...theme, columns: 300, keyOf});
    expect(words).toContain(
      'End · Esc close · / search · f fold all · [ ] prompts · } calls · v open content',
    );
  });

  test('shows which of how many matches this is', () => {
    const hits = [1, 2, 3].map((row) => ({id: '1', row}));
    expect(foot({search: 'LINE', hits, hit: 1})).toContain('/LINE  2 of 3');
    const inside = [{id: '1', row: 0, subagent: 'Reviewer'}];
    expect(foot({search: 'line', hits: inside, hit: 0})).toContain('/line  1 of 1 in Reviewer');
    expect(foot({search: 'nothing', hits: [], typingFrom: END})).toBe('/nothing  not found');
  });
});

test('matches are highlighted everywhere', () => {
  const colored = colorTheme({columns: 60});
  const hit = colored.paint.hit;
  expect(highlightMatches('An ant and \x1b[31mANother\x1b[39m', 'an', colored.paint.hit)).toBe(
    `${hit('An')} ${hit('an')}t ${hit('an')}d ${hit('AN')}other`,
  );
});

test('a pending request is shown once at the end of the transcript, with its whole command or diff', () => {
  let session = initialSession({cwd: '/work', additionalDirectories: [], at: 0});
  const command = `echo ${'a long word '.repeat(20)}END`;
  const newText = numbered(300).join('\n');
  const ask = (id: string, toolCall: object) => {
    const request = {sessionId: 's', options: [], toolCall: {toolCallId: id, ...toolCall}};
    session = reduce(session, {type: 'permission_requested', id, request, at: 1});
  };
  ask('run', {title: 'Run it', kind: 'execute', rawInput: {command}});
  ask('edit', {
    title: 'Edit',
    kind: 'edit',
    content: [{type: 'diff', path: '/work/a', oldText: null, newText}],
  });
  const lines = linesOf(viewWhole(session, plainTheme({extent: 'whole', columns: 60})));
  const from = lines.findIndex((line) => line.includes('Needs you'));
  const waiting = lines.slice(from).join('\n');
  expect(waiting).toMatch(/END[^]*line 300$/);
  expect(waiting.match(/\+ line \d+/g)).toHaveLength(300);
  // The entry above is only its headline.
  expect(lines.slice(0, from).join('\n')).not.toMatch(/END|line 300/);
});

test('folding shows an entry as the window does, one at a time', () => {
  const state = session(40, 40);
  const [one, other] = [...state.entries].map(({id}) => id);
  const rows = (...folded: readonly (string | undefined)[]) =>
    viewWhole(state, theme, (id) => folded.includes(id)).rows.length;
  expect([rows(), rows(one), rows(one, other)]).toEqual([83, 50, 17]);
});

test('the transcript contains everything, with thoughts expanded', () => {
  let session = initialSession({cwd: '/work', additionalDirectories: [], at: 0});
  const text = (value: string) => ({type: 'text' as const, text: value});
  const say = (sessionUpdate: 'agent_thought_chunk' | 'user_message_chunk', value: string) => {
    const update = {sessionUpdate, content: text(value)};
    session = reduce(session, {type: 'session_update', update, at: 1});
  };
  say('user_message_chunk', 'Hello');
  say('agent_thought_chunk', numbered(20).join('\n'));
  say('user_message_chunk', 'Bye');
  const lines = linesOf(viewWhole(session, plainTheme({extent: 'whole'})));
  expect(lines.join('\n')).toMatch(/Hello\n\n {2}∴ line 1\n(?: {4}line \d+\n){19}\n.*Bye/);
});

test('the current match of a search looks different from the others', () => {
  const state = reduceEvents(opened, update(says('one ant\n\ntwo ants', 'm')));
  const colored = colorTheme({columns: 40, extent: 'whole'});
  const {view} = createTranscriptRows();
  const source = {session: state, theme: colored, isFolded: () => false, end: []};
  const shownRows = view(source, START, ROWS);
  const hits = shownRows.rows.flatMap(({text, entry, row}) =>
    text.includes('ant') && entry ? [{id: entry.id, row}] : [],
  );
  const rowsAt = (hit: number) =>
    rowsOfView(shownRows, 0, {
      viewer: {...openedViewer, search: 'ant', hits, hit},
      isFolded: () => false,
      theme: colored,
    }).filter((line) => line.includes('ant'));
  const [current, other] = rowsAt(0);
  expect(current).toContain(colored.paint.currentHit('ant'));
  expect(other).toContain(colored.paint.hit('ant'));
  expect(rowsAt(1)[0]).toContain(colored.paint.hit('ant'));
  expect(colored.paint.currentHit('ant')).not.toBe(colored.paint.hit('ant'));
});

test('a prompt that cannot be unfolded is whole, also while all else is folded', () => {
  const state = reduceEvents(opened, prompted(numbered(60).join('\n')));
  const shownLines = linesOf(viewWhole(state, plainTheme({extent: 'whole'}), () => true)).join('\n');
  expect(shownLines).toContain('line 60');
  expect(shownLines).not.toContain('show all');
});
