import {once} from 'node:events';
import {existsSync, writeSync} from 'node:fs';
import {createServer} from 'node:net';
import {expect, onTestFinished, test, vi} from 'vitest';
import type {Script} from '../../../fixtures/fake-agent/scenarios/script.ts';
import {takeLock} from '../../../src/service/lock.ts';
import {findService} from '../../../src/service/service-client.ts';
import {servicePlace} from '../../../src/service/socket-place.ts';
import {runningTasks} from '../../../src/session/lifecycle/tasks.ts';
import type {SessionState} from '../../../src/session/state.ts';
import {version} from '../../../src/shared/version.ts';
import {sessionFile} from '../../../src/storage/sessions/event-file.ts';
import {temporaryFolder} from '../../support/folders/temporary-folder.ts';
import {asks, openService, orThrow, says, type TestWindow} from './open-service.ts';

/** Requests with the same id would be one. */
let lastRequest = 0;

const numbers = (from: number, to: number) =>
  Array.from({length: to - from}, (_, index) => says(`${from + index} `));

const isIdle = ({turn, lastTurn}: SessionState) => turn.kind === 'idle' && lastTurn !== undefined;

/** What was decided about the requests. */
const decisions = ({entries}: SessionState) =>
  [...entries].flatMap((entry) => (entry.type === 'tool_call' ? (entry.permission?.option ?? []) : []));

const answer = (window: TestWindow, index: number) => {
  const [request] = window.state().pending;
  void window.actions.answer(request?.id ?? '', {kind: 'option', index});
};

const TALKS: Script = {turns: [[...numbers(0, 20), ...asks('one'), ...numbers(20, 40)]]};

test('a session goes on without windows, and one that attaches later has all of it', async () => {
  const {start, attach, client} = await openService(TALKS);
  const id = await start('go');
  const first = await attach(id);
  await first.until(({pending}) => pending.length === 1);
  first.leave();
  const second = await attach(id);
  expect((await (await client()).list()).map(({doing, windows}) => [doing, windows])).toEqual([
    ['waiting', 1],
  ]);
  expect(second.said()).toBe(Array.from({length: 20}, (_, index) => `${index} `).join(''));
  answer(second, 0);
  await second.until(isIdle);
  expect(second.said()).toContain('19 20 21 ');
  expect(decisions(second.state())).toEqual(['Allow']);
  expect((await (await client()).list())[0]).toMatchObject({id, title: 'go', doing: 'idle'});
});

test('with a full disk, a window that attaches has all of it, and every window is told once', async () => {
  const disk = {isFull: true};
  const {start, attach} = await openService(TALKS, {
    write(handle, data) {
      if (disk.isFull) throw Object.assign(new Error('ENOSPC: no space left'), {code: 'ENOSPC'});
      return writeSync(handle, data);
    },
  });
  const id = await start('go');
  const first = await attach(id);
  await first.until(({pending}) => pending.length === 1);
  answer(first, 0);
  await first.until(isIdle);
  const warnings = ({entries}: SessionState) =>
    [...entries].flatMap((entry) => (entry.type === 'notice' ? [entry.text] : []));
  for (const isFull of [true, false]) {
    disk.isFull = isFull;
    const window = await attach(id);
    expect(window.state().turn.kind).toBe('idle');
    expect(window.said()).toBe(first.said());
    expect(warnings(window.state())).toEqual([expect.stringContaining('The disk is full')]);
  }
});

test('windows that attach at any moment have the same transcript, with nothing lost or doubled', async () => {
  const {start, attach} = await openService(TALKS);
  const id = await start('go');
  const windows: TestWindow[] = [];
  for (let each = 0; each < 12; each++) windows.push(await attach(id));
  await windows[0]!.until(({pending}) => pending.length === 1);
  for (let each = 0; each < 4; each++) windows.push(await attach(id));
  answer(windows[3]!, 0);
  for (let each = 0; each < 4; each++) windows.push(await attach(id));
  await Promise.all(windows.map((window) => window.until(isIdle)));
  windows.push(await attach(id));
  const transcripts = windows.map((window) => JSON.stringify([...window.state().entries]));
  expect(new Set(transcripts).size).toBe(1);
  expect(transcripts[0]).toContain('39 ');
});

