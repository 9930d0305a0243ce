import {expect, test} from 'vitest';
import {detach} from '../../../../src/app/commands/session-commands.ts';
import type {Tab} from '../../../../src/app/state.ts';
import {initialSession} from '../../../../src/session/initial.ts';
import {FIRST, openWindow, openWindowIn} from '../../conversation/open-window.ts';

const output = {id: 'o', command: 'ls', exit: {code: 0, signal: null}, text: 'a', isCut: false};

test('a session beside another is not detached while an output waits for its next prompt', async () => {
  const window = await openWindow('echo');
  await window.converse(FIRST, 'one');
  await window.open('echo');
  const change = {kind: 'restore', prompts: [], outputs: [output], isPaused: true} as const;
  await window.sessions.clientOf(FIRST).changeQueue(change);
  window.sessions.perform({kind: 'detach_session', session: FIRST});
  await window.until(({toast}) => toast?.text.startsWith('Send or remove') === true);
  expect(window.session(FIRST)?.session.queue.outputs).toEqual([output]);
});

test.each([1, 2])('a session that is not stored stays open, and says why: of %i', async (count) => {
  const window = await openWindowIn({save: false}, 'echo');
  await window.converse(FIRST, 'one');
  if (count > 1) await window.open('echo');
  window.sessions.perform({kind: 'detach_session', session: FIRST});
  await window.until(({toast}) => toast?.text.startsWith('This session is not stored') === true);
  expect(window.session(FIRST)?.session.connection.kind).toBe('ready');
});

test('a session whose prompt is being prepared is not detached', () => {
  const empty = initialSession({cwd: '/', additionalDirectories: [], at: 0});
  const why = (isSending: boolean) => {
    const session = {
      ...empty,
      unused: false,
      sessionId: 's',
      agent: {capabilities: {loadSession: true}},
      queue: {...empty.queue, isSending},
    };
    return detach.unavailable?.({session, isAttached: false} as unknown as Tab);
  };
  expect(why(false)).toBeUndefined();
  expect(why(true)).toContain('Possible once its turn has ended');
});
