import {mkdirSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {commonOptions, runSchema, type CommonOptions} from '../../../../src/cli/options.ts';
import type {ServiceClient} from '../../../../src/service/service-client.ts';
import {openHome, scripted} from '../acp-agent/open-editor.ts';
import {orThrow, says} from '../../service/open-service.ts';

const NONE = commonOptions(runSchema.parse({}));

/** A session that ran in the background, and is only stored now. */
async function storedSession() {
  const home = await openHome();
  const agent = scripted({
    initialize: {agentCapabilities: {loadSession: true, sessionCapabilities: {fork: {}}}},
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

test('a session that cannot be resumed in the background can be tried again', async () => {
  const {start, resumed, service, cwd, id} = await storedSession();
  mkdirSync(join(cwd, '.acp-tui/commands'), {recursive: true});
  writeFileSync(join(cwd, '.acp-tui/commands/mine.md'), 'Not trusted yet.');
  expect(await start(service, resumed, '/mine')).toMatchObject({ok: false, failure: {kind: 'file'}});
  expect(await start(service, resumed)).toMatchObject({ok: true, value: {id}});
});
