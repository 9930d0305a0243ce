import {expect, test} from 'vitest';
import {detach} from '../../../../src/app/commands/session-commands.ts';
import {defaultKeymap} from '../../../../src/app/keymap/keymap.ts';
import type {Tab} from '../../../../src/app/state.ts';
import {fail} from '../../../../src/shared/failure.ts';
import type {BackgroundSessions} from '../../../../src/window/effects/effect-context.ts';
import {initialSession} from '../../../../src/session/initial.ts';
import {reduce} from '../../../../src/session/reduce.ts';
import type {SessionState} from '../../../../src/session/state.ts';
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

/** A window with a session that can be resumed, beside others; its background service has none. */
async function windowWith(over: Partial<BackgroundSessions>, others: number) {
  const background: BackgroundSessions = {
    start: () => undefined,
    attach: async () => ({ok: true, value: undefined}),
    running: async () => undefined,
    reach: async () => ({ok: true, value: undefined}),
    resume: async () => ({ok: true, value: undefined}),
    resumeAtEnd: () => undefined,
    ...over,
  };
  const says = {sessionUpdate: 'agent_message_chunk', content: {type: 'text', text: 'one'}};
  const script = {initialize: {agentCapabilities: {loadSession: true}}, turns: [[{update: says}]]};
  const window = await openWindowIn({background}, 'script', JSON.stringify(script));
  await window.converse(FIRST, 'one');
  await window.until(() => window.session(FIRST)?.session.turn.kind === 'idle');
  window.sessions.clientOf(FIRST).setApproval('none');
  if (others > 0) {
    const other = await window.open('echo');
    window.sessions.clientOf(other).setApproval('all');
  }
  window.sessions.perform({kind: 'detach_session', session: FIRST});
  return window;
}

const refused = fail({kind: 'not_offered', what: 'the background service', why: 'what it says'});

test.each([0, 1])(
  'a session stays open, and says why, if the service cannot be started: beside %i',
  async (others) => {
    const window = await windowWith({reach: async () => refused}, others);
    await window.until(() => window.notices(FIRST).some((text) => text.includes('What it says.')));
    expect(window.session(FIRST)?.session.connection.kind).toBe('ready');
  },
);

test('a session that the service does not resume is opened again', async () => {
  const window = await windowWith({resume: async () => refused}, 1);
  await window.until(({toast}) => toast?.text.includes('What it says.') === true);
  const {active, sessions} = window.store.latest();
  expect(window.said(active)).toBe('one');
  expect(sessions[active]?.session.approval).toBe('none');
});

test('a session that is detached is signed in as it was started, unless the user has signed out', async () => {
  const script = {initialize: {authMethods: [{id: 'key', name: 'A key'}]}};
  const window = await openWindowIn({authMethod: 'key'}, 'script', JSON.stringify(script));
  expect(window.sessions.optionsOf(FIRST).authMethod).toBe('key');
  await window.sessions.clientOf(FIRST).logOut();
  expect(window.sessions.optionsOf(FIRST).authMethod).toBeUndefined();
});

test('a session whose prompt is being prepared, or in which something runs, is not detached', () => {
  const empty = initialSession({cwd: '/', additionalDirectories: [], at: 0});
  const why = (over: Partial<SessionState>) => {
    const agent = {capabilities: {loadSession: true}};
    const session = {...empty, unused: false, sessionId: 's', agent, ...over};
    return detach.unavailable?.({session, isAttached: false} as unknown as Tab, defaultKeymap);
  };
  expect(why({})).toBeUndefined();
  expect(why({queue: {...empty.queue, isSending: true}})).toContain('Possible once its turn has ended');
  expect(why({ownProviders: []})).toBeUndefined();
  expect(why({ownProviders: ['main']})).toContain('/providers');
  const command = {terminalId: 't', command: 'npm run dev', cwd: '/', pty: true};
  const {terminals} = reduce(empty, {type: 'terminal_created', ...command, at: 0});
  expect(why({terminals})).toContain('no command or subagent runs');
  expect(why({live: {work: {since: 0, needsUser: false}}})).toContain('Possible once');
});
