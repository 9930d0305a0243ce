import {expect, test} from 'vitest';
import {findRunningSession} from '../../../src/service/session-named.ts';

const running = (id: string, title: string) => ({
  id,
  title,
  agent: 'some',
  cwd: '/',
  doing: 'idle' as const,
  windows: 0,
});
const sessions = [running('4k2m', 'Fix it'), running('4k9x', 'Add tests'), running('7abc', 'Add tests')];

test.each([
  ['4k2', '4k2m'],
  ['fix IT', '4k2m'],
])('a running session is found by the beginning of its ID, or else by its title: %s', (wanted, id) => {
  expect(findRunningSession(sessions, wanted)).toMatchObject({ok: true, value: {id}});
});

test.each(['4k', 'add tests'])('several that fit are named: %s', (wanted) => {
  expect(findRunningSession(sessions, wanted)).toMatchObject({
    ok: false,
    failure: {why: expect.stringContaining('4k9x')},
  });
});
