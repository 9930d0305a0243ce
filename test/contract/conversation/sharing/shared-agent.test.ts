import {mkdirSync, realpathSync} from 'node:fs';
import {join} from 'node:path';
import {describe, expect, test} from 'vitest';
import type {SessionKey} from '../../../../src/app/state.ts';
import {messageOf, methodOf} from '../../../../src/recording/exchanges.ts';
import {isStart} from '../../../../src/recording/format.ts';
import type {SessionState} from '../../../../src/session/state.ts';
import {temporaryFolder} from '../../../support/folders/temporary-folder.ts';
import {FIRST, openWindow, type OpenedWindow} from '../open-window.ts';

const processes = ({wire}: OpenedWindow) => wire().filter(isStart).length;

/** The methods received by the agents, in order. */
function sent({wire}: OpenedWindow): readonly string[] {
  return wire().flatMap((line) => (line.d === '>' ? methodOf(messageOf(line)) : []) || []);
}

const count = (window: OpenedWindow, method: string) => sent(window).filter((each) => each === method).length;

function until(window: OpenedWindow, key: SessionKey, holds: (session: SessionState) => boolean) {
  return window.until(({sessions}) => {
    const tab = sessions[key];
    return tab !== undefined && holds(tab.session);
  });
}

const isReady = ({connection}: SessionState) => connection.kind === 'ready';
const says = (window: OpenedWindow, key: SessionKey, text: string) =>
  window.until(() => window.said(key).includes(text));

/** A window with two sessions of such an agent, both with a completed turn. */
async function twoSessions(...words: readonly string[]) {
  const window = await openWindow('together', ...words);
  await window.converse(FIRST, 'one');
  const second = await window.open('together', ...words);
  await window.converse(second, 'two');
  return {window, second};
}

describe('a second session of an agent', () => {
  test('shares its process without a second initialize', async () => {
    const {window, second} = await twoSessions();
    expect(processes(window)).toBe(1);
    expect(sent(window)).toEqual([
      'initialize',
      'session/new',
      'session/prompt',
      'session/new',
      'session/prompt',
    ]);
    expect(window.session(second)?.session.agent).toMatchObject({name: 'fake-agent', title: 'Fake agent'});
  });

  test('is opened in one process with nine others, even all at once', async () => {
    const window = await openWindow('together');
    await window.converse(FIRST, 'one');
    const opened = await Promise.all(Array.from({length: 9}, () => window.open('together')));
    expect(opened).toHaveLength(9);
    expect([processes(window), count(window, 'initialize')]).toEqual([1, 1]);
  });

  test('takes over an unused process', async () => {
    const window = await openWindow('together', 'close');
    const second = await window.open('together', 'close');
    await window.converse(second, 'hello');
    await expect.poll(() => count(window, 'session/close')).toBe(1);
    expect(Object.keys(window.store.latest().sessions)).toEqual([second]);
    expect([processes(window), count(window, 'initialize')]).toEqual([1, 1]);
  });

  test('gets its own process for another command, environment or folder, or by the settings', async () => {
    const window = await openWindow('together');
    await window.converse(FIRST, 'one');
    const {options} = {options: window.sessions.optionsOf(FIRST)};
    const {agent} = options;
    const folder = join(realpathSync(temporaryFolder()), 'other');
    mkdirSync(folder);
    const others = [
      {agent: {...agent, args: [...agent.args, 'more']}},
      {agent: {...agent, env: {ACCOUNT: 'other'}}},
      {cwd: folder},
      {agent: {...agent, ownProcess: true}},
      {agent: {...agent, ownProcess: true}},
    ];
    for (const [index, other] of others.entries()) {
      const key = await window.openWith(other, 'together');
      await window.converse(key, 'hello');
      expect(processes(window)).toBe(index + 2);
    }
    await window.converse(await window.open('together'), 'hello');
    expect(processes(window)).toBe(others.length + 1);
  });

  test('has its own turns, permissions and text at the same time', async () => {
    const {window, second} = await twoSessions();
    window.prompt(FIRST, 'wait');
    await says(window, FIRST, 'waits');
    await window.converse(second, 'meanwhile');
    expect(window.session(FIRST)?.session.turn.kind).toBe('running');
    window.sessions.clientOf(second).setApproval('none');
    window.prompt(second, 'ask');
    await until(window, second, ({pending}) => pending.length === 1);
    expect(window.session(FIRST)?.session.pending).toEqual([]);
    const [request] = window.session(second)!.session.pending;
    window.sessions.perform({
      kind: 'call',
      key: second,
      action: 'answer',
      args: [request!.id, {kind: 'option', index: 0}],
    });
    await says(window, second, '"optionId":"yes"');
    window.prompt(second, 'release');
    await until(window, FIRST, ({turn}) => turn.kind === 'idle');
    expect(window.said(FIRST)).not.toMatch(/meanwhile|got|session-2/);
    expect(window.said(second)).not.toMatch(/session-1/);
  });

  test('is cancelled separately', async () => {
    const {window, second} = await twoSessions();
    for (const key of [FIRST, second]) {
      window.prompt(key, 'wait');
      await says(window, key, 'waits');
    }
    window.sessions.perform({kind: 'call', key: second, action: 'cancel', args: []});
    await until(window, second, ({turn}) => turn.kind === 'idle');
    expect(window.session(FIRST)?.session.turn.kind).toBe('running');
    expect(count(window, 'session/cancel')).toBe(1);
  });
});

