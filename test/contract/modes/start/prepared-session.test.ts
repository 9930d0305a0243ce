import {existsSync, mkdirSync, readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {commonOptions, runSchema, type CommonOptions} from '../../../../src/cli/options.ts';
import type {ServiceClient} from '../../../../src/service/service-client.ts';
import {sessionFile} from '../../../../src/storage/sessions/event-file.ts';
import {databaseIn} from '../../storage/stores.ts';
import {openHome, scripted} from '../acp-agent/open-editor.ts';
import {orThrow, says} from '../../service/open-service.ts';

const NONE = commonOptions(runSchema.parse({}));

/** A session that ran in the background, and is only stored now. */
async function storedSession() {
  const home = await openHome();
  const agent = scripted({
    initialize: {agentCapabilities: {loadSession: true, sessionCapabilities: {fork: {}}}},
    results: {'session/fork': {sessionId: 'copy'}},
    turns: [[says('one')]],
  });
  const start = (service: ServiceClient, given: Partial<CommonOptions>, prompt?: string) =>
    service.start({given: {...NONE, cwd: home.cwd, agent, ...given}, prompt, environment: process.env});
  const {id} = orThrow(await start(await home.service(), {}, 'go'));
  await expect.poll(() => home.sessions()).toMatchObject([{id, doing: 'done'}]);
  await home.restartService();
  const resumed = {agent: undefined, resumeRequest: {which: 'named', id}} as const;
  return {...home, id, start, resumed, service: await home.service()};
}

/** The process that runs the tests has all sessions open from now on. */
function openInOtherProcess(state: string): void {
  const pid = process.ppid;
  const started = readFileSync(`/proc/${pid}/stat`, 'latin1').split(') ')[1]?.split(' ')[19] ?? '';
  const take = 'UPDATE sessions SET open_pid = ?, open_started = ?';
  orThrow(databaseIn(state).use((sql) => sql.run(take, pid, started)));
}

test('a session that cannot be resumed in the background can be tried again', async () => {
  const {start, resumed, service, cwd, id} = await storedSession();
  mkdirSync(join(cwd, '.acp-tui/commands'), {recursive: true});
  writeFileSync(join(cwd, '.acp-tui/commands/mine.md'), 'Not trusted yet.');
  expect(await start(service, resumed, '/mine')).toMatchObject({ok: false, failure: {kind: 'file'}});
  expect(await start(service, resumed)).toMatchObject({ok: true, value: {id}});
});

test('a copy that runs in the background is stored under the id that its start returns', async () => {
  const {start, resumed, service, sessions, state, id} = await storedSession();
  const {id: copy} = orThrow(await start(service, {...resumed, fork: true}, 'try it'));
  expect(copy).not.toBe(id);
  await expect.poll(sessions).toMatchObject([{id: copy, doing: 'done'}]);
  expect(existsSync(sessionFile(state, copy))).toBe(true);
});

test('a session that another process has open runs in the background as a copy with an id of its own, and says so', async () => {
  const {start, resumed, service, sessions, state, id, window} = await storedSession();
  openInOtherProcess(state);
  const {id: copy} = orThrow(await start(service, resumed, 'go on'));
  expect(copy).not.toBe(id);
  await expect.poll(sessions).toMatchObject([{id: copy, doing: 'done'}]);
  expect(existsSync(sessionFile(state, copy))).toBe(true);
  const {entries} = (await window(copy)).state();
  expect([...entries].filter(({type}) => type === 'notice')).toMatchObject([
    {text: expect.stringContaining('stored as a copy here')},
  ]);
});

test('an editor that loads a session which another process has open uses the id that it knows', async () => {
  const {editor, state, id, cwd} = await storedSession();
  openInOtherProcess(state);
  const {agent, prompt, updates, text} = await editor();
  await agent.request('session/load', {sessionId: id, cwd, mcpServers: []});
  await prompt(id, 'go on');
  expect(text('agent_message_chunk')).toBe('oneone');
  expect(new Set(updates.map(({sessionId}) => sessionId))).toEqual(new Set([id]));
});

test('a session is not read by a client that has it in the background', async () => {
  const {start, service, sessions, window} = await storedSession();
  const {id} = orThrow(await start(service, {}, 'go'));
  await expect.poll(sessions).toMatchObject([{id, doing: 'done', windows: 0}]);
  const shown = await window(id);
  expect(await sessions()).toMatchObject([{doing: 'done', windows: 1}]);
  shown.leave();
  await expect.poll(sessions).toMatchObject([{windows: 0}]);
  expect(await sessions()).toMatchObject([{doing: 'done'}]);
});
