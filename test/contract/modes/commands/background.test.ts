import {
  appendFileSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmdirSync,
  writeFileSync,
} from 'node:fs';
import {join} from 'node:path';
import {fileURLToPath} from 'node:url';
import {expect, onTestFinished, test} from 'vitest';
import {attachSession} from '../../../../src/service/attached-session.ts';
import {findService} from '../../../../src/service/service-client.ts';
import {runHere, runProgram, startProgram} from '../../../support/program/run-program.ts';
import {FAKE_AGENT} from '../../../support/fake-agent.ts';
import {temporaryFolder} from '../../../support/folders/temporary-folder.ts';
import {orThrow, windowOn} from '../../service/open-service.ts';
import {startServiceHere} from '../../service/service-here.ts';

/** The program with folders of its own, whose service is a process that ends with the test; what talks to it runs in the process of the test. */
function inBackground(variables: Readonly<Record<string, string>> = {}) {
  const folder = temporaryFolder();
  const state = join(folder, 'state');
  mkdirSync(join(folder, 'config'));
  writeFileSync(join(folder, 'config/config.json'), JSON.stringify({snapshots: {take: false}}));
  const folders = Object.fromEntries(
    ['config', 'state', 'data', 'cache'].map((name) => [
      `ACP_TUI_${name.toUpperCase()}_DIR`,
      join(folder, name),
    ]),
  );
  const runIn = (env: typeof variables, input: string, ...args: string[]) =>
    runHere(args, {input, cwd: folder, env: {...folders, ...variables, ...env}});
  const runWith = (input: string, ...args: string[]) => runIn({}, input, ...args);
  const run = (...args: string[]) => runWith('', ...args);
  onTestFinished(async () => void (await run('service', 'stop')));
  const status = async () =>
    JSON.parse((await run('service', 'status', '--json')).stdout) as {
      readonly pid: number;
      readonly sessions: readonly {readonly id: string; readonly doing: string}[];
    };
  const sessions = async () => (await status()).sessions;
  return {folder, folders, state, run, runIn, runWith, status, sessions};
}

/** The same with a service that runs in the process of the test, and so do its agents. */
async function inBackgroundHere() {
  const place = inBackground();
  await startServiceHere(place.state, place.folders);
  return place;
}

const SAYS = {update: {sessionUpdate: 'agent_message_chunk', content: {type: 'text', text: 'All done.'}}};

/** An agent whose first turn ends only when it is cancelled. */
const WAITS = [process.execPath, FAKE_AGENT, 'script', `'{"turns":[[{"cancelled":true}]]}'`].join(' ');

test('a prompt with two slashes calls the next command of its name', async () => {
  const {folder, run} = await inBackgroundHere();
  mkdirSync(join(folder, 'config/commands'));
  writeFileSync(join(folder, 'config/commands/review.md'), 'Look at $1.');
  const agent = [process.execPath, FAKE_AGENT, 'echo'].join(' ');
  expect(await run('-b', '--wait', '--agent', agent, '//review src')).toMatchObject({
    stdout: 'Look at src.\n',
  });
});

test('a session that runs in the background is not resumed a second time', async () => {
  const {run, sessions} = await inBackgroundHere();
  const id = (await run('-b', '--agent', WAITS, 'go')).stdout.trim();
  await expect.poll(sessions).toMatchObject([{doing: 'working'}]);
  await expect.poll(async () => (await run('sessions', 'show', id)).exitCode).toBe(0);
  for (const resumes of [['-r', id], ['-c']])
    expect(await run('-b', '--agent', WAITS, ...resumes, 'again')).toMatchObject({
      exitCode: 2,
      stdout: '',
      stderr: expect.stringContaining(`acp-tui attach ${id} shows it`) as string,
    });
  expect(await sessions()).toMatchObject([{id, doing: 'working'}]);
});

test('the service is stopped also without sessions, and is started again at once', async () => {
  const {run, status, sessions} = inBackground();
  const id = (await run('-b', '--agent', WAITS)).stdout.trim();
  expect(await run('service', 'stop', id)).toMatchObject({exitCode: 0});
  expect(await run('service', 'stop')).toMatchObject({exitCode: 0, stderr: ''});
  expect(await status()).toEqual({pid: null, sessions: []});
  await run('-b', '--agent', WAITS, 'go');
  await expect.poll(sessions).toMatchObject([{doing: 'working'}]);
  expect(await run('service', 'stop')).toMatchObject({exitCode: 0, stderr: ''});
  expect(await run('-b', '--agent', WAITS, 'go')).toMatchObject({exitCode: 0, stderr: ''});
  expect(await sessions()).toHaveLength(1);
});

