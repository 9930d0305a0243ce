import {afterEach, expect, test} from 'vitest';
import {asks, diff, prompt, says} from '../../support/session/conversation.ts';
import {closeWindows, open, shown} from '../../support/screen/window.ts';

afterEach(closeWindows);

test('v on a request shows all of it from its top, and closing returns to it', async () => {
  const window = open({columns: 80, rows: 24});
  const newText = Array.from({length: 100}, (_, index) => `line ${index + 1} of it`).join('\n');
  const toWrite = asks({title: 'Write a.txt', kind: 'edit', content: [diff(newText)]});
  window.report(prompt(1, 'Write'), says('I write a file.\n\n'), toWrite);
  await shown(window).toContain('Allow this change?');
  await expect.poll(() => window.store.latest().focus.kind).toBe('request');
  window.press('v');
  await shown(window).toContain('Needs you');
  const seen = await window.screen();
  expect(seen).toMatch(/^ {2}─ Needs you ─+\n {2}│ Write a\.txt/m);
  expect(seen).toContain('line 1 of it');
  expect(seen).not.toContain('line 100 of it');
  expect(seen.match(/─ Needs you ─/g)).toHaveLength(1);
  // The keys are in the lower edge of the prompt's box.
  expect(seen.split('\n').at(-1)).toMatch(/^╰─ .* · Needs you · q or Esc close · .*─╯$/);
  window.press('\x1b');
  await shown(window).toContain('Allow this change?');
});