describe('a message for a session that is not open', () => {
  test('is rejected or logged and reaches no session', async () => {
    const {window, second} = await twoSessions();
    window.prompt(second, 'stray');
    await says(window, second, 'stray -32002');
    expect(window.log).toContain('agent_message_chunk for nobody, which is not open');
    expect(window.said(FIRST) + window.said(second)).not.toContain('to nobody');
  });

  test('is rejected and logged after the session was closed, too', async () => {
    const {window, second} = await twoSessions('close');
    const {sessionId} = window.session(second)!.session;
    await window.converse(second, 'late');
    window.sessions.close(second);
    const refused = () =>
      window.wire().some((line) => line.d === '>' && JSON.stringify(line).includes('"code":-32002'));
    await expect.poll(refused, {timeout: 20_000}).toBe(true);
    expect(window.log).toContain(`agent_message_chunk for ${sessionId}, which is not open`);
    expect(window.said(FIRST)).not.toContain('to session-2');
  });
});

test('a subagent that two sessions claim acts for neither', async () => {
  const {window, second} = await twoSessions();
  await window.converse(FIRST, 'child');
  await says(window, FIRST, 'child {"outcome":{"outcome":"selected","optionId":"yes"}}');
  window.sessions.clientOf(second).setApproval('none');
  window.prompt(second, 'child');
  await says(window, second, 'child -32002');
  for (const key of [FIRST, second]) expect(window.session(key)?.session.pending).toEqual([]);
});

test('the subagents of ten sessions send requests at once, each in its own session', async () => {
  const window = await openWindow('together');
  await window.converse(FIRST, 'one');
  const keys = [FIRST];
  for (let opened = 2; opened <= 10; opened++) {
    const key = await window.open('together');
    await window.converse(key, `session ${opened}`);
    keys.push(key);
  }
  for (const key of keys) {
    window.sessions.clientOf(key).setApproval('none');
    window.prompt(key, 'child own');
  }
  for (const key of keys) await until(window, key, ({pending}) => pending.length === 1);
  // The newest is answered first.
  for (const [index, key] of [...keys.entries()].reverse()) {
    const {sessionId, pending} = window.session(key)!.session;
    expect(pending).toMatchObject([{kind: 'permission', subagent: `child of ${sessionId}`}]);
    const answer = index % 2 === 0 ? ({kind: 'option', index: 0} as const) : ({kind: 'cancelled'} as const);
    window.sessions.perform({kind: 'call', key, action: 'answer', args: [pending[0]!.id, answer]});
    await says(window, key, index % 2 === 0 ? '"optionId":"yes"' : '"outcome":"cancelled"');
  }
  for (const key of keys) {
    expect(window.session(key)?.session.pending).toEqual([]);
    expect(Object.keys(window.session(key)!.session.subagents)).toHaveLength(1);
  }
  expect(processes(window)).toBe(1);
});