test('the prompt can come from standard input', async () => {
  const {run, runWith, sessions} = await inBackgroundHere();
  await runWith('on standard input', '-b', '--agent', WAITS);
  await expect.poll(sessions).toMatchObject([{title: 'on standard input'}]);
  const id = (await runWith('+ a line', '-b', '--agent', WAITS, 'review')).stdout.trim();
  await expect.poll(async () => (await run('sessions', 'show', id)).stdout).toMatch(/review\s+\+ a line/);
});

test('an agent gets the environment of where its session is started, not that of the service', async () => {
  const {folder, runIn, sessions} = inBackground();
  const agent = `sh -c 'printf "%s." "$PROBE" >> ${join(folder, 'probe')}; exec ${WAITS.replaceAll("'", `'"'"'`)}'`;
  await runIn({PROBE: 'one'}, '', '-b', '--agent', agent, 'go');
  await expect.poll(sessions).toMatchObject([{doing: 'working'}]);
  await runIn({PROBE: 'two'}, '', '-b', '--agent', agent, 'go');
  await expect.poll(sessions).toMatchObject([{doing: 'working'}, {doing: 'working'}]);
  await runIn({}, '', '-b', '--agent', agent, '-C', temporaryFolder(), 'go');
  await expect.poll(sessions).toMatchObject([{doing: 'working'}, {doing: 'working'}, {doing: 'working'}]);
  await expect.poll(() => readFileSync(join(folder, 'probe'), 'utf8')).toBe('one.two..');
  // Another kind of terminal needs no agent of its own.
  await runIn({PROBE: 'two', TERM: 'vt100', SHLVL: '7'}, '', '-b', '--agent', agent);
  await expect.poll(sessions).toHaveLength(4);
  await expect.poll(async () => (await sessions()).at(-1)?.doing).toBe('idle');
  expect(readFileSync(join(folder, 'probe'), 'utf8')).toBe('one.two..');
});

test('relative paths are those of the folder where a session is started', async () => {
  const {folder, run, runIn, sessions} = inBackground();
  mkdirSync(join(folder, 'more'));
  writeFileSync(join(folder, 'mcp.json'), '{"mcpServers": {"mine": {"command": "true"}}}');
  writeFileSync(join(folder, 'agent.sh'), `#!/bin/sh\nexec ${WAITS}\n`, {mode: 0o755});
  const options = ['--add-dir', 'more', '--mcp-config', 'mcp.json'];
  expect(await run('-b', '--agent', './agent.sh', ...options, 'go')).toMatchObject({exitCode: 0, stderr: ''});
  expect(await runIn({ACP_TUI_AGENT: './agent.sh'}, '', '-b', 'go')).toMatchObject({exitCode: 0, stderr: ''});
  await expect.poll(sessions).toMatchObject([{doing: 'working'}, {doing: 'working'}]);
  await run('service', 'stop');
});

test('an error that nobody expected is logged, and ends no session', async () => {
  const plant = `data:text/javascript,process.on('SIGCONT',()=>{Promise.reject(new Error('planted'))})`;
  const {state, run, status} = inBackground({NODE_OPTIONS: `--import=${encodeURI(plant)}`});
  const id = (await run('-b', '--agent', WAITS, 'go')).stdout.trim();
  const {pid} = await status();
  process.kill(pid, 'SIGCONT');
  await expect.poll(() => readFileSync(join(state, 'acp-tui.log'), 'utf8')).toContain('planted');
  await expect.poll(status).toMatchObject({pid, sessions: [{id, doing: 'working'}]});
});

