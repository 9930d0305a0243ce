import {mkdirSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {fileURLToPath} from 'node:url';
import {expect, test} from 'vitest';
import {temporaryFolder} from '../persistence/temporary-folder.ts';
import {runProgram} from './run-program.ts';

const fakeAgent = fileURLToPath(new URL('../../../fixtures/fake-agent/main.ts', import.meta.url));

/** An agent of which the environment says what it does. */
const byVariable = {
  command: 'sh',
  args: ['-c', 'exec "$0" "$1" "$SCENARIO"', process.execPath, fakeAgent],
};

function run(agent: object, ...args: readonly string[]) {
  const config = temporaryFolder();
  mkdirSync(config, {recursive: true});
  writeFileSync(join(config, 'config.json'), JSON.stringify({agents: {mine: agent}}));
  return runProgram(['-p', 'hello', '--agent', 'mine', ...args], {
    input: '',
    env: {ACP_TUI_CONFIG_DIR: config},
  });
}

const mine = {command: byVariable, env: {SCENARIO: 'modes'}, mode: 'code'};

test('an agent of the settings starts with its command, environment and mode', async () => {
  expect(await run(mine)).toEqual({exitCode: 0, stdout: 'mode code\n', stderr: ''});
});

test('options win over what the settings say of an agent', async () => {
  expect(await run(mine, '--mode', 'ask')).toMatchObject({stdout: 'mode ask\n'});
  expect(await run({...mine, mode: undefined}, '--env', 'SCENARIO=echo')).toMatchObject({stdout: 'hello\n'});
});

test('a mode of the settings that the agent does not have is told, with those that it has', async () => {
  const {exitCode, stderr} = await run({...mine, mode: 'nope'});
  expect(exitCode).toBe(2);
  expect(stderr).toMatch(/nope.*ask, code, locked/);
});