describe.each([
  ['load', {}],
  ['fork', {fork: true}],
])('a session that is already open (%s)', (word, how) => {
  test('is not opened again in its process and gets nothing from the other', async () => {
    const {window, second} = await twoSessions(word);
    const {sessionId = ''} = window.session(FIRST)!.session;
    const actions = window.sessions.clientOf(second);
    const opened = await actions.openSession({kind: 'continue', sessionId, ...how});
    expect(opened).toMatchObject({failure: {cause: {message: 'this session is open already'}}});
    await window.converse(second, 'still two');
    expect(window.said(FIRST)).not.toContain('still two');
    expect(count(window, 'session/load')).toBe(0);
  });
});

describe('a session that is closed', () => {
  test('is closed at its agent, which keeps serving the other one and stops with it', async () => {
    const {window, second} = await twoSessions('close');
    window.sessions.close(second);
    await window.converse(FIRST, 'still here');
    await expect.poll(() => count(window, 'session/close')).toBe(1);
    expect(window.wire().some((line) => line.d === '#' && line.e === 'exit')).toBe(false);
    await window.sessions.closeAll();
    expect(window.wire().at(-1)).toMatchObject({e: 'exit', asked: true});
    expect(count(window, 'session/close')).toBe(1);
  });

  test('has its turn cancelled', async () => {
    const {window, second} = await twoSessions();
    window.prompt(second, 'wait');
    await says(window, second, 'waits');
    window.sessions.close(second);
    await expect.poll(() => count(window, 'session/cancel')).toBe(1);
    await window.converse(FIRST, 'still here');
    expect(count(window, 'session/close')).toBe(0);
  });

  test('while it opens is closed at its agent as soon as it is open', async () => {
    const {window} = await twoSessions('close', 'slow');
    void window.open('together', 'close', 'slow');
    const third = window.store.latest().active;
    await expect.poll(() => count(window, 'session/new')).toBe(3);
    window.sessions.close(third);
    await window.converse(FIRST, 'release');
    await expect.poll(() => count(window, 'session/close')).toBe(1);
    await window.converse(FIRST, 'still here');
  });
});

describe('a session that is cancelled while it opens', () => {
  /** Two sessions, and a third one that the agent opens when one of them sends `release`. */
  async function threeSessions(...words: readonly string[]) {
    const {window, second} = await twoSessions('slow', ...words);
    void window.open('together', 'slow', ...words);
    const third = window.store.latest().active;
    await expect.poll(() => count(window, 'session/new')).toBe(3);
    return {window, second, third};
  }

  test('is closed at the agent, which was cancelled and opened it anyway', async () => {
    const {window, third} = await threeSessions('close');
    window.sessions.perform({kind: 'call', key: third, action: 'cancel', args: []});
    await until(window, third, ({connection}) => connection.kind === 'failed');
    await window.converse(FIRST, 'release');
    await expect.poll(() => count(window, 'session/close')).toBe(1);
    expect(count(window, '$/cancel_request')).toBe(1);
    await window.converse(FIRST, 'still here');
  });

  test('is not closed at an agent that cannot close sessions', async () => {
    const {window, third} = await threeSessions();
    window.sessions.perform({kind: 'call', key: third, action: 'cancel', args: []});
    await until(window, third, ({connection}) => connection.kind === 'failed');
    await window.converse(FIRST, 'release');
    await window.converse(FIRST, 'still here');
    expect(count(window, 'session/close')).toBe(0);
  });

  test('is reopened with the other sessions of an agent that stopped meanwhile', async () => {
    const {window, second, third} = await threeSessions('load');
    window.prompt(FIRST, 'die');
    for (const key of [FIRST, second]) await until(window, key, ({connection}) => connection.kind === 'lost');
    await until(window, third, ({connection}) => connection.kind === 'failed');
    await window.sessions.clientOf(FIRST).restart();
    for (const key of [FIRST, second, third]) {
      await until(window, key, isReady);
      await window.converse(key, `again ${key}`);
    }
    expect(processes(window)).toBe(2);
  });

  test('reopens the other sessions when it is restarted', async () => {
    const {window, second, third} = await threeSessions('load');
    window.prompt(FIRST, 'die');
    for (const key of [FIRST, second]) await until(window, key, ({connection}) => connection.kind === 'lost');
    await until(window, third, ({connection}) => connection.kind === 'failed');
    await window.sessions.clientOf(third).restart();
    for (const key of [FIRST, second, third]) await until(window, key, isReady);
    expect(processes(window)).toBe(2);
  });
});