test('a window that attaches after another session was opened has all that the others have', async () => {
  const {start, attach, client, state} = await openService({turns: [[says('one')], [says('two')]]});
  const id = await start('go');
  const first = await attach(id);
  await first.until(isIdle);
  await first.actions.openSession({kind: 'new'});
  const transcript = (window: TestWindow) => JSON.stringify([...window.state().entries]);
  await expect(attach(id)).rejects.toThrow('no_such_session');
  const [{id: unstored} = {id: ''}] = await (await client()).list();
  const before = await attach(unstored);
  expect(before.state().connection.kind).toBe('ready');
  expect(transcript(before)).toBe(transcript(first));
  const prompt = {text: 'more', content: [{type: 'text' as const, text: 'more'}]};
  await before.actions.changeQueue({kind: 'submit', prompt, place: 'last'});
  await Promise.all([first, before].map((window) => window.until(({lastTurn}) => lastTurn?.turn === 2)));
  const [{id: now} = {id: ''}] = await (await client()).list();
  expect(existsSync(sessionFile(state, now))).toBe(true);
  expect([first, before].map((window) => window.id())).toEqual([now, now]);
  const after = await attach(now);
  expect(after.said()).toBe('onetwo');
  expect([before, after].map(transcript)).toEqual([transcript(first), transcript(first)]);
});

test('a window that is stopped while much happens is disconnected, and the session goes on', async () => {
  const {start, attach, client, raw} = await openService(
    {turns: [[...numbers(0, 200), ...asks('one'), says('done')]]},
    {maxUnread: 100},
  );
  const id = await start();
  const stopped = raw();
  stopped.write(framed(request('hello', {version})) + framed(request('sessions/attach', {id})));
  await once(stopped, 'readable');
  const service = await client();
  await expect.poll(async () => (await service.list())[0]?.windows).toBe(1);
  const prompt = {text: 'long', content: [{type: 'text', text: 'x'.repeat(5_000_000)}]};
  await service.call({key: id, action: 'changeQueue', args: [{kind: 'submit', prompt, place: 'last'}]});
  await expect.poll(async () => (await service.list())[0]?.windows).toBe(0);
  const window = await attach(id);
  await window.until(({pending}) => pending.length === 1);
  answer(window, 0);
  await window.until(isIdle);
  stopped.destroy();
});

test('the first answer to a request counts, and every window learns of it', async () => {
  const {start, attach} = await openService(TALKS);
  const id = await start('go');
  const [one, other] = [await attach(id), await attach(id)];
  await Promise.all([one, other].map((window) => window.until(({pending}) => pending.length === 1)));
  answer(one, 1);
  answer(other, 0);
  await Promise.all([one, other].map((window) => window.until(isIdle)));
  expect([one, other].map((window) => decisions(window.state()))).toEqual([['Reject'], ['Reject']]);
});

test('a prompt that is queued in one window is sent once, and can be taken back in one window only', async () => {
  const {start, attach} = await openService(TALKS);
  const id = await start('go');
  const [one, other] = [await attach(id), await attach(id)];
  await one.until(({pending}) => pending.length === 1);
  const submit = (window: TestWindow, text: string) =>
    window.actions.changeQueue({
      kind: 'submit',
      prompt: {text, content: [{type: 'text', text}]},
      place: 'last',
    });
  await submit(one, 'later');
  await submit(one, 'never');
  const {queue} = await other.until(({queue}) => queue.prompts.length === 2);
  const never = queue.prompts[1]!.id;
  const taken = await Promise.all(
    [one, other].map((window) => window.actions.changeQueue({kind: 'edit', id: never})),
  );
  expect(taken.filter(({ok}) => ok)).toHaveLength(1);
  // The window that queued it is gone when it is sent.
  one.leave();
  answer(other, 0);
  await other.until(({lastTurn, pending}) => lastTurn?.turn === 1 && pending.length === 1);
  const prompts = [...other.state().entries].filter(({type}) => type === 'user_message');
  expect(prompts).toHaveLength(2);
  expect(other.state().queue.prompts).toEqual([]);
});

test('stopping a session ends it for all windows, and it stays stored', async () => {
  const {start, attach, client} = await openService(TALKS);
  const id = await start('go');
  const window = await attach(id);
  await window.until(({pending}) => pending.length === 1);
  const service = await client();
  expect(await service.stop(id)).toMatchObject({ok: true});
  await window.until(({connection}) => connection.kind === 'closed');
  expect(await service.list()).toEqual([]);
  expect(await service.stop(id)).toMatchObject({ok: false, failure: {kind: 'no_such_session'}});
});

