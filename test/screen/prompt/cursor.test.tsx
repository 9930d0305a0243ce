import {PassThrough, Writable} from 'node:stream';
import {Terminal} from '@xterm/headless';
import {Box, render, Text} from 'ink';
import {describe, expect, it} from 'vitest';
import {createGatedOutput, howInkDraws} from '../../../components/terminal/output.ts';
import {CaretContext} from '../../../components/prompt/use-caret.ts';
import {Prompt} from '../../../components/prompt/prompt.tsx';
import {ThemeContext} from '../../../components/theme/theme.tsx';
import {draftOf, emptyDraft, type Draft} from '../../../src/app/editor/draft.ts';
import {plainTheme} from '../../support/screen/theme.ts';

const none: readonly string[] = [];
const size = {columns: 20, rows: 12};

interface Shown {
  readonly draft: Draft;
  readonly tail?: readonly string[];
  readonly isFocused?: boolean;
  readonly columns?: number;
}

function Window({draft, tail = none, isFocused = true, columns = size.columns}: Shown) {
  return (
    <ThemeContext value={plainTheme({columns})}>
      <Box flexDirection="column">
        {tail.map((line) => (
          <Text key={line}>{line}</Text>
        ))}
        <Prompt
          draft={draft}
          screen={{...size, columns}}
          placeholder="Ask"
          agent="Claude"
          isShell={false}
          isFocused={isFocused}
        />
        <Text>status</Text>
      </Box>
    </ThemeContext>
  );
}

/** The prompt as the program draws it, on a terminal whose cursor can be queried. */
function open(first: Shown) {
  const {columns = size.columns} = first;
  const terminal = new Terminal({cols: columns, rows: size.rows, allowProposedApi: true});
  const written: Promise<void>[] = [];
  let isSeen = true;
  const stdout = Object.assign(
    new Writable({
      write(chunk: Buffer, _, done) {
        isSeen = (/.*\x1b\[\?25([hl])/s.exec(chunk.toString())?.[1] ?? (isSeen ? 'h' : 'l')) === 'h';
        // The terminal is not in raw mode; its driver makes line feeds start a line.
        const text = chunk.toString().replaceAll('\n', '\r\n');
        written.push(new Promise((resolve) => terminal.write(text, resolve)));
        done();
      },
    }),
    {isTTY: true, ...size, columns},
  );
  const output = createGatedOutput({terminal: stdout, charset: 'unicode'});
  const drawn = (shown: Shown) => (
    <CaretContext value={output.setCaret}>
      <Window {...shown} />
    </CaretContext>
  );
  const app = render(drawn(first), {
    ...howInkDraws(output),
    stdin: Object.assign(new PassThrough(), {isTTY: true}) as unknown as NodeJS.ReadStream,
  });
  return {
    show: (shown: Shown) => app.rerender(drawn(shown)),
    print: (finished: readonly string[]) => output.print(finished),
    close: () => app.unmount(),
    /** The text before the cursor in its row, and whether the cursor is visible. */
    async cursor() {
      await app.waitUntilRenderFlush();
      output.flush();
      await Promise.all(written);
      const {active} = terminal.buffer;
      const row = active.getLine(active.baseY + active.cursorY);
      return {before: row?.translateToString(false, 0, active.cursorX), isSeen};
    },
  };
}

const lines = (count: number) => Array.from({length: count}, (_, index) => `line ${index}`);

describe('the terminal’s cursor', () => {
  it.each([
    ['in an empty draft', emptyDraft, ''],
    ['behind the text', draftOf('hello'), 'hello'],
    ['inside the text', {...draftOf('hello'), caret: 2}, 'he'],
    ['behind a full row', draftOf('1234567890123456789'), '1234567890123456789'],
    ['in the row below', draftOf('12345678901234567890'), '0'],
    ['behind wide characters', draftOf('漢字かな'), '漢字かな'],
    ['behind a wide character that did not fit', draftOf('123456789012345678漢'), '漢'],
    ['in the last of several lines', draftOf('one\ntwo\n'), ''],
    ['in a draft that is scrolled', draftOf(lines(9).join('\n')), 'line 8'],
  ])('is at the caret %s', async (_, draft, before) => {
    const window = open({draft, tail: lines(2)});
    expect(await window.cursor()).toEqual({before, isSeen: true});
    window.close();
  });

  it.each([
    ['in an empty draft', emptyDraft, '│ ❯ '],
    ['behind the text', draftOf('hello'), '│ ❯ hello'],
    ['behind a full row', draftOf('1'.repeat(34)), `│ ❯ ${'1'.repeat(34)}`],
    ['in the row below', draftOf('1'.repeat(35)), '│   1'],
  ])('is in the box at the caret %s', async (_, draft, before) => {
    const window = open({draft, columns: 40});
    expect(await window.cursor()).toEqual({before, isSeen: true});
    window.close();
  });

  it('stays at the caret while what is above grows, shrinks and moves into the scrollback', async () => {
    const draft = draftOf('hello');
    const window = open({draft});
    for (const [tail, finished] of [
      [3, 0],
      [6, 0],
      [1, 5],
      [4, 25],
      [0, 0],
    ] as const) {
      window.print(lines(finished));
      window.show({draft, tail: lines(tail)});
      expect(await window.cursor()).toEqual({before: 'hello', isSeen: true});
    }
    window.close();
  });

  it('is hidden while the keys go elsewhere, and comes back', async () => {
    const draft = draftOf('hello');
    const window = open({draft, isFocused: false});
    expect((await window.cursor()).isSeen).toBe(false);
    window.show({draft});
    expect(await window.cursor()).toEqual({before: 'hello', isSeen: true});
    window.show({draft, isFocused: false});
    expect((await window.cursor()).isSeen).toBe(false);
    window.close();
  });
});
