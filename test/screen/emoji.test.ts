import {afterEach, expect, test} from 'vitest';
import {closeWindows, open, shown} from '../support/screen/window.ts';

afterEach(closeWindows);

test('a row with emoji that the terminal does not join is not longer than the screen', async () => {
  const window = open({columns: 24, rows: 24});
  const done = {content: 'wide 漢字 and 👩‍👩‍👧‍👦 and é', priority: 'high', status: 'completed'} as const;
  const entries = [{...done, content: 'one', status: 'pending'} as const, done];
  window.report({type: 'session_update', update: {sessionUpdate: 'plan', entries}});
  await shown(window).toContain('Plan');
  for (const text of ['word 1\n\nw', 'ord 2\n\n'])
    window.report({
      type: 'session_update',
      update: {sessionUpdate: 'agent_message_chunk', content: {type: 'text', text}},
    });
  await shown(window).toContain('ord 2');
  expect(await window.everything()).toContain('\nword 2');
  expect(await window.screen()).toMatch(/^Plan 1\/2\n.*one.*\n.*wide.*\n─/m);
});