describe('an agent shared by several sessions that crashes', () => {
  test('is restarted once for all of them, and each continues', async () => {
    const {window, second} = await twoSessions('load');
    window.prompt(second, 'die');
    for (const key of [FIRST, second]) await until(window, key, ({connection}) => connection.kind === 'lost');
    await window.sessions.clientOf(FIRST).restart();
    for (const key of [FIRST, second]) {
      await until(window, key, isReady);
      await window.converse(key, `again ${key}`);
    }
    expect([processes(window), count(window, 'initialize'), count(window, 'session/load')]).toEqual([
      2, 2, 2,
    ]);
  });

  test('rings the bell once', async () => {
    const {window, second} = await twoSessions('load');
    window.prompt(second, 'die');
    for (const key of [FIRST, second]) await until(window, key, ({connection}) => connection.kind === 'lost');
    const reported = [FIRST, second].map((key) => window.session(key)?.session.connection);
    expect(
      reported.filter((connection) => connection?.kind === 'lost' && !connection.reportedElsewhere),
    ).toHaveLength(1);
  });
});

test('a session that is restarted gets its own process, and the others keep theirs', async () => {
  const {window, second} = await twoSessions('load', 'close');
  window.prompt(FIRST, 'wait');
  await says(window, FIRST, 'waits');
  await window.sessions.clientOf(second).restart();
  await window.converse(second, 'anew');
  expect(processes(window)).toBe(2);
  expect(window.session(FIRST)?.session.turn.kind).toBe('running');
  // Further sessions share the newer process.
  await window.converse(await window.open('together', 'load', 'close'), 'three');
  expect(processes(window)).toBe(2);
});

describe.each(['single', 'same'])('an agent that opens one session only (%s)', (word) => {
  test('is started for each session, which is reported once', async () => {
    const {window, second} = await twoSessions(word);
    const reported = expect.stringMatching(/Fake agent .* several sessions per process/);
    expect(window.notices(second)).toEqual([reported]);
    const third = await window.open('together', word);
    await window.converse(third, 'three');
    expect(window.notices(third)).toEqual([]);
    expect(processes(window)).toBe(3);
    expect(count(window, 'session/new')).toBe(4);
    await window.converse(FIRST, 'still here');
  });
});

test('a sign-in to an agent happens once for all sessions waiting for it', async () => {
  const window = await openWindow('together', 'auth');
  await until(window, FIRST, ({connection}) => connection.kind === 'authentication_required');
  await window.sessions.clientOf(FIRST).authenticate('token');
  await window.converse(FIRST, 'one');
  await window.converse(await window.openWith({authMethod: 'token'}, 'together', 'auth'), 'two');
  expect([count(window, 'authenticate'), processes(window)]).toEqual([1, 1]);
});

test('a session waiting for a sign-in opens when another one has signed in', async () => {
  const window = await openWindow('together', 'auth');
  // A used session is not replaced by the next one.
  await window.sessions.clientOf(FIRST).runShell('true');
  const second = await window.open('together', 'auth');
  const keys = Object.keys(window.store.latest().sessions);
  expect(keys).toEqual([FIRST, second]);
  for (const key of keys)
    await until(window, key, ({connection}) => connection.kind === 'authentication_required');
  await window.sessions.clientOf(second).authenticate('token');
  for (const key of keys) await until(window, key, isReady);
  expect(count(window, 'authenticate')).toBe(1);
});
