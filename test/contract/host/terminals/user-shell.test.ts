import {existsSync, mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {describe, expect, onTestFinished, test} from 'vitest';
import type {ProcessExit} from '../../../../src/shared/failure.ts';
import {loadPty} from '../../../../src/host/terminals/command-process.ts';
import {createRoots} from '../../../../src/host/files/roots.ts';
import type {StartedCommand} from '../../../../src/host/services.ts';
import {createUserShell} from '../../../../src/host/shell/user-shell.ts';
import {createTerminals, openPty} from '../../../../src/host/terminals/terminals.ts';
import {isProcessRunning} from '../../../support/program/running.ts';

interface Ran extends StartedCommand {
  readonly id: string;
  output: string;
  exit: ProcessExit | undefined;
}

/** A user's shell whose commands are logged. */
function openShell({
  shell = '/bin/bash',
  pty = true,
  temporary,
}: {readonly shell?: string; readonly pty?: boolean; readonly temporary?: string} = {}) {
  const cwd = realpathSync(mkdtempSync(join(tmpdir(), 'acp-tui-user-shell-')));
  const commands: Ran[] = [];
  const waiting = new Set<() => void>();
  const changed = () => waiting.forEach((check) => check());
  const find = (id: string) => commands.find((command) => command.id === id)!;
  const env = {...process.env, SHELL: shell, TMPDIR: temporary ?? cwd};
  const terminals = createTerminals({
    roots: createRoots(cwd, []),
    env,
    pty: pty ? openPty(loadPty, {withoutPty: expect.unreachable}) : undefined,
    listener: {
      created: (id, started) => void commands.push({...started, id, output: '', exit: undefined}),
      withoutPty: () => {},
      limited: () => {},
      output(id, data) {
        find(id).output += data;
        changed();
      },
      exited(id, exit) {
        find(id).exit = exit;
        changed();
      },
      released: () => {},
    },
  });
  const user = createUserShell({cwd, env, terminals});
  onTestFinished(async () => {
    await user.close();
    rmSync(cwd, {recursive: true, force: true, maxRetries: 5});
  });

  function until(holds: () => boolean): Promise<void> {
    return new Promise((resolve) => {
      const check = () => {
        if (!holds()) return;
        waiting.delete(check);
        resolve();
      };
      waiting.add(check);
      check();
    });
  }

  async function start(command: string): Promise<Ran> {
    expect(await user.run(command)).toEqual({ok: true, value: undefined});
    return commands.at(-1)!;
  }

  return {
    user,
    cwd,
    until,
    start,
    /** Runs it until it ends; returns its output in lines. */
    ran: async (command: string): Promise<string> => {
      const started = await start(command);
      await until(() => started.exit !== undefined);
      return started.output.replaceAll('\r\n', '\n').trimEnd();
    },
    last: () => commands.at(-1)!,
  };
}

const shells = ['/bin/bash', '/bin/sh', '/usr/bin/zsh', '/usr/bin/fish'].filter((shell) => existsSync(shell));

describe.each(shells)('the user’s own shell, %s', (shell) => {
  const isFish = shell.endsWith('fish');

  test('keeps folder and environment from one command to the next', async () => {
    const {ran, cwd, last} = openShell({shell});
    mkdirSync(join(cwd, 'sub folder'));
    await ran('cd "sub folder"');
    expect(await ran('pwd')).toBe(join(cwd, 'sub folder'));
    expect(last().cwd).toBe(join(cwd, 'sub folder'));
    await ran(
      isFish
        ? `set -gx GREETING "two'
lines"`
        : `export GREETING="two'
lines"; unset SECRET`,
    );
    expect(await ran('printf "%s|" "$GREETING"')).toBe("two'\nlines|");
    expect(await ran('cd .. && pwd')).toBe(cwd);
  });

  test('reports the exit code of the command, and keeps state after an `exit`', async () => {
    const {ran, last, cwd} = openShell({shell});
    await ran('false');
    expect(last().exit).toEqual({code: 1, signal: null});
    await ran('cd /; exit 3');
    expect(last().exit).toEqual({code: 3, signal: null});
    expect(await ran('pwd')).toBe('/');
    await ran('true');
    expect(last().exit).toEqual({code: 0, signal: null});
    await ran('if then (');
    expect(last().exit?.code).not.toBe(0);
    expect(await ran(`cd '${cwd}'; echo on`)).toBe('on');
  });
});

test('keeps them if the variable of temporary files is empty', async () => {
  const {ran} = openShell({temporary: ''});
  await ran('export GREETING=hello');
  expect(await ran('echo $GREETING')).toBe('hello');
});

test('keeps functions and aliases, too, if the shell can list them', async () => {
  const {ran} = openShell();
  await ran('greet() { echo "hello $1"; }; alias hi=greet');
  expect(await ran('hi you')).toBe('hello you');
  await ran('unalias hi; unset -f greet');
  expect(await ran('type greet hi 2>/dev/null | wc -l')).toBe('0');
});

test('queues a command typed after another, and runs one beside a background command', async () => {
  const {user, until, last, ran, cwd} = openShell();
  mkdirSync(join(cwd, 'sub'));
  void user.run('sleep 0.2; cd sub');
  expect(await ran('pwd')).toBe(join(cwd, 'sub'));
  await user.run('cd /; echo serving; sleep 300');
  const server = last();
  await until(() => server.output.includes('serving'));
  await ran('export BESIDE=1');
  user.interrupt(server.id);
  await until(() => server.exit !== undefined);
  expect(server.exit?.code).not.toBe(0);
  // A late end reverted nothing.
  expect(await ran('echo $BESIDE')).toBe('1');
});

test.each([true, false])('Ctrl+C interrupts what runs in the foreground (in a terminal: %s)', async (pty) => {
  const {start, user, until} = openShell({pty});
  const ran = await start(`trap 'echo got INT; exit 7' INT; echo ready; while :; do sleep 0.1; done`);
  await until(() => ran.output.includes('ready'));
  user.interrupt(ran.id);
  await until(() => ran.exit !== undefined);
  expect(ran.output).toContain('got INT');
  expect(ran.exit).toEqual({code: 7, signal: null});
});

test('a command that reads gets typed input', async () => {
  const {start, user, until} = openShell();
  const ran = await start('printf "Name? "; read name; echo "hello $name"');
  await until(() => ran.output.includes('Name? '));
  user.terminals.type(ran.id, 'Ada\r');
  await until(() => ran.exit !== undefined);
  expect(ran.output).toContain('hello Ada');
});

test('a flood of output is read, and its end is kept', async () => {
  const {ran, last} = openShell();
  expect(await ran('seq 1 300000; echo "the end"')).toMatch(/the end$/);
  expect(last().exit?.code).toBe(0);
});

test('a deleted folder does not end the shell: it continues in the nearest parent', async () => {
  const {ran, cwd} = openShell();
  mkdirSync(join(cwd, 'a/b'), {recursive: true});
  await ran('cd a/b');
  rmSync(join(cwd, 'a'), {recursive: true});
  expect(await ran('pwd')).toBe(cwd);
});

test('closing stops all processes of commands, also in the background, and leaves no file', async () => {
  const {start, until, user, cwd} = openShell();
  const stubborn = `trap '' HUP TERM INT; while :; do sleep 1; done`;
  const ran = await start(
    `(${stubborn}) & a=$!; setsid sh -c "${stubborn}" & b=$!; echo pids $$ $a $b end; sleep 300`,
  );
  await until(() => /pids .* end/.test(ran.output));
  const pids = /pids (\d+) (\d+) (\d+) end/.exec(ran.output)!.slice(1).map(Number);
  expect(pids.map(isProcessRunning)).toEqual([true, true, true]);
  await user.close();
  expect(pids.map(isProcessRunning)).toEqual([false, false, false]);
  expect(readdirSync(cwd)).toEqual([]);
});

test('a command that waits for another is not started once the shell is closed', async () => {
  const {user, start, cwd, last} = openShell();
  const first = await start('sleep 300');
  const later = [user.run('touch waited'), user.run('touch waited-longer')];
  await user.close();
  later.push(user.run('touch late'));
  for (const each of await Promise.all(later)) expect(each).toMatchObject({message: 'The session ended.'});
  expect(last()).toBe(first);
  expect(readdirSync(cwd)).toEqual([]);
});

test('reports when its files cannot be created, and does nothing else', async () => {
  // Nobody can create a folder below a file, not even root.
  const temporary = join(import.meta.filename, 'folder');
  const {user} = openShell({temporary});
  expect(await user.run('true')).toMatchObject({ok: false, message: expect.stringContaining(temporary)});
});

test('a close that cannot wait kills at once, and leaves no file either', async () => {
  const {start, until, user, cwd} = openShell();
  const ran = await start('echo pid $$ end; sleep 300');
  await until(() => / end/.test(ran.output));
  user.killNow();
  await until(() => ran.exit !== undefined);
  expect(ran.exit).toEqual({code: null, signal: 'SIGKILL'});
  expect(readdirSync(cwd)).toEqual([]);
});

test('commands see none of its internals, and no file contains secrets', async () => {
  const {ran, cwd} = openShell();
  await ran('export TOKEN=secret');
  expect(await ran('echo "$# $*"; env | grep -c __acp_tui')).toBe('0 \n0');
  expect(await ran(`grep -rl secret '${cwd}' || echo none`)).toBe('none');
});
