import {expect, test} from 'vitest';
import {quoteAgentText} from '../../../src/shared/agent-text.ts';

test('a long text of an agent is cut between characters, without spaces before the ellipsis', () => {
  expect(quoteAgentText('ok \u{1f44d} and more', 4)).toBe('ok…');
  expect(quoteAgentText('ok \u{1f44d} and more', 5)).toBe('ok \u{1f44d}…');
  expect(quoteAgentText('short', 5)).toBe('short');
});
