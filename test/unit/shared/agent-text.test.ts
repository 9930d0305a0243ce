import {expect, test} from 'vitest';
import {quoted} from '../../../src/shared/agent-text.ts';

test('a long text of an agent is cut between characters, without spaces before the ellipsis', () => {
  expect(quoted('ok \u{1f44d} and more', 4)).toBe('ok…');
  expect(quoted('ok \u{1f44d} and more', 5)).toBe('ok \u{1f44d}…');
  expect(quoted('short', 5)).toBe('short');
});
