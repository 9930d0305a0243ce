import {toAscii, type GatedOutput, type OutputOptions} from '../terminal/output.ts';

/** The parts below the transcript, as lines. */
export interface LinearFrame {
  /** What is printed again when it changes: a list, a page, a request, a plan, hints. */
  readonly lines: readonly string[];
  /** What is going on, without how long. */
  readonly working: string | undefined;
  /** What is being typed; empty while keys go elsewhere. */
  readonly draft: string;
}

/** Output for a terminal without cursor movement: written text is never changed. */
interface LinearOutput extends GatedOutput {
  /** Writes what is new in the frame. */
  readonly show: (frame: LinearFrame) => void;
}

const PROMPT = '> ';

/** `closed` is the frame that Ink draws without showing it. */
export function createLinearOutput({terminal, charset}: OutputOptions, closed: GatedOutput): LinearOutput {
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
    // Else Ink would have the cursor shown again at the end, on the terminal itself.
    stream: Object.create(closed.stream, {isTTY: {value: false}}) as NodeJS.WriteStream,
    open: () => undefined,
    print: writeLines,
    uncover: () => writeLines(echoed === undefined ? [] : ['']),
    show(frame) {
      const working = frame.working === last.working || frame.working === undefined ? [] : [frame.working];
      writeLines([...newLines(frame.lines, last.lines), ...working]);
      last = frame;
      echo(frame.draft);
    },
  };
}

const SELECTED = /^Selected: /;

/** What was not there before. Of a list in which another item is selected that one alone is told. */
function newLines(lines: readonly string[], before: readonly string[]): readonly string[] {
  const whole = new Set(before);
  const known = new Set(before.map(withoutMark));
  return lines.filter((line) =>
    SELECTED.test(line) ? !whole.has(line) : !whole.has(line) && !known.has(withoutMark(line)),
  );
}

function withoutMark(line: string): string {
  return line.replace(SELECTED, '').trimStart();
}
