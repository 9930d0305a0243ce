import {join} from 'node:path';
import {expect, onTestFinished, test} from 'vitest';
import {runProgram} from '../../support/program/run-program.ts';
import {FAKE_AGENT} from '../../support/fake-agent.ts';
import {temporaryFolder} from '../../support/folders/temporary-folder.ts';

/** The program with a state folder of its own, whose service ends with the test. */
function inBackground() {
  const folder = temporaryFolder();
  const runWith = (input: string, ...args: string[]) =>
    runProgram(args, {input, cwd: folder, env: {ACP_TUI_STATE_DIR: join(folder, 'state')}});
  const run = (...args: string[]) => runWith('', ...args);
  onTestFinished(async () => void (await run('service', 'stop')));
  const sessions = async () => {
    const {stdout} = await run('service', 'status', '--json');
    return (JSON.parse(stdout) as {sessions: readonly {id: string; doing: string}[]}).sessions;
  };
  return {run, runWith, sessions};
}

/** An agent whose first turn ends only when it is cancelled. */
const WAITS = [process.execPath, FAKE_AGENT, 'script', `'{"turns":[[{"cancelled":true}]]}'`].join(' ');

test('a session that runs in the background is not resumed a second time', async () => {
  const {run, sessions} = inBackground();
  const id = (await run('-b', '--agent', WAITS, 'go')).stdout.trim();
  await expect.poll(sessions).toMatchObject([{doing: 'working'}]);
  for (const resumes of [['-r', id], ['-c']])
    expect(await run('-b', '--agent', WAITS, ...resumes, 'again')).toMatchObject({
      exitCode: 1,
      stdout: '',
      stderr: expect.stringContaining(`acp-tui attach ${id} shows it`) as string,
    });
  expect(await sessions()).toMatchObject([{id, doing: 'working'}]);
});

test('the service is stopped also without sessions, and is started again at once', async () => {
  const {run, sessions} = inBackground();
  const id = (await run('-b', '--agent', WAITS)).stdout.trim();
  expect(await run('service', 'stop', id)).toMatchObject({exitCode: 0});
  expect(await run('service', 'stop')).toMatchObject({exitCode: 0, stderr: ''});
  await run('-b', '--agent', WAITS, 'go');
  await expect.poll(sessions).toMatchObject([{doing: 'working'}]);
  expect(await run('service', 'stop')).toMatchObject({exitCode: 0, stderr: ''});
  expect(await run('-b', '--agent', WAITS, 'go')).toMatchObject({exitCode: 0, stderr: ''});
  expect(await sessions()).toHaveLength(1);
});

test('the prompt can come from standard input', async () => {
  const {runWith, sessions} = inBackground();
  await runWith('on standard input', '-b', '--agent', WAITS);
  await expect.poll(sessions).toMatchObject([{title: 'on standard input'}]);
});

test('what cannot be started is said, with the exit code of a failure', async () => {
  const {run} = inBackground();
  const refused = (about: string) => ({
    exitCode: 1,
    stdout: '',
    stderr: expect.stringContaining(about) as string,
  });
  expect(await run('-b', '--agent', '/no/such/agent', 'go')).toMatchObject(refused('/no/such/agent'));
  expect(await run('-b', '--agent', WAITS, '-C', '/no/such/folder', 'go')).toMatchObject(
    refused('No such folder'),
  );
  const nowhere = {input: '', env: {ACP_TUI_STATE_DIR: '/proc/nope/state'}};
  expect(await runProgram(['-b', '--agent', WAITS, 'go'], nowhere)).toMatchObject(refused('/proc/nope'));
});

test('attach and stop say which session they need', async () => {
  const {run} = inBackground();
  expect(await run('attach')).toMatchObject({
    exitCode: 1,
    stderr: expect.stringContaining('terminal') as string,
  });
  const ids = [await run('-b', '--agent', WAITS), await run('-b', '--agent', WAITS)];
  expect(await run('service', 'stop', 'none')).toMatchObject({
    exitCode: 1,
    stderr: expect.stringContaining(ids[1]!.stdout.trim()) as string,
  });
});
