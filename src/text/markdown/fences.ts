/** A code block between fences. */
export interface FencedBlock {
  /** What opened it. */
  readonly fence: string;
  /** How far that was set in. */
  readonly indent: number;
  readonly code: string;
  /** False when the text ended first. */
  readonly isClosed: boolean;
}

const OPENING = /^( *)(`{3,}|~{3,})(?!.*`)/;

/** The code blocks between fences in a text, in order; also those in lists. */
export function fencedBlocks(markdown: string): readonly FencedBlock[] {
  const blocks: FencedBlock[] = [];
  let open: {readonly fence: string; readonly indent: number; readonly lines: string[]} | undefined;
  const end = (isClosed: boolean) => {
    if (open) blocks.push({fence: open.fence, indent: open.indent, code: open.lines.join('\n'), isClosed});
    open = undefined;
  };
  for (const line of markdown.split('\n')) {
    if (!open) {
      const [, blanks = '', fence] = OPENING.exec(line) ?? [];
      if (fence !== undefined) open = {fence, indent: blanks.length, lines: []};
    } else if (closes(line.trim(), open.fence)) end(true);
    else open.lines.push(line.replace(new RegExp(`^ {0,${open.indent}}`), ''));
  }
  end(false);
  return blocks;
}

/** A closing fence is of the same characters, and at least as long. */
function closes(line: string, fence: string): boolean {
  return line.startsWith(fence) && line.replaceAll(fence.charAt(0), '') === '';
}
