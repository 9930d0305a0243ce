import {stripVTControlCharacters} from 'node:util';
import {render} from 'ink-testing-library';
import {describe, expect, it} from 'vitest';
import {Prompt} from '../../../components/prompt/prompt.tsx';
import type {PromptStyle} from '../../../components/prompt/prompt-lines.ts';
import {queueLines} from '../../../components/prompt/queue-lines.ts';
import {draftOf, emptyDraft, type Draft} from '../../../src/app/editor/draft.ts';
import {insertPaste, insertText} from '../../../src/app/editor/insert.ts';
import {colorDraw, plainDraw} from '../../support/screen/draw.ts';
import {promptHeight} from '../../../src/app/editor/layout.ts';
import type {QueuedPrompt} from '../../../src/session/queue/queued-prompt.ts';

const plain = (text: string) => text;
const look: PromptStyle = {
  ...plainDraw({columns: 40}),
  paint: {
    dim: plain,
    line: plain,
    accent: (text) => `<${text}>`,
    selected: (text) => `{${text}}`,
    agent: (_, text = '') => text,
  },
};
const screen = {columns: 40, rows: 12};

function frameOf(draft: Draft, size = screen): string {
  const {lastFrame, unmount} = render(
    <Prompt
      draft={draft}
      screen={size}
      look={{...look, columns: size.columns}}
      placeholder="Ask anything"
      agent="Claude"
      isShell={draft.text.startsWith('!')}
      isFocused
    />,
  );
  const frame = lastFrame() ?? '';
  unmount();
  return frame;
}

describe('the prompt', () => {
  it('says what could be typed', () => {
    expect(frameOf(emptyDraft)).toMatchInlineSnapshot(`
      "╭──────────────────────────────────────╮
      │ ❯ Ask anything                       │"
    `);
  });

  it('shows the text wrapped at words, between the sides of its box', () => {
    expect(frameOf(draftOf('Read the tests first, then fix 漢字の折り返し everywhere.\n\n\tindented')))
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
    expect(frameOf(draft)).toMatchInlineSnapshot(`
      "╭──────────────────────────────────────╮
      │ ❯ See <[Pasted text #1, 41 lines]>   │
      │   please                             │"
    `);
  });

  it('counts what is scrolled out of view', () => {
    const lines = Array.from({length: 9}, (_, line) => `line ${line}`).join('\n');
    expect(frameOf({...draftOf(lines), caret: 40})).toMatchInlineSnapshot(`
      "╭─ 2 above, 3 below ───────────────────╮
      │ ❯ line 2                             │
      │   line 3                             │
      │   line 4                             │
      │   line 5                             │"
    `);
  });

  it('says where it goes when that is not the agent', () => {
    expect(frameOf(draftOf('!ls'))).toMatch(/<╭─> <your shell> <─+><─╮>\n<│> <❯> !ls +<│>/);
  });

  it('leaves the right side out beside what terminals draw differently wide', () => {
    expect(frameOf(draftOf('family 👩‍👩‍👧')).split('\n')[1]).toBe('│ ❯ family 👩‍👩‍👧');
    expect(frameOf(draftOf('漢字')).split('\n')[1]).toMatch(/^│ ❯ 漢字 +│$/);
  });

  it('has no box below 40 columns: nothing is beside the text', () => {
    expect(frameOf(draftOf('hello'), {columns: 39, rows: 12}).split('\n')).toEqual(['─'.repeat(39), 'hello']);
    expect(frameOf(draftOf('!ls'), {columns: 39, rows: 12}).split('\n')).toEqual([
      `<── your shell ${'─'.repeat(25)}>`,
      '!ls',
    ]);
  });

  it('leaves the line above out on a tiny screen', () => {
    expect(frameOf(draftOf('one\ntwo'), {columns: 20, rows: 5})).toBe('two');
  });

  it('is as high as it says', () => {
    for (const text of ['', 'one', 'one\ntwo', 'long '.repeat(20), 'a\n'.repeat(30)])
      for (const rows of [5, 12, 24, 50]) {
        const draft = draftOf(text);
        const height = frameOf(draft, {columns: 40, rows}).split('\n').length;
        expect(height).toBe(promptHeight(draft, {columns: 40, rows}));
      }
  });

  it('shows a placeholder as selected while the caret is on it, and what vim’s visual mode selects', () => {
    const draft = insertPaste(insertText(emptyDraft, 'look '), 'line\n'.repeat(20));
    expect(frameOf(draft)).toContain('look <[Pasted text #1, 21 lines]>');
    expect(frameOf({...draft, caret: 5})).toContain('look {[Pasted text #1, 21 lines]}');
    const text = draftOf('one two three');
    const selecting = {...text, caret: 6, vim: {...text.vim, mode: 'visual', anchor: 4}} as const;
    expect(frameOf(selecting)).toContain('one {two} three');
  });

  it('shows 200 KB as fast as it shows a line: only what is in view is drawn', () => {
    const draft = draftOf('some words in a line\n'.repeat(10_000));
    expect(frameOf(draft).split('\n')).toHaveLength(5);
  });
});

describe('the queue', () => {
  const prompt = (text: string): QueuedPrompt => ({id: text, text, content: []});
  const draw = plainDraw();
  const queue = ['run the tests', 'then\nmany\nlines', '漢'.repeat(30), 'four', 'five'].map(prompt);

  it('is not there when it is empty', () => {
    expect(queueLines({queue: [], isPaused: false, selected: undefined, look: draw})).toEqual([]);
  });

  it('shows one line a prompt, and how many more there are', () => {
    expect(queueLines({queue, isPaused: false, selected: undefined, look: draw})).toEqual([
      '5 queued',
      '1 run the tests',
      '2 then …',
      `3 ${'漢'.repeat(23)}…`,
      '… 2 more',
    ]);
  });

  it('says when it waits for Enter, and shows each prompt as it is', () => {
    // The styles of chalk join all their arguments: a line must be the only one.
    const drawn = queueLines({
      queue: queue.slice(0, 1),
      isPaused: true,
      selected: undefined,
      look: colorDraw(),
    });
    expect(drawn.map((line) => stripVTControlCharacters(line))).toEqual([
      '1 queued, paused',
      '1 run the tests',
    ]);
  });

  it('marks the one that has the focus, shows those around it, and says what the agent is taking', () => {
    const many = Array.from({length: 9}, (_, index) => prompt(`p${index + 1}`));
    const taking = many.with(5, {...prompt('p6'), steering: true});
    expect(queueLines({queue: taking, isPaused: false, selected: 'p7', look: draw})).toEqual([
      '9 queued',
      '  4 p4',
      '  5 p5',
      '  6 p6 · sending',
      '❯ 7 p7',
      '  8 p8',
      '  9 p9',
      '… 3 more',
    ]);
  });
});