test('with --wait it ends with the turn, as print mode does', async () => {
  const {run, sessions} = await inBackgroundHere();
  const agent = (step: object) =>
    [process.execPath, FAKE_AGENT, 'script', `'${JSON.stringify({turns: [[SAYS, step]]})}'`].join(' ');
  expect(await run('-b', '--wait', '--agent', agent({stop: {stopReason: 'end_turn'}}), 'go')).toMatchObject({
    exitCode: 0,
    stdout: 'All done.\n',
    stderr: expect.stringMatching(/^[\da-z]{10}\n$/) as string,
  });
  expect(await run('-b', '--wait', '--agent', agent({stop: {stopReason: 'refusal'}}), 'go')).toMatchObject({
    exitCode: 7,
  });
  expect(
    await run('-b', '--wait', '--agent', `${process.execPath} -e 'process.exit(3)'`, 'go'),
  ).toMatchObject({
    exitCode: 1,
    stderr: expect.stringContaining('exited') as string,
  });
  const usage = {inputTokens: 9, outputTokens: 1, totalTokens: 10};
  const counted = agent({stop: {stopReason: 'end_turn', usage}});
  expect(await run('-b', '--wait', '--max-tokens', '10', '--agent', counted, 'go')).toMatchObject({
    exitCode: 8,
    stderr: expect.stringContaining('used 10 of 10 tokens (limits.sessionTokens)') as string,
  });
  const waiting = run('-b', '--wait', '--agent', WAITS, 'go');
  await expect.poll(sessions).toContainEqual(expect.objectContaining({doing: 'working'}));
  await run('service', 'stop');
  expect(await waiting).toMatchObject({exitCode: 1});
  expect(await run('-b', '--wait', '--agent', WAITS)).toMatchObject({
    exitCode: 2,
    stderr: expect.stringContaining('--wait needs a prompt') as string,
  });
  expect(await run('--wait', '--agent', WAITS)).toMatchObject({exitCode: 2});
});

test('with --wait it also waits for the end of a limit, if it is told to', async () => {
  const {run} = await inBackgroundHere();
  const fail = {code: -32603, message: 'Rate limit reached, try again in 1s.'};
  const script = JSON.stringify({turns: [[{fail}], [SAYS]]});
  const agent = [process.execPath, FAKE_AGENT, 'script', `'${script}'`].join(' ');
  expect(await run('-b', '--wait', '--agent', agent, 'go')).toMatchObject({exitCode: 1});
  expect(await run('-b', '--wait', '--wait-for-limits', '--agent', agent, 'go')).toMatchObject({
    exitCode: 0,
    stdout: 'All done.\n',
  });
});

test('with --wait it ends if the agent cannot start without an answer, which a window can still give', async () => {
  const {run, sessions} = await inBackgroundHere();
  const waited = await run('-b', '--wait', '--sandbox', '--agent', WAITS, 'go');
  const [{id} = {id: ''}] = await sessions();
  expect(waited).toMatchObject({exitCode: 2, stdout: ''});
  expect(waited.stderr).toMatch(/needs you: .*keep its settings and sessions\?/);
  expect(waited.stderr).toContain(`acp-tui attach ${id} `);
  expect(await sessions()).toMatchObject([{doing: 'waiting'}]);
  await run('service', 'stop');
});

test('with --wait it says that a sign-in is needed, and does not wait for it', async () => {
  const {run, sessions} = await inBackgroundHere();
  const agent = [process.execPath, FAKE_AGENT, 'auth'].join(' ');
  const {exitCode, stdout, stderr} = await run('-b', '--wait', '--agent', agent, 'go');
  const [{id} = {id: ''}] = await sessions();
  expect({exitCode, stdout}).toEqual({exitCode: 6, stdout: ''});
  const [first, needed, why] = stderr.split('\n');
  expect([first, needed]).toEqual([id, `acp-tui: needs you: Sign in (acp-tui attach ${id} shows it)`]);
  expect(why).toContain('The agent requires a sign-in.');
});

test('with --wait it says what the session asks, once, as the service does, and waits for an answer', async () => {
  const {folder, folders, state, run, sessions} = await inBackgroundHere();
  const toolCall = {toolCallId: 'one', title: 'npm test'};
  const options = [{optionId: 'yes', name: 'Yes', kind: 'allow_once'}];
  const params = {sessionId: '$session', toolCall, options};
  const meanwhile = {update: {sessionUpdate: 'agent_thought_chunk', content: {type: 'text', text: 'Hm.'}}};
  const asks = [{ask: 'it', method: 'session/request_permission', params}, meanwhile, {answered: 'it'}, SAYS];
  const script = JSON.stringify({turns: [asks]});
  const agent = [process.execPath, FAKE_AGENT, 'script', `'${script}'`].join(' ');
  const {stdout, stderr, ended} = startProgram(['-b', '--wait', '--agent', agent, 'go'], {
    cwd: folder,
    env: folders,
    input: '',
  });
  await expect.poll(stderr).toContain('npm test');
  const [{id} = {id: ''}] = await sessions();
  expect((await run('service', 'status')).stdout).toMatch(/ needs you .*: Allow npm test\?\n/);
  const service = orThrow(await findService(state));
  onTestFinished(() => service?.close());
  const window = windowOn(orThrow(await attachSession(service!, id, state)));
  const {pending} = await window.until(
    ({entries, pending: asked}) => asked.length > 0 && entries.at(-1)?.type === 'agent_thought',
  );
  await window.actions.answer(pending[0]!.id, {kind: 'option', index: 0});
  expect(await ended).toMatchObject({exitCode: 0});
  expect(stdout()).toBe('All done.\n');
  expect(stderr()).toBe(`${id}\nacp-tui: needs you: Allow npm test? (acp-tui attach ${id} shows it)\n`);
});

