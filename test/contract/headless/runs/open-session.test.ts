import {join} from 'node:path';
import {expect, test} from 'vitest';
import {origin, storeIn, valueOf} from '../../storage/stores.ts';
import {temporaryFolder} from '../../../support/folders/temporary-folder.ts';
import {agentOption, runHere, runProgram} from '../../../support/program/run-program.ts';

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

const SAYS = {update: {sessionUpdate: 'agent_message_chunk', content: {type: 'text', text: 'Done.'}}};

test('a session whose agent asks less than it could says so', async () => {
  const availableModes = [
    {id: 'default', name: 'Default', description: 'Require approval for file edits or shell commands'},
    {id: 'auto', name: 'Auto', description: 'LLM classifier auto-approves safe actions, blocks risky ones'},
  ];
  const script = {
    session: {modes: {currentModeId: 'auto', availableModes}},
    results: {'session/set_mode': {}},
    turns: [[SAYS]],
  };
  const agent = agentOption('script', JSON.stringify(script));

  expect(await runHere(['-p', agent, 'x'])).toMatchObject({
    exitCode: 0,
    stderr:
      'warning: The agent starts in the mode Auto (“LLM classifier auto-approves safe actions, blocks risky ones”) and asks less than in Default; /mode or --mode changes that.\n',
  });
  expect(await runHere(['-p', agent, '--mode', 'auto', 'x'])).toMatchObject({exitCode: 0, stderr: ''});
});
