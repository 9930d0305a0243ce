import {mkdirSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, onTestFinished, test} from 'vitest';
import {commonOptions, runSchema} from '../../../src/cli/options.ts';
import {attachSession} from '../../../src/service/attached-session.ts';
import {findService} from '../../../src/service/service-client.ts';
import {FAKE_AGENT} from '../../support/fake-agent.ts';
import {temporaryFolder} from '../../support/folders/temporary-folder.ts';
import {orThrow, windowOn} from './open-service.ts';
import {startServiceHere} from './service-here.ts';

test('a session in the background that cannot be stored says so, once, in each window', async () => {
  const folder = temporaryFolder();
  const state = join(folder, 'state');
  for (const name of ['config', 'state']) mkdirSync(join(folder, name));
  writeFileSync(join(state, 'sessions'), 'no folder');
  await startServiceHere(state, {ACP_TUI_CONFIG_DIR: join(folder, 'config'), ACP_TUI_STATE_DIR: state});
  const service = orThrow(await findService(state))!;
  onTestFinished(() => service.close());
  const agent = [process.execPath, FAKE_AGENT, 'echo'].join(' ');
  const given = {...commonOptions(runSchema.parse({})), agent, cwd: folder};
  const {id} = orThrow(await service.start({given, prompt: 'hello', environment: {}}));
  for (let each = 0; each < 2; each++) {
    const window = windowOn(orThrow(await attachSession(service, id, state)));
    const {entries} = await window.until(({lastTurn}) => lastTurn !== undefined);
    const told = [...entries].flatMap((entry) => (entry.type === 'notice' ? [entry.text] : []));
    expect(told).toEqual([
      expect.stringContaining('This session is not stored: it is lost when acp-tui quits.'),
    ]);
    expect(window.said()).toBe('hello');
  }
});