test('what cannot be started is said, with the exit code of print mode', async () => {
  const {run} = await inBackgroundHere();
  const refused = (about: string, exitCode: number) => ({
    exitCode,
    stdout: '',
    stderr: expect.stringContaining(about) as string,
  });
  expect(await run('-b', '--agent', '/no/such/agent', 'go')).toMatchObject(refused('/no/such/agent', 1));
  expect(await run('-b', '--agent', WAITS, '-C', '/no/such/folder', 'go')).toMatchObject(
    refused('No such folder', 2),
  );
  expect(await run('-b', '--agent', WAITS, '-r', 'nobody', 'go')).toMatchObject({
    ...refused('No session "nobody"', 4),
  });
  expect(await run('-b', '--record', 'x', '--agent', WAITS, 'go')).toMatchObject({exitCode: 2});
  const nowhere = {input: '', env: {ACP_TUI_STATE_DIR: '/proc/nope/state'}};
  expect(await runHere(['-b', '--agent', WAITS, 'go'], nowhere)).toMatchObject(refused('/proc/nope', 2));
});

test('with settings that protect and cannot be read, nothing is started', async () => {
  const {folder, run} = inBackground();
  writeFileSync(join(folder, 'config/config.json'), '{\n  "sandbx": "on"\n}');
  expect(await run('-b', '--agent', WAITS, 'go')).toMatchObject({
    exitCode: 2,
    stdout: '',
    stderr: expect.stringContaining('config.json, line 2, is not a setting; no agent starts') as string,
  });
});

test('without an agent that was selected, nothing is started', async () => {
  const {run, sessions} = inBackground();
  expect(await run('-b', 'go')).toMatchObject({
    exitCode: 2,
    stdout: '',
    stderr: expect.stringContaining('No agent is selected. Pass one with --agent') as string,
  });
  expect(await sessions()).toEqual([]);
});

