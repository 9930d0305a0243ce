import type {Hunk} from '../differences.ts';

type Side = 'old' | 'new';

/** Returns a file with one side of a hunk applied; undefined if it does not contain the other side there. */
export function withHunk(content: Buffer, hunk: Hunk, side: Side): Buffer | undefined {
  const from = textOfSide(hunk, side === 'new' ? 'old' : 'new');
  const start = startOf(content, hunk, side === 'new' ? 'old' : 'new');
  const end = start + from.length;
  if (!content.subarray(start, end).equals(from)) return undefined;
  const to = textOfSide(hunk, side);
  return Buffer.concat([content.subarray(0, start), to, content.subarray(end)]);
}

const SIGNS = {old: ' -', new: ' +'} as const;

/** The lines of a side, byte for byte. */
function textOfSide({lines}: Hunk, side: Side): Buffer {
  const text = lines.map((line, index) => {
    if (line === '' || !SIGNS[side].includes(line.charAt(0))) return '';
    const hasEnd = !lines[index + 1]?.startsWith('\\');
    return line.slice(1) + (hasEnd ? '\n' : '');
  });
  return Buffer.from(text.join(''), 'latin1');
}

/** Returns the byte offset of a side of a hunk in its file. */
function startOf(content: Buffer, hunk: Hunk, side: Side): number {
  const [start, count] = side === 'old' ? [hunk.oldStart, hunk.oldLines] : [hunk.newStart, hunk.newLines];
  // A side without lines has the number of the preceding line.
  let at = 0;
  for (let line = count === 0 ? start : start - 1; line > 0; line--) {
    const end = content.indexOf('\n', at);
    if (end === -1) return content.length;
    at = end + 1;
  }
  return at;
}
