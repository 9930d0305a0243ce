import {describe, expect, it} from 'vitest';
import {Prompt} from '../../../components/prompt/prompt.tsx';
import {Queue} from '../../../components/prompt/queue.tsx';
import {draftOf, emptyDraft, type Draft} from '../../../src/app/editor/draft.ts';
import {insertPaste, insertText} from '../../../src/app/editor/insert.ts';
import {queueHeight, queueView} from '../../../src/app/queue/queue-view.ts';
import {activeSession} from '../../../src/app/sessions.ts';
import {plainTheme} from '../../support/screen/theme.ts';
import {frameOf} from '../../support/screen/frame-of.tsx';
import {openWindow} from '../../support/window/app-window.ts';
import {promptHeight} from '../../../src/app/editor/layout.ts';
import type {QueuedPrompt} from '../../../src/session/queue/queued-prompt.ts';

const base = plainTheme();
/** What is styled stands between brackets. */
const theme = {
  ...base,
  paint: {
    ...base.paint,
    accent: (text: string) => `<${text}>`,
    selected: (text: string) => `{${text}}`,
    agent: (_: string, text = '') => text,
  },
};
const screen = {columns: 40, rows: 12};

function promptOf(draft: Draft, size = screen): string {
  const prompt = (
    <Prompt
      draft={draft}
      screen={size}
      placeholder="Ask anything"
      agent="Claude"
      isShell={draft.text.startsWith('!')}
      isFocused
    />
  );
  // Brackets are no styles: they take columns.
  return frameOf(prompt, {...theme, columns: size.columns}, 100);
}

describe('the prompt', () => {
  it('says what could be typed', () => {
    expect(promptOf(emptyDraft)).toMatchInlineSnapshot(`
      "╭──────────────────────────────────────╮
      │ ❯ Ask anything                       │"
    `);
  });

  it('shows the text wrapped at words, between the sides of its box', () => {
    expect(promptOf(draftOf('Read the tests first, then fix 漢字の折り返し everywhere.\n\n\tindented')))
      .toMatchInlineSnapshot(`
        "╭──────────────────────────────────────╮
        │ ❯ Read the tests first, then fix 漢  │
        │   字の折り返し everywhere.           │
        │                                      │
        │       indented                       │"
      `);
  });

  it('shows a large paste as one label', () => {
    const draft = insertText(insertPaste(draftOf('See '), 'x\n'.repeat(40)), ' please');
    expect(promptOf(draft)).toMatchInlineSnapshot(`
      "╭──────────────────────────────────────╮
      │ ❯ See <[Pasted text #1, 41 lines]>   │
      │   please                             │"
    `);
  });

  it('counts what is scrolled out of view', () => {
    const lines = Array.from({length: 9}, (_, line) => `line ${line}`).join('\n');
    expect(promptOf({...draftOf(lines), caret: 40})).toMatchInlineSnapshot(`
      "╭─ 2 above, 3 below ───────────────────╮
      │ ❯ line 2                             │
      │   line 3                             │
      │   line 4                             │
      │   line 5                             │"
    `);
  });

  it('says where it goes when that is not the agent', () => {
    expect(promptOf(draftOf('!ls'))).toMatch(/<╭─> <your shell> <─+><─╮>\n<│> <❯> !ls +<│>/);
  });

  it('leaves the right side out beside what terminals draw differently wide', () => {
    expect(promptOf(draftOf('family 👩‍👩‍👧')).split('\n')[1]).toBe('│ ❯ family 👩‍👩‍👧');
    expect(promptOf(draftOf('漢字')).split('\n')[1]).toMatch(/^│ ❯ 漢字 +│$/);
  });

  it('has no box below 40 columns: nothing is beside the text', () => {
    expect(promptOf(draftOf('hello'), {columns: 39, rows: 12}).split('\n')).toEqual([
      '─'.repeat(39),
      'hello',
    ]);
    expect(promptOf(draftOf('!ls'), {columns: 39, rows: 12}).split('\n')).toEqual([
      `<── your shell ${'─'.repeat(25)}>`,
      '!ls',
    ]);
  });

  it('leaves the line above out on a tiny screen', () => {
    expect(promptOf(draftOf('one\ntwo'), {columns: 20, rows: 5})).toBe('two');
  });

  it('is as high as it says', () => {
    for (const text of ['', 'one', 'one\ntwo', 'long '.repeat(20), 'a\n'.repeat(30)])
      for (const rows of [5, 12, 24, 50]) {
        const draft = draftOf(text);
        const height = promptOf(draft, {columns: 40, rows}).split('\n').length;
        expect(height).toBe(promptHeight(draft, {columns: 40, rows}));
      }
  });

  it('shows a placeholder as selected while the caret is on it, and what vim’s visual mode selects', () => {
    const draft = insertPaste(insertText(emptyDraft, 'look '), 'line\n'.repeat(20));
    expect(promptOf(draft)).toContain('look <[Pasted text #1, 21 lines]>');
    expect(promptOf({...draft, caret: 5})).toContain('look {[Pasted text #1, 21 lines]}');
    const text = draftOf('one two three');
    const selecting = {...text, caret: 6, vim: {...text.vim, mode: 'visual', anchor: 4}} as const;
    expect(promptOf(selecting)).toContain('one {two} three');
  });

  it('shows 200 KB as fast as it shows a line: only what is in view is drawn', () => {
    const draft = draftOf('some words in a line\n'.repeat(10_000));
    expect(promptOf(draft).split('\n')).toHaveLength(5);
  });
});

