import {readdirSync, readlinkSync} from 'node:fs';
import {describe, expect, test} from 'vitest';
import {loadPty} from '../../../../src/host/terminals/command-process.ts';
import {isProcessRunning} from '../../../support/program/running.ts';
import {useSandbox} from '../sandbox.ts';
import {never, outputWith, useTerminals} from '../terminals.ts';

const sandbox = useSandbox();

/** How many pseudo-terminals this process holds; others on the machine come and go. */
function openTerminals(): number {
  return readdirSync('/proc/self/fd').filter((name) => target(name) === '/dev/ptmx').length;
}

/** Undefined for one closed meanwhile. */
function target(name: string): string | undefined {
  try {
    return readlinkSync(`/proc/self/fd/${name}`);
  } catch {
    return undefined;
  }
}

describe('a command in a pseudo-terminal', () => {
  const {setUp, create, run} = useTerminals(sandbox, loadPty);

  test('has a terminal of 80 by 24 on all its streams, and leads a session', async () => {
    const {output} = await run({
      command: 'test -t 0 && test -t 1 && test -t 2 && stty size && echo $TERM && cat /proc/$$/stat',
    });
    const [size, term, stat = ''] = output.split('\n');
    expect([size, term]).toEqual(['24 80', 'xterm-256color']);
    const [pid, , , , group, session] = stat.split(' ');
    expect([group, session]).toEqual([pid, pid]);
  });

  test('can get another TERM from the agent', async () => {
    expect((await run({command: 'echo $TERM', env: [{name: 'TERM', value: 'dumb'}]})).output).toBe('dumb\n');
  });

  test('gives its listener what it printed, and its agent plain text', async () => {
    const {terminals, received} = setUp();
    const id = await create(terminals, {command: String.raw`printf '\033[31mred\033[0m\n'`});
    await terminals.waitForExit(id, never);
    const reported = received.filter(([event]) => event === 'output').map(([, , data]) => data);
    expect(reported.join('')).toBe('\x1b[31mred\x1b[0m\r\n');
    expect(terminals.output(id)).toMatchObject({value: {output: 'red\n'}});
  });

  test('gets typed input, and is interrupted with Ctrl+C', async () => {
    const {terminals} = setUp();
    const id = await create(terminals, {
      command: 'printf "Name? "; read name; echo "hello $name"; sleep 300',
    });
    await outputWith(terminals, id, 'Name? ');
    terminals.type(id, 'Ada\r');
    expect(await outputWith(terminals, id, 'hello Ada\n')).toBe('Name? Ada\nhello Ada\n');
    terminals.type(id, '\x03');
    expect(await terminals.waitForExit(id, never)).toMatchObject({value: {signal: 'SIGINT'}});
    // Nothing listens any more.
    terminals.type(id, 'x');
  });

  test('is detected as waiting for input while it reads, and not while it works', async () => {
    const {terminals} = setUp();
    const asking = await create(terminals, {command: 'read name'});
    await expect.poll(() => terminals.awaitsInput(asking)).toBe(true);
    const busy = await create(terminals, {command: 'echo ready; sleep 300'});
    await outputWith(terminals, busy, 'ready');
    expect(terminals.awaitsInput(busy)).toBe(false);
    terminals.type(asking, 'x\r');
    await terminals.waitForExit(asking, never);
    expect(terminals.awaitsInput(asking)).toBe(false);
  });

  test('leaves no child behind when it exits and is released, whatever they did', async () => {
    const {terminals} = setUp();
    const stubborn = `trap '' HUP TERM INT; while :; do sleep 1; done`;
    const command = `(${stubborn}) & echo $!; setsid sh -c "${stubborn}" & echo $!; nohup sleep 300 >/dev/null 2>&1 & echo $! end`;
    const id = await create(terminals, {command});
    const pids = (await outputWith(terminals, id, 'end')).match(/^\d+/gm)!.map(Number);
    await terminals.waitForExit(id, never);
    await terminals.release(id);
    expect(pids).toHaveLength(3);
    expect(pids.filter(isProcessRunning)).toEqual([]);
  });

  test('restores the terminal it had', async () => {
    const {terminals} = setUp();
    const before = openTerminals();
    for (let round = 0; round < 5; round++) {
      const id = await create(terminals, {command: 'echo x'});
      await terminals.waitForExit(id, never);
      await terminals.release(id);
    }
    await expect.poll(openTerminals).toBeLessThanOrEqual(before);
  });
});

describe('a command with pipes', () => {
  const {setUp, create, run} = useTerminals(sandbox);

  test('has no input, and waits for none', async () => {
    expect((await run({command: 'cat; test -t 1 || echo done'})).output).toBe('done\n');
    const {terminals} = setUp();
    const id = await create(terminals, {command: 'echo ready; sleep 300'});
    await outputWith(terminals, id, 'ready');
    terminals.type(id, '\x03');
    expect(terminals.awaitsInput(id)).toBe(false);
    expect(terminals.output(id)).not.toHaveProperty('value.exitStatus');
  });
});

describe('without loadable pseudo-terminals', () => {
  const {setUp, create} = useTerminals(sandbox, async () => {
    throw new Error('no binary for this system\nlong explanation');
  });

  test('commands run with pipes, which is reported once', async () => {
    const {terminals, received} = setUp();
    for (const word of ['one', 'two']) {
      const id = await create(terminals, {command: `test -t 1 || echo ${word}`});
      await terminals.waitForExit(id, never);
      expect(terminals.output(id)).toMatchObject({value: {output: `${word}\n`}});
    }
    expect(received.filter(([event]) => event === 'withoutPty')).toEqual([
      ['withoutPty', '', 'no binary for this system'],
    ]);
  });
});

describe('without free pseudo-terminals', () => {
  const {run} = useTerminals(sandbox, async () => () => {
    throw new Error('forkpty(3) failed.');
  });

  test('a command runs with pipes', async () => {
    expect((await run({command: 'test -t 1 || echo pipe'})).output).toBe('pipe\n');
  });
});
