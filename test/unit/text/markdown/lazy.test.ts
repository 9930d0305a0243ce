import {expect, test, vi} from 'vitest';
import {plain, wholeBlock} from '../support/blocks.ts';

test('markdown is shown as source until the renderer is loaded, then rendered', async () => {
  vi.resetModules();
  const lazy = await import('../../../../src/text/markdown/lazy.ts');
  const block = wholeBlock('\n## A **bold** title\n');
  expect(lazy.renderBlockNow(block, plain)).toEqual(['## A **bold** title']);
  expect(lazy.highlightReady('ts')).toBe(false);
  await lazy.loadMarkdown();
  expect(lazy.renderBlockNow(block, plain)).toEqual(['## A bold title']);
  expect(lazy.highlightReady('ts')).toBe(false);
  await lazy.loadHighlight('ts');
  expect(lazy.highlightReady('typescript')).toBe(true);
  expect(lazy.highlightReady('no such language')).toBe(true);
});