test('a prompt that calls a command file which cannot be used starts nothing', async () => {
  const {folder, run, sessions} = inBackground();
  mkdirSync(join(folder, 'config/commands'), {recursive: true});
  writeFileSync(join(folder, 'config/commands/gbad.md'), '');
  expect(await run('-b', '--agent', WAITS, '/gbad a')).toMatchObject({
    exitCode: 2,
    stdout: '',
    stderr: expect.stringMatching(/gbad\.md". It has no prompt\.\n$/) as string,
  });
  expect(await sessions()).toEqual([]);
});

test('attach and stop say which session they need', async () => {
  const {run} = await inBackgroundHere();
  expect(await run('attach')).toMatchObject({
    exitCode: 1,
    stderr: expect.stringContaining('terminal') as string,
  });
  const ids = [await run('-b', '--agent', WAITS), await run('-b', '--agent', WAITS)];
  for (const group of ['service', 'sessions'])
    expect(await run(group, 'stop', 'none')).toMatchObject({
      exitCode: 4,
      stderr: expect.stringContaining(ids[1]!.stdout.trim()) as string,
    });
});

test('a service with a session has nothing of the screen in memory', async () => {
  const file = join(temporaryFolder(), 'loaded');
  const plant = `data:text/javascript,
    import {appendFileSync} from 'node:fs';
    import {registerHooks} from 'node:module';
    const load = (url, context, next) => {
      if (url.includes('/dist/')) appendFileSync(${JSON.stringify(file)}, url + '\\n');
      return next(url, context);
    };
    if (process.argv.includes('service')) registerHooks({load});`;
  const {run} = inBackground({NODE_OPTIONS: `--import=${encodeURI(plant.replaceAll('\n', ''))}`});
  const agent = [process.execPath, FAKE_AGENT, 'script', `'${JSON.stringify({turns: [[SAYS]]})}'`].join(' ');
  expect(await run('-b', '--wait', '--agent', agent, 'go')).toMatchObject({exitCode: 0});
  const hasReact = (url: string) => readFileSync(fileURLToPath(url), 'utf8').includes('react.element');
  const loaded = readFileSync(file, 'utf8').trimEnd().split('\n');
  expect(loaded.filter(hasReact)).toEqual([]);
  const dist = new URL('.', loaded[0]);
  expect(
    readdirSync(dist).filter((name) => name.endsWith('.js') && hasReact(new URL(name, dist).href)),
  ).toEqual([expect.stringMatching(/^window-/)]);
});

test('a session that is idle for the hours of backgroundIdle ends, and stays stored', async () => {
  const {folder, run, sessions} = inBackground();
  const settings = {snapshots: {take: false}, backgroundIdle: 0.5 / 3600};
  writeFileSync(join(folder, 'config/config.json'), JSON.stringify(settings));
  const agent = [process.execPath, FAKE_AGENT, 'script', `'${JSON.stringify({turns: [[SAYS]]})}'`].join(' ');
  const id = (await run('-b', '--agent', agent, 'go')).stdout.trim();
  await expect.poll(sessions).toEqual([]);
  const {stdout} = await run('sessions', '--json');
  expect(JSON.parse(stdout)).toMatchObject({sessions: [{id, state: 'stored', turns: 1}]});
});

test('service logs prints what the services logged, and follows it', async () => {
  const {state, run} = inBackground();
  expect(await run('service', 'logs')).toEqual({
    exitCode: 0,
    stdout: '',
    stderr: 'The service has logged nothing.\n',
  });
  await run('-b', '--agent', WAITS, 'go');
  const file = join(state, 'acp-tui.log');
  const line = (pid: number | string, text: string) =>
    appendFileSync(file, `2026-01-01T00:00:00.000Z ${pid} info ${text}\n`);
  const STARTS = 'the background service starts';
  line(1, 'of a window');
  line(2, STARTS);
  for (let number = 1; number < 100; number++) line(2, `line ${number}`);
  const {stdout} = await run('service', 'logs');
  expect(stdout.split('\n').map((text) => text.replace(/^\S+ \d+ info /, ''))).toEqual([
    STARTS,
    ...Array.from({length: 99}, (_, index) => `line ${index + 1}`),
    '',
  ]);
  const logs = startProgram(['service', 'logs', '--follow'], {env: {ACP_TUI_STATE_DIR: state}});
  await expect.poll(logs.stdout).toContain('line 99');
  line(2, 'before it is full');
  renameSync(file, `${file}.1`);
  line(1, 'of a window');
  line(3, STARTS);
  line(3, 'of the next one');
  await expect.poll(logs.stdout).toContain('of the next one');
  expect(logs.stdout()).toContain('before it is full');
  expect(logs.stdout()).not.toContain('of a window');
});

test('a service that cannot listen says why in its log', async () => {
  const {state, run} = inBackground();
  mkdirSync(join(state, 'service', 'socket'), {recursive: true, mode: 0o700});
  const refused = await runProgram(['service', 'run'], {env: {ACP_TUI_STATE_DIR: state}});
  expect(refused).toMatchObject({exitCode: 1, stderr: expect.stringContaining('Cannot use') as string});
  rmdirSync(join(state, 'service', 'socket'));
  const {stdout} = await run('service', 'logs');
  expect(stdout).toContain(refused.stderr.replace('acp-tui: ', ''));
});

test('sessions logs -f follows a session until sessions stop ends it', async () => {
  const {state, run} = await inBackgroundHere();
  const id = (await run('-b', '--agent', WAITS, 'go')).stdout.trim();
  const logs = startProgram(['sessions', 'logs', '-f', id], {env: {ACP_TUI_STATE_DIR: state}});
  await expect.poll(logs.stdout).toContain('> go');
  expect(await run('sessions', 'stop', id.slice(0, 6))).toMatchObject({exitCode: 0, stderr: ''});
  expect(await logs.ended).toEqual({exitCode: 0, signal: null});
  expect(logs.stderr()).toBe('');
  for (const stop of ['service', 'sessions'])
    expect(await run(stop, 'stop', id)).toMatchObject({
      exitCode: 4,
      stderr: `acp-tui: Cannot find session "${id}" in the background. Nothing runs in the background; acp-tui -r resumes a stored session.\n`,
    });
});
