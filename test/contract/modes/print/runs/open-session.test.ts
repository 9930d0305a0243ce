import {writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import type {Script} from '../../../../../fixtures/fake-agent/scenarios/script.ts';
import {origin, storeIn, valueOf} from '../../../storage/stores.ts';
import {temporaryFolder} from '../../../../support/folders/temporary-folder.ts';
import {FAKE_AGENT} from '../../../../support/fake-agent.ts';
import {agentOption, runHere, runProgram} from '../../../../support/program/run-program.ts';

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

test('an agent that asked before says so even if it no longer offers that', async () => {
  const env = {ACP_TUI_STATE_DIR: temporaryFolder()};
  const asking = {id: 'default', name: 'Manual', description: 'Always ask before making changes'};
  const auto = {id: 'default', name: 'Default', description: 'Claude handles permission decisions'};
  const run = (mode: typeof auto, ...args: readonly string[]) => {
    const modes = {currentModeId: mode.id, availableModes: [mode]};
    const words = [
      process.execPath,
      FAKE_AGENT,
      'script',
      JSON.stringify({session: {modes}, turns: [[SAYS]]}),
    ];
    const config = temporaryFolder();
    writeFileSync(
      join(config, 'config.json'),
      JSON.stringify({agents: {mine: {command: {command: words[0], args: words.slice(1)}}}}),
    );
    return runHere(['-p', '--agent', 'mine', ...args, 'x'], {env: {...env, ACP_TUI_CONFIG_DIR: config}});
  };

  expect(await run(asking)).toMatchObject({exitCode: 0, stderr: ''});
  expect(await run(auto, '--no-save')).toMatchObject({exitCode: 0, stderr: ''});
  expect(await run(auto)).toMatchObject({
    exitCode: 0,
    stderr:
      'warning: The agent starts in the mode Default (“Claude handles permission decisions”) and asks less than in Manual, its mode before; /mode or --mode changes that.\n',
  });
  expect(await run(auto)).toMatchObject({exitCode: 0, stderr: ''});
});

test('a stored session that comes back in a mode in which its agent asks less says so', async () => {
  const env = {ACP_TUI_STATE_DIR: temporaryFolder(), ACP_TUI_CONFIG_DIR: temporaryFolder()};
  const availableModes = [
    {id: 'default', name: 'Manual', description: 'Always ask before making changes'},
    {id: 'auto', name: 'Auto', description: 'Claude handles permission decisions'},
  ];
  const run = (script: Script, ...args: readonly string[]) => {
    const given = JSON.stringify({
      initialize: {agentCapabilities: {loadSession: true}},
      session: {modes: {currentModeId: 'default', availableModes}},
      turns: [[SAYS]],
      ...script,
    });
    const command = {command: process.execPath, args: [FAKE_AGENT, 'script', given]};
    const config = join(env.ACP_TUI_CONFIG_DIR, 'config.json');
    writeFileSync(config, JSON.stringify({agents: {mine: {command}}}));
    return runHere(['-p', ...args, 'x'], {env, cwd: env.ACP_TUI_STATE_DIR});
  };
  const resumed = {'session/load': {modes: {currentModeId: 'auto', availableModes}}};
  const warning = expect.stringContaining('asks less than in Manual, its mode before') as string;

  expect(await run({}, '--agent', 'mine')).toMatchObject({exitCode: 0, stderr: ''});
  expect(await run({results: {...resumed, 'session/set_mode': {}}}, '-c')).toMatchObject({
    exitCode: 0,
    stderr: '',
  });
  const errors = {'session/set_mode': {code: -32603, message: 'no'}};
  expect(await run({results: resumed, errors}, '-c')).toMatchObject({exitCode: 0, stderr: warning});
});