test('a window says that the service has ended, and its actions fail with what to do', async () => {
  const {start, attach, service} = await openService(TALKS);
  const id = await start();
  const window = await attach(id);
  const question = {title: 'Really?', text: '', yes: 'Yes', no: 'No'};
  const asked = window.actions.askUser(question);
  await window.until(({pending}) => pending.length === 1);
  await service.end();
  await expect(Promise.resolve(asked)).resolves.not.toBe(true);
  const {entries, turn} = await window.until(({connection}) => connection.kind === 'closed');
  expect(turn.kind).toBe('idle');
  expect(JSON.stringify([...entries])).toContain(`acp-tui -r ${id}`);
  expect(await window.actions.renameSession('x')).toMatchObject({ok: false});
});

test('a session with nothing but a restored queue ends with its last window, and leaves the queue to others', async () => {
  const {start, attach, client, journal} = await openService(TALKS);
  const window = await attach(await start());
  const prompts = [{text: 'later', content: [{type: 'text' as const, text: 'later'}]}];
  await window.actions.changeQueue({kind: 'restore', prompts, outputs: [], isPaused: true});
  await window.until(({queue}) => queue.isPaused);
  window.leave();
  const service = await client();
  await expect.poll(() => service.list()).toEqual([]);
  expect(journal()).toMatchObject([{queue: ['later']}]);
});

test('a session in which nothing happens is ended, unless a window shows it', async () => {
  const {start, attach, client} = await openService({turns: [[{cancelled: true}]]}, {idleMs: 50});
  const [watched, forgotten] = [await start('go'), await start('go')];
  const [window, other] = [await attach(watched), await attach(forgotten)];
  for (const shown of [window, other]) {
    shown.actions.cancel();
    await shown.until(({turn}) => turn.kind === 'idle');
  }
  other.leave();
  const service = await client();
  await expect.poll(async () => (await service.list()).map(({id}) => id)).toEqual([watched]);
  expect(window.state().connection.kind).not.toBe('closed');
  expect(forgotten).not.toBe(watched);
});

test('a session in which a command runs goes on without a window until that has ended', async () => {
  const {start, attach, client} = await openService({turns: [[{cancelled: true}]]}, {idleMs: 50});
  const service = await client();
  const [busy, forgotten] = [await start('go'), await start('go')];
  for (const id of [busy, forgotten]) {
    const window = await attach(id);
    window.actions.cancel();
    await window.until(isIdle);
    if (id === busy) await window.actions.runShell('sleep 300');
    window.leave();
  }
  await expect.poll(async () => (await service.list()).map(({id}) => id)).not.toContain(forgotten);
  const again = await attach(busy);
  const [command] = runningTasks(again.state());
  await again.actions.stopCommand(command?.id ?? '');
  again.leave();
  await expect.poll(() => service.list()).toEqual([]);
});

test('what is queued outlives a service that is killed', async () => {
  const {start, attach, journal} = await openService(TALKS);
  const window = await attach(await start('go'));
  await window.until(({pending}) => pending.length === 1);
  const content = [{type: 'text' as const, text: 'later'}];
  await window.actions.changeQueue({kind: 'submit', prompt: {text: 'later', content}, place: 'last'});
  await expect.poll(journal).toMatchObject([{queue: ['later']}]);
});

test('a session whose agent does not start has the name of its prompt, and ends when idle with the prompt stored', async () => {
  const {start, client, journal} = await openService(
    {errors: {'session/new': {code: -32603, message: 'no'}}},
    {idleMs: 50},
  );
  const service = await client();
  const list = () => service.list();
  await start('never sent');
  expect(await list()).toMatchObject([{title: 'never sent'}]);
  await expect.poll(list).toEqual([]);
  expect(journal()).toMatchObject([{queue: ['never sent']}]);
});

test('a session that needs a sign-in waits for the user', async () => {
  const {start, client} = await openService({
    initialize: {authMethods: [{id: 'key', name: 'A key'}]},
    errors: {'session/new': {code: -32000, message: 'sign in'}},
  });
  const service = await client();
  await start('go');
  await expect.poll(() => service.list()).toMatchObject([{doing: 'waiting'}]);
});

