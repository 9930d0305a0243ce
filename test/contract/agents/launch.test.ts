import {chmodSync, mkdtempSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {afterAll, afterEach, describe, expect, test, vi} from 'vitest';
import {launchAgent, type ProcessEvent, type AgentProcess} from '../../../src/agents/launch.ts';
import {descendants} from '../../../src/shared/processes/process-tree.ts';
import {FAKE_AGENT} from '../../support/fake-agent.ts';

const folder = mkdtempSync(join(tmpdir(), 'acp-tui-launch-'));
const running: AgentProcess[] = [];

afterAll(() => rmSync(folder, {recursive: true, force: true, maxRetries: 5}));

afterEach(() => {
  for (const agent of running.splice(0)) agent.killNow();
  vi.unstubAllEnvs();
});

function launch(command: string, args: readonly string[] = [], env: Record<string, string> = {}) {
  return launchAgent({label: command, command, args, env}, {cwd: folder});
}

async function started(command: string, args: readonly string[], env: Record<string, string> = {}) {
  const result = await launch(command, args, env);
  if (!result.ok) throw new Error(JSON.stringify(result.failure));
  running.push(result.value);
  return result.value;
}

const node = (script: string, env: Record<string, string> = {}) =>
  started(process.execPath, ['-e', script], env);

/** The first bytes on stdout, as text. */
async function firstOutput(agent: AgentProcess): Promise<string> {
  const reader = agent.stdout.getReader();
  const {value} = await reader.read();
  reader.releaseLock();
  return new TextDecoder().decode(value);
}

async function allOutput(agent: AgentProcess): Promise<string> {
  let text = '';
  for await (const chunk of agent.stdout) text += new TextDecoder().decode(chunk);
  return text;
}

/** Zombies do not count: without an init process nothing reaps the children of a killed parent. */
function lives(pid: number): boolean {
  return descendants({pid}).some((member) => member.pid === pid);
}

function script(name: string, text: string, mode: number): string {
  const file = join(folder, name);
  writeFileSync(file, text);
  chmodSync(file, mode);
  return file;
}

describe('a command cannot be started if it', () => {
  test('does not exist', async () => {
    const failure = {kind: 'command_not_found', command: 'surely-no-such-agent'};
    expect(await launch('surely-no-such-agent')).toEqual({ok: false, failure});
    expect(await launch(join(folder, 'nope'))).toMatchObject({failure: {kind: 'command_not_found'}});
  });

  test('is the URL of a remote agent that was removed from the settings', async () => {
    expect(await launch('wss://${HOST}/acp')).toMatchObject({
      failure: {kind: 'bad_agent', problem: 'it is no longer in the settings; its URL was wss://${HOST}/acp'},
    });
  });

  test('is not executable', async () => {
    const file = script('plain.txt', 'hello', 0o644);
    expect(await launch(file)).toMatchObject({failure: {kind: 'not_executable', command: file}});
    expect(await launch(folder)).toMatchObject({failure: {kind: 'not_executable'}});
  });

  test('is on PATH but not executable', async () => {
    const file = script('path-agent', 'hello', 0o644);
    vi.stubEnv('PATH', folder);
    expect(await launch('path-agent')).toMatchObject({failure: {kind: 'not_executable', command: file}});
  });

  test('names an interpreter that does not exist', async () => {
    const file = script('shebang', '#!/no/such/interpreter\n', 0o755);
    expect(await launch(file)).toMatchObject({
      failure: {kind: 'not_executable', problem: expect.stringContaining('interpreter')},
    });
  });

  test('has no working folder', async () => {
    const agent = {label: 'x', command: process.execPath, args: [], env: {}};
    const cwd = join(folder, 'missing');
    expect(await launchAgent(agent, {cwd})).toMatchObject({failure: {kind: 'file', path: cwd}});
  });
});

test.each([
  ['by itself', '', false],
  ['on request', 'process.stdin.resume()', true],
])('reports that the agent ended %s, with its command and its stderr', async (_how, rest, asked) => {
  const events: ProcessEvent[] = [];
  const args = ['-e', `process.stderr.write('hello');${rest}`];
  const agent = {label: 'x', command: process.execPath, args, env: {SECRET: '1'}};
  const onEvent = (event: ProcessEvent) => void events.push(event);
  const result = await launchAgent(agent, {cwd: folder, onEvent});
  if (!result.ok) throw new Error(result.failure.kind);
  if (asked) await result.value.stop();
  await result.value.exited;
  const {pid} = result.value;
  expect(events).toMatchObject([
    {kind: 'started', pid, cwd: folder},
    {kind: 'stderr', pid, text: 'hello'},
    {kind: 'exited', pid, code: 0, asked},
  ]);
  expect(JSON.stringify(events)).not.toContain('SECRET');
});

test('runs the agent in the folder, with the inherited environment and its own', async () => {
  vi.stubEnv('INHERITED_BY_AGENT', 'yes');
  const agent = await node(
    'console.log(JSON.stringify([process.cwd(), process.env.INHERITED_BY_AGENT, process.env.OWN]))',
    {OWN: 'mine'},
  );
  expect(JSON.parse(await allOutput(agent))).toEqual([folder, 'yes', 'mine']);
});

test('passes bytes through unchanged', async () => {
  const agent = await started('cat', []);
  const bytes = Uint8Array.from({length: 300_000}, (_, index) => index % 256);
  const writer = agent.stdin.getWriter();
  const written = writer.write(bytes).then(() => writer.close());
  const chunks: Uint8Array[] = [];
  for await (const chunk of agent.stdout) chunks.push(chunk);
  await written;
  expect(Buffer.concat(chunks).equals(Buffer.from(bytes))).toBe(true);
  expect(await agent.exited).toEqual({code: 0, signal: null});
});

test('output that was not read yet outlives the agent', async () => {
  const agent = await node(
    'process.stdout.write("one, "); setTimeout(() => { process.stdout.write("two"); process.stderr.write("written"); }, 50)',
  );
  await expect.poll(() => agent.stderrTail()).toBe('written');
  await agent.stop();
  expect(await allOutput(agent)).toBe('one, two');
});

test('the exit is reported after output that arrived before it, however late that is read', async () => {
  const seen: string[] = [];
  const result = await launchAgent(
    {label: 'x', command: process.execPath, args: ['-e', 'process.stdout.write("last words")'], env: {}},
    {cwd: folder, onEvent: ({kind}) => void seen.push(kind)},
  );
  if (!result.ok) throw new Error(result.failure.kind);
  await expect.poll(() => lives(result.value.pid)).toBe(false);
  seen.push(await allOutput(result.value));
  await result.value.exited;
  expect(seen).toEqual(['started', 'last words', 'exited']);
});

test('keeps the last 64 KiB of stderr, and listeners get all of it', async () => {
  let received = '';
  const result = await launchAgent(
    {
      label: 'x',
      command: process.execPath,
      args: ['-e', 'process.stderr.write("a".repeat(100000) + "é".repeat(1000) + "last words")'],
      env: {},
    },
    {cwd: folder, onEvent: (event) => (received += event.kind === 'stderr' ? event.text : '')},
  );
  if (!result.ok) throw new Error(result.failure.kind);
  await result.value.exited;
  expect(result.value.stderrTail()).toMatch(/élast words$/);
  expect(result.value.stderrTail()).toHaveLength(64 * 1024);
  expect(received).toHaveLength(101_010);
});

test('the exit does not wait for a daemon that keeps stderr open', async () => {
  const agent = await started('sh', ['-c', 'sleep 300 & exit 4']);
  expect(await agent.exited).toEqual({code: 4, signal: null});
  await agent.stop();
});

test('the exit reports the code or the signal', async () => {
  expect(await (await node('process.exit(7)')).exited).toEqual({code: 7, signal: null});
  expect(await (await node('process.kill(process.pid, "SIGKILL")')).exited).toEqual({
    code: null,
    signal: 'SIGKILL',
  });
});

describe('stop', () => {
  test('lets an agent exit by itself when its stdin closes', async () => {
    const agent = await node(
      'process.stdin.resume().on("end", () => setTimeout(() => process.exit(5), 100))',
    );
    await agent.stop();
    expect(await agent.exited).toEqual({code: 5, signal: null});
  });

  test('sends SIGTERM to an agent that ignores the end of its input', async () => {
    const agent = await node('setInterval(() => {}, 1000); console.log("up")');
    await firstOutput(agent);
    await agent.stop();
    expect(await agent.exited).toEqual({code: null, signal: 'SIGTERM'});
  });

  test('leaves nothing of a process tree that ignores every signal and has daemons', async () => {
    const agent = await started(process.execPath, [FAKE_AGENT, 'stubborn']);
    await expect.poll(() => agent.stderrTail()).toMatch(/\n/);
    const pids: number[] = Object.values(JSON.parse(agent.stderrTail()));
    expect(pids.map(lives)).toEqual([true, true, true]);
    await agent.stop();
    await expect.poll(() => pids.map(lives)).toEqual([false, false, false]);
    expect(await agent.exited).toEqual({code: null, signal: 'SIGKILL'});
  });

  test('finds a daemon whose parents exited and which dropped its environment', async () => {
    const agent = await started('sh', ['-c', 'env -i setsid sleep 300 & echo $!; cat > /dev/null']);
    const daemon = Number(await firstOutput(agent));
    await agent.stop();
    await expect.poll(() => lives(daemon)).toBe(false);
  });

  test('finds a daemon of an agent that exited long ago', async () => {
    const agent = await started('sh', ['-c', 'setsid sleep 300 > /dev/null 2>&1 < /dev/null & echo $!']);
    const daemon = Number(await firstOutput(agent));
    await agent.exited;
    expect(lives(daemon)).toBe(true);
    await agent.stop();
    await expect.poll(() => lives(daemon)).toBe(false);
  });

  test('finds a daemon that has left its session, lost its parent and dropped its environment', async () => {
    const agent = await started('sh', [
      '-c',
      `(setsid env -i sh -c 'echo $$; exec sleep 300 > /dev/null 2>&1 < /dev/null' &); cat > /dev/null`,
    ]);
    const daemon = Number(await firstOutput(agent));
    expect(agent.living()).toBeGreaterThan(0);
    await agent.stop();
    await expect.poll(() => lives(daemon)).toBe(false);
  });

  test('closes the output although a daemon keeps the pipe open', async () => {
    const agent = await started('sh', ['-c', 'echo last words; sleep 300 &']);
    expect(await allOutput(agent)).toBe('last words\n');
    await agent.stop();
  });
});

test('killNow kills the whole tree at once', async () => {
  const agent = await started(process.execPath, [FAKE_AGENT, 'stubborn']);
  await expect.poll(() => agent.stderrTail()).toMatch(/\n/);
  const pids: number[] = Object.values(JSON.parse(agent.stderrTail()));
  agent.killNow();
  await expect.poll(() => pids.map(lives)).toEqual([false, false, false]);
});
