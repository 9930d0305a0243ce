const NEWLINE = 0x0a;
const encoder = new TextEncoder();

/** What splits bytes into lines as they arrive. */
interface LineSplitter {
  /** Returns the lines that are complete now. */
  split(chunk: Uint8Array): readonly string[];
  /** Returns a last line without an end. */
  end(): readonly string[];
  /** Whether a line exceeds the limit: it and what follows is not returned. */
  isTooLong(): boolean;
}

/**
 * Splits at LF and CRLF alone; invalid UTF-8 becomes U+FFFD. Node's readline ends a line at U+2028 and U+2029, too, which JSON has inside of texts: nothing
 * else may read lines (`scripts/shape.ts`).
 */
export function createLineSplitter(maxBytes: number): LineSplitter {
  const decoder = new TextDecoder();
  let rest = '';
  let restBytes = 0;
  let isTooLong = false;

  return {
    split(chunk) {
      const last = chunk.lastIndexOf(NEWLINE);
      // Counted in bytes, since a character may take up to three. Only the first and last line can span chunks.
      const firstLine = restBytes + (last === -1 ? chunk.length : chunk.indexOf(NEWLINE));
      restBytes = last === -1 ? firstLine : chunk.length - last - 1;
      isTooLong = restBytes > maxBytes;
      const text = decoder.decode(chunk, {stream: true});
      if (last === -1) {
        rest += text;
        return [];
      }
      const lines = (rest + text).split('\n');
      rest = lines.pop() ?? '';
      if (firstLine <= maxBytes && chunk.length <= maxBytes) return lines.map(trimmed);
      // The rare chunk with a line that is too long: its earlier lines are still delivered.
      const tooLong = lines.findIndex((line) => encoder.encode(line).length > maxBytes);
      isTooLong ||= tooLong !== -1;
      return lines.slice(0, tooLong === -1 ? undefined : tooLong).map(trimmed);
    },
    end() {
      rest += decoder.decode();
      return rest === '' ? [] : [trimmed(rest)];
    },
    isTooLong: () => isTooLong,
  };
}

/** Yields the lines of a file or a standard input, however long. */
export async function* linesIn(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<string, void> {
  const splitter = createLineSplitter(Infinity);
  for await (const chunk of bytes) yield* splitter.split(chunk);
  yield* splitter.end();
}

function trimmed(line: string): string {
  return line.endsWith('\r') ? line.slice(0, -1) : line;
}