describe('the queue', () => {
  const prompt = (text: string): QueuedPrompt => ({id: text, text, content: []});
  const prompts = ['run the tests', 'then\nmany\nlines', '漢'.repeat(30), 'four', 'five'].map(prompt);

  interface Queued {
    readonly isPaused?: boolean;
    readonly selected?: string;
    readonly rows?: number;
  }

  function queueOf(
    queued: readonly QueuedPrompt[],
    {isPaused = false, selected, rows = Infinity}: Queued = {},
  ): string[] {
    const {state} = openWindow();
    const tab = activeSession(state);
    const {session} = tab;
    const queue = {...session.queue, prompts: queued, isPaused};
    const view = queueView({
      ...state,
      ...(selected !== undefined && {focus: {kind: 'queue', id: selected}}),
      sessions: {...state.sessions, [tab.key]: {...tab, session: {...session, queue}}},
    });
    return frameOf(<Queue queue={view} rows={Math.min(rows, queueHeight(view))} />).split('\n');
  }

  it('is not there when it is empty', () => {
    expect(queueOf([])).toEqual(['']);
  });

  it('shows one line a prompt, and how many more there are', () => {
    expect(queueOf(prompts)).toEqual([
      '  then  run the tests',
      '        then …',
      `        ${'漢'.repeat(20)}…`,
      '        … 2 more',
    ]);
  });

  it('says when it waits for Enter, and shows each prompt as it is', () => {
    expect(queueOf(prompts.slice(0, 1), {isPaused: true})).toEqual(['  paused  run the tests']);
  });

  it('marks the one that has the focus, shows those around it, and says what the agent is taking', () => {
    const many = Array.from({length: 9}, (_, index) => prompt(`p${index + 1}`));
    const taking = many.with(5, {...prompt('p6'), steering: true});
    expect(queueOf(taking, {selected: 'p7'})).toEqual([
      '  then  p4',
      '        p5',
      '        p6 · sending',
      '❯       p7',
      '        p8',
      '        p9',
      '        … 3 more',
    ]);
  });

  it('is the selected one, or else their number, if there is one row', () => {
    expect(queueOf(prompts, {rows: 1})).toEqual(['  5 queued']);
    expect(queueOf(prompts, {rows: 1, selected: 'four'})).toEqual(['❯ then  four']);
  });
});
