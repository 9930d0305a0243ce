import {sanitize} from '../../text/sanitize.ts';

/** Text that comes in pieces, told as whole lines with a name before each; empty lines are left out. */
export interface LineWriter {
  push(text: string): void;
  /** Tells the last line when it has no end yet. */
  flush(): void;
}

export function createLineWriter(name: string, tell: (line: string) => void): LineWriter {
  let rest = '';
  function tellLines(text: string): void {
    for (const line of sanitize(text).split('\n')) if (line.trim() !== '') tell(`${name}: ${line}`);
  }
  return {
    push(text) {
      const end = text.lastIndexOf('\n');
      if (end === -1) {
        rest += text;
        return;
      }
      tellLines(rest + text.slice(0, end));
      rest = text.slice(end + 1);
    },
    flush() {
      tellLines(rest);
      rest = '';
    },
  };
}
