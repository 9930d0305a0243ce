import {execFileSync} from 'node:child_process';
import {chmod, mkdir, symlink, writeFile} from 'node:fs/promises';
import {describe, expect, test} from 'vitest';
import {MAX_PIECE_SIZE} from '../../../../src/host/terminals/output.ts';
import {LIMITS} from '../../../../src/shared/limits.ts';
import {useSandbox} from '../sandbox.ts';
import {never, outputWith, useTerminals, WAYS} from '../terminals.ts';

const sandbox = useSandbox();

describe.each(WAYS)('%s', (_way, load) => {
  const {setUp, create, run, refusal} = useTerminals(sandbox, load);
  const eol = load ? '\r\n' : '\n';

  describe('a command', () => {
    test('is executed with its arguments unchanged', async () => {
      const {output} = await run({command: 'printf', args: ['%s|', 'a b', '$HOME', '*', '']});
      expect(output).toBe('a b|$HOME|*||');
    });

    test('without arguments is a shell line if it has spaces or shell syntax', async () => {
      expect((await run({command: 'echo one; echo two | tr t T', args: []})).output).toBe('one\nTwo\n');
      expect((await run({command: 'pwd'})).output).toBe(`${sandbox.root}\n`);
    });

    test('without arguments is a program if it is the path of one, with spaces', async () => {
      const file = `${sandbox.root}/my tool; pwd`;
      await writeFile(file, '#!/bin/sh\necho mine\n', {mode: 0o755});
      expect((await run({command: file})).output).toBe('mine\n');
      expect((await run({command: './my tool; pwd', args: []})).output).toBe('mine\n');
    });

    test('reports its exit code', async () => {
      const {exit, exitStatus} = await run({command: 'exit 3'});
      expect(exit).toEqual({exitCode: 3, signal: null});
      expect(exitStatus).toEqual(exit);
    });

    test('reports the name of the signal that ended it', async () => {
      expect((await run({command: 'kill -9 $$'})).exit).toEqual({exitCode: null, signal: 'SIGKILL'});
    });

    test('gets no pager and no password prompt unless the agent sets them', async () => {
      const command = 'echo $PAGER $GIT_PAGER $GIT_TERMINAL_PROMPT $MINE $THEIRS';
      const env = {...process.env, PAGER: 'less', MINE: 'mine', THEIRS: 'mine'};
      expect((await run({command}, env)).output).toBe('cat cat 0 mine mine\n');
      const theirs = [
        {name: 'PAGER', value: 'more'},
        {name: 'THEIRS', value: 'theirs'},
      ];
      expect((await run({command, env: theirs}, env)).output).toBe('more cat 0 mine theirs\n');
    });

    test('runs in the requested folder, inside the workspace', async () => {
      await mkdir(`${sandbox.root}/sub`);
      expect((await run({command: 'pwd', cwd: `${sandbox.root}/sub`})).output).toBe(`${sandbox.root}/sub\n`);
      await symlink(sandbox.outside, `${sandbox.root}/out`);
      for (const cwd of ['sub', sandbox.outside, `${sandbox.root}/out`, `${sandbox.root}/none`, '/'])
        expect(await refusal({command: 'pwd', cwd})).toBe(-32602);
    });

    test('that does not exist or is not executable is rejected with a message', async () => {
      await writeFile(`${sandbox.root}/plain.sh`, 'echo hi\n');
      expect(await refusal({command: 'no-such-command-anywhere'})).toBe(-32002);
      expect(await refusal({command: './none.sh', args: ['x']})).toBe(-32002);
      expect(await refusal({command: './plain.sh', args: ['x']})).toBe(-32602);
      await chmod(`${sandbox.root}/plain.sh`, 0o755);
      expect((await run({command: './plain.sh', args: ['x']})).output).toBe('hi\n');
    });

    test('is rejected when it is empty or cannot be passed to the system', async () => {
      expect(await refusal({command: ''})).toBe(-32602);
      expect(await refusal({command: 'echo', args: ['a\0b']})).toBe(-32602);
      expect(await refusal({command: 'env', env: [{name: 'A=B', value: ''}]})).toBe(-32602);
      expect(await refusal({command: 'echo', args: ['x'.repeat(5_000_000)]})).toBe(-32603);
    });
  });

  describe('output', () => {
    test('contains both streams in the order in which they were printed', async () => {
      const {output} = await run({command: 'for i in 1 2 3 4 5; do echo o$i; echo e$i >&2; done'});
      expect(output).toBe('o1\ne1\no2\ne2\no3\ne3\no4\ne4\no5\ne5\n');
    });

    test('is cut from the front to the limit, at a character', async () => {
      const command = String.raw`printf '\303\251%.0s' 1 2 3 4 5`;
      expect(await run({command, outputByteLimit: 10})).toMatchObject({output: 'ééééé', truncated: false});
      expect(await run({command, outputByteLimit: 7})).toMatchObject({output: 'ééé', truncated: true});
      expect(await run({command, outputByteLimit: 0})).toMatchObject({output: '', truncated: true});
    });

    test('is plain text with LF, the last state of a line, and U+FFFD for invalid UTF-8', async () => {
      const {output} = await run({command: String.raw`printf 'a\r\n10%%\r99%%\n\033[31mb\033[0m\tc\377\n'`});
      expect(output).toBe('a\n99%\nb\tc\uFFFD\n');
    });

    test('is available while the command runs', async () => {
      execFileSync('mkfifo', [`${sandbox.root}/gate`]);
      const {terminals, received} = setUp();
      const command = 'echo early; cat gate; echo late';
      const id = await create(terminals, {command});
      expect(received[0]).toEqual(['created', id, {command, cwd: sandbox.root, pty: load !== undefined}]);
      expect(await outputWith(terminals, id, 'early')).toBe('early\n');
      expect(terminals.output(id)).not.toHaveProperty('value.exitStatus');
      await writeFile(`${sandbox.root}/gate`, 'open\n');
      expect(await outputWith(terminals, id, 'late')).toBe('early\nopen\nlate\n');
    });

    test('of an endless command comes in chunks of limited size, and its end is kept', async () => {
      const {terminals, received} = setUp();
      const id = await create(terminals, {command: 'yes', outputByteLimit: 100_000});
      await outputWith(terminals, id, 'y');
      const pieces = () => received.filter(([event]) => event === 'output');
      await expect.poll(() => pieces().length).toBeGreaterThan(30);
      expect(Math.max(...pieces().map(([, , data]) => String(data).length))).toBeLessThanOrEqual(
        MAX_PIECE_SIZE,
      );
      expect(terminals.output(id)).toMatchObject({ok: true, value: {truncated: true}});
    });

    test('reaches the listener whole when it is small, before the exit', async () => {
      const {terminals, received} = setUp();
      const id = await create(terminals, {command: 'echo a; echo b; exit 2'});
      await terminals.waitForExit(id, never);
      await expect.poll(() => received.at(-1)).toEqual(['exited', id, {code: 2, signal: null}]);
      const text = received.filter(([event]) => event === 'output').map(([, , data]) => data);
      expect(text.join('')).toBe(`a${eol}b${eol}`);
    });
  });
});

describe('at the limit of running commands', () => {
  const {setUp, create} = useTerminals(sandbox);

  test('a command is rejected, and works again when one exits', async () => {
    const {terminals, received} = setUp();
    const request = {command: 'exec sleep 1000'};
    const ids = await Promise.all(Array.from({length: LIMITS.terminals}, () => create(terminals, request)));
    const message = expect.stringContaining('64 commands are already running');
    for (const _ of [1, 2])
      expect(await terminals.create({sessionId: 's', ...request})).toMatchObject({ok: false, message});
    expect(received.filter(([event]) => event === 'limited')).toHaveLength(1);
    await terminals.kill(ids[0] ?? '');
    expect(await terminals.create({sessionId: 's', command: 'true'})).toMatchObject({ok: true});
  });
});
