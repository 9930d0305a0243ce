const FENCE = /^( *)(`{3,}(?=[^`]*$)|~{3,})/;

/** Returns the pattern of the line that closes a fenced code block; undefined if the line opens none. In a list, both may be far from the margin. */
export function closingFence(line: string, isInList = false): RegExp | undefined {
  const [, blanks = '', fence] = FENCE.exec(line) ?? [];
  if (fence === undefined || (blanks.length > 3 && !isInList)) return undefined;
  return new RegExp(`^ ${isInList ? '*' : '{0,3}'}${fence.charAt(0)}{${fence.length},} *$`);
}

/** Returns the language of an opening fence, or ''. */
export function languageOf(opening: string): string {
  return opening.trim().replace(/^(?:`+|~+)\s*/, '');
}

/** A fenced code block. */
interface FencedBlock {
  /** The opening fence. */
  readonly fence: string;
  /** Its indentation. */
  readonly indent: number;
  readonly code: string;
  /** False if the text ended first. */
  readonly isClosed: boolean;
}

const OPENING = /^( *)(`{3,}(?!`)|~{3,}(?!~))(?!.*`)/;

/** Returns the fenced code blocks of a text, in order; including those in lists. */
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

/** A closing fence has the same characters, and is at least as long. */
function closes(line: string, fence: string): boolean {
  return line.startsWith(fence) && line.replaceAll(fence.charAt(0), '') === '';
}
