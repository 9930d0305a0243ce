import {join} from 'node:path';
import {expect, test} from 'vitest';
import {origin, storeIn, valueOf} from '../../storage/stores.ts';
import {temporaryFolder} from '../../../support/folders/temporary-folder.ts';
import {agentOption, runProgram} from '../../../support/program/run-program.ts';

test('a run in a session that a window has open says that it is stored as a copy', async () => {
  const folder = temporaryFolder();
  const env = {ACP_TUI_STATE_DIR: join(folder, 'state')};
  const agent = agentOption('breaks', 'forgets-sessions');
  expect(await runProgram(['-p', agent, 'first'], {env, cwd: folder})).toMatchObject({
    exitCode: 0,
    stderr: '',
  });
  const store = storeIn(join(folder, 'state'));
  const [{id} = {id: ''}] = valueOf(store.list());
  const window = valueOf(store.record({...origin, continues: id, restoredAt: 1}));

  const again = await runProgram(['-p', agent, '-r', id, 'second'], {env, cwd: folder});
  window.close();
  expect(again.stderr).toContain('warning: This run is stored as a copy of the session.');
  expect(again.stderr).toContain(`process ${process.pid}`);
});
