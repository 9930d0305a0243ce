import {type SpokenLine, spokenText} from '../layout/spoken.ts';
import {toAscii} from '../theme/symbols.ts';
import type {GatedOutput, OutputOptions} from '../terminal/output.ts';
import type {LinearFrame} from './linear-window.tsx';

const PROMPT = '> ';

/** `closed` is the stream on which Ink draws its frames without showing them. */
export function createLinearOutput({terminal, charset}: OutputOptions, closed: GatedOutput) {
  let last: LinearFrame = {lines: [], working: undefined, draft: ''};
  /** The draft after the prompt sign in the last line; undefined if that line is empty. */
  let echoed: string | undefined;
  closed.close();

  const write = (text: string) => void terminal.write(charset === 'ascii' ? toAscii(text) : text);

  function writeLines(lines: readonly string[]): void {
    if (lines.length === 0) return;
    const end = echoed === undefined ? '' : '\n';
    echoed = undefined;
    write(end + lines.map((line) => `${line.trimEnd()}\n`).join(''));
  }

  function echo(draft: string): void {
    if (draft === (echoed ?? '')) return;
    if (echoed !== undefined && draft.startsWith(echoed)) write(draft.slice(echoed.length));
    else write(`${echoed === undefined ? '' : '\n'}${draft === '' ? '' : PROMPT}${draft}`);
    echoed = draft === '' ? undefined : draft;
  }

  return {
    ...closed,
    // Otherwise Ink would show the cursor again on the terminal itself.
    stream: Object.create(closed.stream, {
      isTTY: {value: false},
      write: {value: discard},
    }) as NodeJS.WriteStream,
    open: () => undefined,
    print: writeLines,
    uncover: () => writeLines(echoed === undefined ? [] : ['']),
    /** Writes what is new in the frame. */
    show: (frame: LinearFrame) => {
      const working = frame.working === last.working || frame.working === undefined ? [] : [frame.working];
      writeLines([...newLines(frame.lines, last.lines), ...working]);
      last = frame;
      echo(frame.draft);
      closed.frameWritten();
    },
  };
}

/** Takes what Ink writes, as if it were written. */
function discard(_data: string, callback?: () => void): true {
  if (callback) queueMicrotask(callback);
  return true;
}

const SELECTED = /^Selected: /;

/** Returns the new lines. If only the selection in a list has changed, only the selected item. */
function newLines(lines: readonly SpokenLine[], before: readonly SpokenLine[]): readonly string[] {
  const whole = new Set(before.map((line) => keyOf(line, spokenText(line))));
  const known = new Set(before.map((line) => keyOf(line, withoutMark(line))));
  const isNew = (line: SpokenLine) =>
    !whole.has(keyOf(line, spokenText(line))) &&
    (SELECTED.test(spokenText(line)) || !known.has(keyOf(line, withoutMark(line))));
  return lines.filter(isNew).map(spokenText);
}

function keyOf(line: SpokenLine, text: string): string {
  return JSON.stringify([typeof line === 'string' ? '' : line.of, text]);
}

function withoutMark(line: SpokenLine): string {
  return spokenText(line).replace(SELECTED, '').trimStart();
}
