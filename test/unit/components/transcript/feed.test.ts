import {expect, test} from 'vitest';
import {createFeed} from '../../../../components/transcript/feed.ts';
import type {PlacedChunk} from '../../../../components/transcript/chunks.ts';
import {highlightReady, loadMarkdown} from '../../../../src/text/markdown/lazy.ts';
import {conversation, ended, prompt, says} from './conversation.ts';

test.each([
  ['rust', '```rust\nfn main() {}\n```\n'],
  ['kotlin', '- As here:\n\n  ```kotlin\n  fun main() {}\n  ```\n'],
])('code of ordinary size is printed when its grammar (%s) is loaded', async (language, source) => {
  const talk = conversation();
  talk.report(prompt(1), says(source), ended(1));
  const session = talk.session();
  const printed: {readonly placed: PlacedChunk; readonly isReady: boolean}[] = [];
  const feed = createFeed({
    shown: () => ({key: 'one', session, title: '', start: undefined}),
    heightOf: () => 1,
    liveRows: () => 20,
    pageRows: () => 20,
    isAsked: () => false,
    lacksPicture: () => false,
    isLinear: false,
    isHeld: () => false,
    isAway: () => false,
    isTailOnly: () => false,
    print: (pieces) => printed.push(...pieces.map((placed) => ({placed, isReady: highlightReady(language)}))),
    ready: loadMarkdown(),
  });
  feed.refresh();
  const isCode = ({placed: {chunk: piece}}: (typeof printed)[number]) =>
    piece.kind === 'block' && piece.block.source.includes('main');
  await expect.poll(() => printed.some(isCode)).toBe(true);
  expect(printed.find(isCode)?.isReady).toBe(true);
  feed.close();
});
