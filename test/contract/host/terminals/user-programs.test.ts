import {spawn} from 'node:child_process';
import {existsSync, readFileSync} from 'node:fs';
import {join} from 'node:path';
import {describe, expect, onTestFinished, test} from 'vitest';
import {startUserProgram} from '../../../../src/host/shell/user-program.ts';
import {temporaryFolder} from '../../../support/folders/temporary-folder.ts';
import {isProcessRunning} from '../../../support/program/running.ts';

/** Runs a line of shell in a folder of its own; `pids` are the numbers in the file `pids` there. */
function start(command: string, limitMs = 30_000, leavesRunning = false) {
  const cwd = temporaryFolder();
  const file = join(cwd, 'pids');
  const {env: environment} = process;
  const how = {environment, sandbox: undefined, input: '', limitMs, leavesRunning};
  const program = startUserProgram({command, cwd, ...how});
  const pids = () =>
    existsSync(file) ? readFileSync(file, 'utf8').split('\n').filter(Boolean).map(Number) : [];
  onTestFinished(() => pids().forEach(killIfAlive));
  return {...program, pids};
}

function killIfAlive(pid: number): void {
  if (isProcessRunning(pid)) process.kill(pid, 'SIGKILL');
}

/** Keeps both processors busy until the test ends. */
function keepBusy(): void {
  for (const _ of [1, 2]) {
    const loop = spawn('/bin/sh', ['-c', 'while :; do :; done'], {stdio: 'ignore'});
    onTestFinished(() => void loop.kill('SIGKILL'));
  }
}

/** Writes its number down, and lives on. */
const LIVES = 'echo $$ >> pids; exec sleep 300';

/** How a program leaves something behind: in a session of its own, with an empty environment, without a parent. */
const LEAVES = {
  'at once': `setsid env -i sh -c '${LIVES}' &`,
  'by two forks': `(setsid env -i sh -c "(sh -c '${LIVES}' > /dev/null 2>&1 < /dev/null &)" &)`,
  'out of a program that uses descriptors of its own': `exec 3>&1 9>&2; (setsid env -i sh -c '${LIVES}' &)`,
  'out of Node': `${process.execPath} -e "require('child_process').spawn('/usr/bin/env', ['-i', '/bin/sh', '-c', 'echo \\$\\$ >> pids; exec sleep 300'], {detached: true, stdio: 'ignore'}).unref()"`,
};

const UNTIL_WRITTEN = 'while [ ! -s pids ]; do sleep 0.01; done';

describe.runIf(process.platform === 'linux')('what a program of the user leaves behind', () => {
  test.each(Object.entries(LEAVES))('%s ends with it, beside busy processes', async (_how, leaving) => {
    keepBusy();
    const {ended, pids} = start(`${leaving}\n${UNTIL_WRITTEN}; echo done`);
    expect(await ended).toEqual({exitCode: 0, stdout: 'done', stderr: ''});
    expect(pids()).toHaveLength(1);
    await expect.poll(() => pids().filter(isProcessRunning)).toEqual([]);
  });

  test.each(Object.entries(LEAVES))('%s ends at its time limit', async (_how, leaving) => {
    const {ended, pids} = start(`${leaving}\n${UNTIL_WRITTEN}; exec sleep 300`, 1500);
    expect(await ended).toEqual({problem: 'It did not end within 1.5 s.'});
    expect(pids()).toHaveLength(1);
    await expect.poll(() => pids().filter(isProcessRunning)).toEqual([]);
  });

  test('goes on if it may and the program has succeeded, and ends if it has failed', async () => {
    const leaves = `setsid sh -c '${LIVES}' &\n${UNTIL_WRITTEN}`;
    const [good, bad] = [start(leaves, 30_000, true), start(`${leaves}; exit 3`, 30_000, true)];
    expect([await good.ended, await bad.ended]).toMatchObject([{exitCode: 0}, {exitCode: 3}]);
    await expect.poll(() => bad.pids().filter(isProcessRunning)).toEqual([]);
    expect(good.pids().filter(isProcessRunning)).toHaveLength(1);
  });

  test('ends also if each process is gone before all were looked at, since it has started the next one', async () => {
    const link = 'echo $$ >> pids; [ $(wc -l < pids) -gt 1000 ] && exec sleep 300; setsid sh ./link &';
    const chains: ReturnType<typeof start>[] = [];
    for (const _ of [1, 2, 3, 4, 5]) {
      const chain = start(`echo '${link}' > link; setsid env -i sh ./link & exec sleep 300`);
      chains.push(chain);
      await expect.poll(() => chain.pids().length, {timeout: 20_000, interval: 5}).toBeGreaterThan(5);
      chain.kill();
      await chain.ended;
    }
    const lengths = chains.map(({pids}) => pids().length);
    expect(Math.max(...lengths)).toBeLessThan(1000);
    await expect.poll(() => chains.flatMap(({pids}) => pids().filter(isProcessRunning))).toEqual([]);
    expect(chains.map(({pids}) => pids().length)).toEqual(lengths);
  });

  test('leaves no file of it in the temporary folder', async () => {
    const {ended} = start('ls /proc/$$/fd; readlink /proc/$$/fd/20');
    const end = await ended;
    expect(end).toMatchObject({
      exitCode: 0,
      stdout: expect.stringMatching(/acp-tui-leash-\S+ \(deleted\)$/) as string,
    });
  });
});
