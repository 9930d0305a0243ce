import * as fc from 'fast-check';
import {expect, test} from 'vitest';
import {linesIn} from '../../../src/text/lines.ts';

/** In pieces of a size, as they are read from a file. */
async function* inPieces(text: string, size: number): AsyncGenerator<Uint8Array, void> {
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

const unit = fc.constantFrom('a', '"', ' ', '\u2028', '\u2029', '\u0085', '\v', '\f', 'é', '🙂');

test('lines end at LF and CRLF alone, wherever a read ends', async () => {
  const texts = fc.array(fc.string({unit, minLength: 1}), {minLength: 1});
  await fc.assert(
    fc.asyncProperty(
      texts,
      fc.constantFrom('\n', '\r\n'),
      fc.integer({min: 1, max: 9}),
      async (lines, end, size) => {
        const read: string[] = [];
        for await (const line of linesIn(inPieces(lines.join(end), size))) read.push(line);
        expect(read).toEqual(lines);
      },
    ),
  );
});
