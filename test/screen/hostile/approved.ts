import type * as acp from '@agentclientprotocol/sdk/unstable';
import * as fc from 'fast-check';
import {readExactly} from '../../support/text/read-exactly.ts';
import type {Window} from '../../support/screen/window.ts';

/** Fragments that hide text inside or after them: sequences with payloads, C1, zero-width, selectors, tags, bidi, blanks. */
const HIDING = [
  '\x1b]0;rm -rf ~;#\x07',
  '\x1bPq;touch x\x1b\\',
  '\x1b_run\x1b\\',
  '\x1b[8m; rm\x1b[0m',
  '\x9d0;x\x9c',
  '\x9b8m',
  '\x1b[2K',
  '\r',
  '\b\b\b',
  '\x00',
  '\u200b',
  '\u200d',
  '\u2060',
  '\ufeff',
  '\ufe0f',
  '\u{e0101}',
  '\u034f',
  '\u{e0072}\u{e006d}',
  '\u202e',
  '\u2066',
  '\u00a0',
  '\u3000',
  '\u2800',
  '\u3164',
  '\ud800',
  '\ue0b0',
  '⟨U+200B⟩',
  '␛',
];

const WORDS = [
  'ls',
  '-la',
  './deploy',
  '--dry-run',
  'rm -rf /',
  '  ',
  "it's",
  '$HOME',
  '漢字',
  '&&',
  'a'.repeat(40),
];

const hidingText = fc
  .array(fc.oneof(fc.constantFrom(...WORDS), fc.constantFrom(...HIDING), fc.constant(' ')), {
    minLength: 1,
    maxLength: 12,
  })
  .map((parts) => `x${parts.join('')}x`);
const hidingLines = fc.array(hidingText, {minLength: 1, maxLength: 12}).map((lines) => lines.join('\n'));

/** A tool call of a request, and each text of it that is run, written or accessed. */
export interface Approved {
  readonly toolCall: acp.ToolCallUpdate;
  readonly parts: readonly string[];
}

export const approved: fc.Arbitrary<Approved> = fc
  .record({
    title: hidingText,
    command: fc.option(fc.oneof(hidingLines, fc.array(hidingText, {minLength: 1, maxLength: 4}))),
    args: fc.option(fc.array(hidingText, {minLength: 1, maxLength: 3})),
    other: fc.option(hidingLines),
    path: fc.option(hidingText),
    newText: fc.option(hidingLines),
  })
  .map(({title, command, args, other, path, newText}) => ({
    toolCall: {
      toolCallId: 'a',
      title,
      kind: 'execute',
      rawInput: {...(command && {command}), ...(args && {args}), ...(other && {content: other})},
      ...(path && {locations: [{path: `/else/${path}`}]}),
      ...(newText && {content: [{type: 'diff', path: `/else/${path}.txt`, newText}]}),
    },
    parts: [
      repeats(title, [command ?? [], args ?? []].flat()) ? [] : title,
      command ?? [],
      args ?? [],
      other ?? [],
      path ?? [],
      newText ?? [],
    ].flat(),
  }));

/** A title that has the words of the command is not drawn beside it: it is not run. */
function repeats(title: string, command: readonly string[]): boolean {
  const bare = (text: string) => text.replaceAll(/[\s'"`\\]/g, '');
  return bare(title) === bare(command.join(''));
}

/** The rows of a single waiting request, page by page, as on the screen. */
export async function readRequest(window: Window): Promise<string> {
  const rows: string[] = [];
  let next = 0;
  do {
    window.store.dispatch({type: 'request_scrolled', firstRow: next}, 'urgent');
    const {screen, scroll} = await settled(window);
    const top = screen.findIndex((row) => row.startsWith('╭─ Allow')) + 1;
    // If there is room, a blank row is above.
    const first = /^│ *│$/.test(screen[top] ?? '') ? top + 1 : top;
    for (let row = 0; row < scroll.visibleRows; row++)
      rows[scroll.firstRow + row] = (screen[first + row] ?? '').replace(/^│ (.*?) *│$/, '$1');
    next = scroll.firstRow + scroll.visibleRows;
    if (next >= scroll.totalRows || scroll.visibleRows === 0) break;
  } while (rows.length < 2000);
  return rows.join('\n');
}

/** The screen, and the scroll position of the request on it: drawing reports how many rows fit. */
async function settled(window: Window) {
  for (;;) {
    const before = window.store.latest().request?.scroll;
    const screen = (await window.screen()).split('\n');
    // Drawn twice with the same result: what was drawn is what is reported.
    const same = (await window.screen()) === screen.join('\n');
    const scroll = window.store.latest().request?.scroll;
    if (same && scroll !== undefined && scroll === before) return {screen, scroll};
  }
}

/** The parts with a line that was not on the screen. */
export function notShown(screen: string, parts: readonly string[]): string[] {
  const lines = screen
    .replace(/^│ ?/gm, '')
    .replace(/\n *┆ /g, '')
    .replaceAll(String.raw`'\''`, "'");
  const read = readExactly(lines);
  return parts.flatMap((part) => part.split('\n')).filter((line) => !read.includes(line));
}
