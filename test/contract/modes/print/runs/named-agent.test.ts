import {mkdirSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {describe, expect, test} from 'vitest';
import {readProjectSettings} from '../../../../../src/settings/project-settings.ts';
import {trustFolder} from '../../../../../src/settings/trusted-folders.ts';
import {lastAgent} from '../../../../../src/storage/last-agent.ts';
import {temporaryFolder} from '../../../../support/folders/temporary-folder.ts';
import {runHere} from '../../../../support/program/run-program.ts';
import {FAKE_AGENT} from '../../../../support/fake-agent.ts';

/** An agent whose behavior is set by its environment. */
const byVariable = {
  command: 'sh',
  args: ['-c', 'exec "$0" "$1" "$SCENARIO"', process.execPath, FAKE_AGENT],
};

function run(agent: object, ...args: readonly string[]) {
  const config = temporaryFolder();
  mkdirSync(config, {recursive: true});
  writeFileSync(join(config, 'config.json'), JSON.stringify({agents: {mine: agent}}));
  return runHere(['-p', 'hello', '--agent', 'mine', ...args], {
    input: '',
    env: {ACP_TUI_CONFIG_DIR: config},
  });
}

const mine = {command: byVariable, env: {SCENARIO: 'modes'}, mode: 'code'};

test('a known agent that is not installed is an error that names the install command', async () => {
  const env = {PATH: temporaryFolder()};
  expect(await runHere(['-p', 'hello', '--agent', 'goose'], {env})).toEqual({
    exitCode: 1,
    stdout: '',
    stderr: expect.stringMatching(/not found\..* Install it with: acp-tui agents install goose\n$/) as string,
  });
});

test.each([
  ['claud', 'claude-acp'],
  ['gemni', 'gemini'],
  ['dmeo', 'demo'],
  ['my-agnet', 'my-agent'],
])('a mistyped name is an error that names the agent which may be meant: %s', async (typed, meant) => {
  const config = temporaryFolder();
  writeFileSync(join(config, 'config.json'), JSON.stringify({agents: {'my-agent': {command: 'true'}}}));
  const env = {PATH: temporaryFolder(), ACP_TUI_CONFIG_DIR: config};
  const {exitCode, stderr} = await runHere(['-p', 'hello', '--agent', typed], {env});
  expect(exitCode).toBe(1);
  expect(stderr).toContain(
    `"${typed}" not found. No program of that name on PATH. Did you mean --agent ${meant}?`,
  );
});

test.each(['ls', 'npx', 'gemni --acp'])('no agent is suggested for another command: %s', async (typed) => {
  const {stderr} = await runHere(['-p', 'hello', '--agent', typed], {env: {PATH: temporaryFolder()}});
  expect(stderr).toMatch(/ not found\. .* Check the spelling, or find agents/);
});

describe('the name of an agent that needs an adapter', () => {
  test.each([
    ['claude', 'claude-acp'],
    ['claude-code', 'claude-acp'],
    ['Codex', 'codex-acp'],
  ])('stands for the adapter, which the error names: %s', async (name, id) => {
    const path = temporaryFolder();
    // The agent's own program, which does not speak the protocol.
    writeFileSync(join(path, name), '#!/bin/sh\nexit 0\n', {mode: 0o755});

    expect(await runHere(['-p', 'hello', '--agent', name], {env: {PATH: path}})).toEqual({
      exitCode: 1,
      stdout: '',
      stderr: `acp-tui: Agent command "${id}" not found. No program of that name on PATH. Install it with: acp-tui agents install ${id}\n`,
    });
  });

  /** Runs `claude` with these settings; the adapter is on PATH. */
  function runClaude(agents: object, ...args: readonly string[]) {
    const [config, path] = [temporaryFolder(), temporaryFolder()];
    writeFileSync(join(config, 'config.json'), JSON.stringify({agents}));
    const line = `#!/bin/sh\nexec '${process.execPath}' '${FAKE_AGENT}' modes\n`;
    writeFileSync(join(path, 'claude-agent-acp'), line, {mode: 0o755});
    const env = {ACP_TUI_CONFIG_DIR: config, PATH: path};
    return runHere(['-p', 'hello', '--agent', 'claude', ...args], {env});
  }

  test('starts it with its settings', async () => {
    expect(await runClaude({'claude-acp': {mode: 'code'}})).toEqual({
      exitCode: 0,
      stdout: 'mode code\n',
      stderr: '',
    });
  });

  test("is the user's own agent of that name first", async () => {
    const claude = {command: {command: process.execPath, args: [FAKE_AGENT, 'echo']}};
    expect(await runClaude({claude})).toMatchObject({exitCode: 0, stdout: 'hello\n'});
  });
});

describe('where no agent is selected', () => {
  const refused = {
    exitCode: 2,
    stderr: expect.stringMatching(
      /acp-tui: No agent is selected\. Pass one with --agent.*acp-tui config set agent.*acp-tui agents\.\n/,
    ) as string,
  };

  /** Windows have used the demo agent here. */
  function runIn(...args: readonly string[]) {
    const [config, state] = [temporaryFolder(), temporaryFolder()];
    lastAgent.write(state, 'demo');
    writeFileSync(join(config, 'config.json'), JSON.stringify({lastAgent: 'demo'}));
    return runHere(args, {input: '', env: {ACP_TUI_CONFIG_DIR: config, ACP_TUI_STATE_DIR: state}});
  }

  test.each([
    ['print mode', ['-p', 'hello']],
    ['resuming without a stored session', ['-p', '-c', 'hello']],
    ['acp-tui serve', ['serve']],
  ])('%s starts neither the one of a window nor the demo', async (_name, args) => {
    expect(await runIn(...args)).toEqual({...refused, stdout: ''});
  });

  test('JSON has the failure', async () => {
    const {exitCode, stdout} = await runIn('-p', '--output-format', 'json', 'hello');
    expect(exitCode).toBe(2);
    expect(JSON.parse(stdout)).toMatchObject({error: {kind: 'no_agent'}});
  });

  test('the doctor tests this installation', async () => {
    const run = await runIn('doctor');
    expect(run).toMatchObject(refused);
    expect(run.stdout).toMatch(/^This installation\n/);
  });

  test('the variable and --agent select one', async () => {
    const env = {ACP_TUI_AGENT: 'demo'};
    expect(await runHere(['-p', 'hello'], {env})).toMatchObject({exitCode: 0});
    expect(await runIn('-p', '--agent', 'demo', 'hello')).toMatchObject({exitCode: 0});
  });
});

test('an agent of the settings starts with its command, environment and mode', async () => {
  expect(await run(mine)).toEqual({exitCode: 0, stdout: 'mode code\n', stderr: ''});
});

test('options override the settings of an agent', async () => {
  expect(await run(mine, '--mode', 'ask')).toMatchObject({stdout: 'mode ask\n'});
  expect(await run({...mine, mode: undefined}, '--env', 'SCENARIO=echo')).toMatchObject({stdout: 'hello\n'});
});

describe('project settings', () => {
  const brought = {
    agent: 'mine',
    agents: {mine: {command: byVariable, env: {SCENARIO: 'modes'}, mode: 'ask'}},
  };

  /** Runs in a folder with these settings, which may be trusted; the user's settings define `mine`. */
  function runIn(settings: object, {trusted}: {readonly trusted: boolean}, ...args: readonly string[]) {
    const [config, state, cwd] = [temporaryFolder(), temporaryFolder(), temporaryFolder()];
    writeFileSync(join(config, 'config.json'), JSON.stringify({agent: 'mine', agents: {mine}}));
    writeFileSync(join(cwd, '.acp-tui.json'), JSON.stringify(settings));
    if (trusted) trustFolder(state, cwd, readProjectSettings(cwd)?.hash ?? '');
    const env = {ACP_TUI_CONFIG_DIR: config, ACP_TUI_STATE_DIR: state};
    return runHere(['-p', 'hello', ...args], {cwd, env});
  }

  test('run nothing before the user trusts them', async () => {
    const {stdout, stderr} = await runIn(brought, {trusted: false});
    expect(stdout).toBe('mode code\n');
    expect(stderr).toContain('.acp-tui.json of this folder: ignored');
  });

  test("override the user's then, and options override them", async () => {
    expect(await runIn(brought, {trusted: true})).toMatchObject({stdout: 'mode ask\n'});
    expect(await runIn({agents: {mine: {mode: 'ask'}}}, {trusted: true})).toMatchObject({
      stdout: 'mode ask\n',
    });
    const locked = {agents: {mine: {mode: 'locked'}}};
    expect(await runIn(locked, {trusted: true}, '--mode', 'ask')).toMatchObject({stdout: 'mode ask\n'});
  });

  test('pass their program no environment that the user set for another', async () => {
    const other = {agents: {mine: {command: byVariable, mode: 'code'}}};
    const {exitCode} = await runIn(other, {trusted: true});
    expect(exitCode).toBe(1);
  });
});

test('a configured mode that the agent lacks is reported with the available ones', async () => {
  const {exitCode, stderr} = await run({...mine, mode: 'nope'});
  expect(exitCode).toBe(2);
  expect(stderr).toMatch(/"nope"\. Requested by agents\.mine in the settings\..*ask, code, locked/);
});