test('of a session that has ended with nothing queued, nothing unsent is left', async () => {
  const {start, attach, journal, client} = await openService({turns: [[says('done')]]});
  const id = await start('go');
  await (await attach(id)).until(isIdle);
  await (await client()).stop(id);
  expect(journal()).toEqual([]);
});

test('the service ends when it has had no session for a while', async () => {
  const {service, state} = await openService(TALKS, {lingerMs: 1});
  await service.ended;
  expect(await findService(state)).toEqual({ok: true, value: undefined});
});

test('a service that does not answer is a failure that says what ends it', async () => {
  const state = temporaryFolder();
  const place = orThrow(servicePlace(state));
  takeLock(place.lock);
  const mute = createServer();
  onTestFinished(() => void mute.close());
  mute.listen(place.socket);
  await once(mute, 'listening');
  vi.useFakeTimers({toFake: ['setTimeout', 'clearTimeout']});
  onTestFinished(() => void vi.useRealTimers());
  const connected = once(mute, 'connection');
  const found = findService(state);
  await connected;
  await vi.waitUntil(() => vi.getTimerCount() > 0);
  vi.runAllTimers();
  expect(await found).toMatchObject({
    ok: false,
    failure: {why: `it does not answer; kill ${process.pid} ends it`},
  });
});

test.each([
  ['no JSON-RPC', 'GET / HTTP/1.1\r\n\r\n'],
  ['JSON that is none', framed('nonsense')],
  ['a length that is none', 'Content-Length: many\r\n\r\n'],
  ['no hello', framed(request('sessions/stop', {id: 'x'}))],
])('a client that sends %s is disconnected, and nothing else changes', async (_, bytes) => {
  const {start, attach, raw} = await openService(TALKS);
  const id = await start('go');
  const window = await attach(id);
  const socket = raw();
  socket.on('error', () => undefined);
  socket.resume();
  socket.write(bytes);
  await once(socket, 'close');
  await window.until(({pending}) => pending.length === 1);
  answer(window, 0);
  await window.until(isIdle);
  expect(decisions(window.state())).toEqual(['Allow']);
});

test('a client of another version is refused with the reason, and stays connected', async () => {
  const {start, attach, raw} = await openService(TALKS);
  const window = await attach(await start('go'));
  const socket = raw().setEncoding('utf8');
  let said = '';
  socket.on('data', (text: string) => (said += text));
  socket.write(framed(request('hello', {version: '0.0.1'})) + framed(request('sessions/list', {})));
  await expect.poll(() => said).toContain(`acp-tui ${version}, and answers only clients of this version`);
  socket.write(framed(request('sessions/stop', {id: window.id()})));
  await expect.poll(() => said.split('answers only clients').length).toBe(3);
  expect(socket.readyState).toBe('open');
  await window.until(({pending}) => pending.length === 1);
  answer(window, 0);
  await window.until(isIdle);
  socket.destroy();
});

test('a client of another version can only end the service', async () => {
  const {start, raw, service, socket: path} = await openService(TALKS);
  await start('go');
  const socket = raw();
  socket.resume();
  socket.write(framed(request('hello', {version: '0.0.1'})) + framed(request('service/end', {})));
  await service.ended;
  expect(existsSync(path)).toBe(false);
});

test.each<[action: string, ...args: readonly unknown[]]>([
  ['prompt'],
  ['steer'],
  ['open'],
  ['killNow'],
  ['constructor'],
  ['changeQueue', {kind: 'nonsense'}],
])('a call of %s that no window makes changes nothing', async (action, ...args) => {
  const {start, attach, client} = await openService(TALKS);
  const id = await start('go');
  const window = await attach(id);
  await window.until(({pending}) => pending.length === 1);
  const service = await client();
  await service.call({key: id, action: action as 'cancel', args});
  answer(window, 0);
  await window.until(isIdle);
  expect(decisions(window.state())).toEqual(['Allow']);
  expect(await service.list()).toMatchObject([{id, doing: 'idle'}]);
});

function request(method: string, params: object): string {
  return JSON.stringify({jsonrpc: '2.0', id: ++lastRequest, method, params});
}

function framed(text: string): string {
  return `Content-Length: ${Buffer.byteLength(text)}\r\n\r\n${text}`;
}
