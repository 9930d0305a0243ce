import {spawn, type ChildProcess} from 'node:child_process';
import {once} from 'node:events';
import {createInterface} from 'node:readline';
import {afterEach, describe, expect, test} from 'vitest';
import {createMarker, descendants, endTree, killTree} from '../../../../src/shared/processes/process-tree.ts';
import {isProcessRunning} from '../../../support/program/running.ts';

const started: ProcessTreeUnderTest[] = [];

interface ProcessTreeUnderTest {
  readonly pid: number;
  readonly marker: string;
  readonly child: ChildProcess;
}

/** Runs a script as a process tree of its own; resolves when it has printed this many lines. */
async function start(script: string, lines = 1): Promise<ProcessTreeUnderTest & {printed: string[]}> {
  const marker = createMarker();
  const child = spawn('/bin/sh', ['-c', script], {
    detached: true,
    stdio: ['ignore', 'pipe', 'ignore'],
    env: {...process.env, [marker]: '1'},
  });
  const tree = {pid: child.pid!, marker, child};
  started.push(tree);
  const printed: string[] = [];
  for await (const line of createInterface({input: child.stdout})) {
    printed.push(line);
    if (printed.length === lines) break;
  }
  return {...tree, printed};
}

afterEach(() => {
  for (const tree of started.splice(0)) killTree({...tree, signal: 'SIGKILL'});
});

describe.runIf(process.platform === 'linux')('a process tree', () => {
  test('stops with its background children', async () => {
    const tree = await start('sleep 300 & echo $!; sleep 300');
    const background = Number(tree.printed[0]);
    expect(descendants(tree).map(({pid}) => pid)).toContain(background);
    await endTree(tree, {graceMs: 5000});
    expect(isProcessRunning(background)).toBe(false);
    expect(descendants(tree)).toEqual([]);
  });

  test('stops with a child that started its own session after its parent exited', async () => {
    const tree = await start('setsid sh -c "echo \\$\\$; exec sleep 300" & wait');
    const daemon = Number(tree.printed[0]);
    const exited = once(tree.child, 'exit');
    process.kill(-tree.pid, 'SIGKILL');
    await exited;
    expect(isProcessRunning(daemon)).toBe(true);
    await endTree(tree, {graceMs: 5000});
    expect(isProcessRunning(daemon)).toBe(false);
  });

  test('stops with a stubborn child in its own session and without the marker, while its parent runs', async () => {
    const ignores = String.raw`trap '' TERM; echo \$\$; while :; do sleep 0.1; done`;
    const tree = await start(`setsid env -i PATH="$PATH" sh -c "${ignores}" & wait`);
    await endTree(tree, {graceMs: 50});
    expect(isProcessRunning(Number(tree.printed[0]))).toBe(false);
  });

  test('can be stopped without children in their own sessions', async () => {
    const {pid, printed, marker} = await start('setsid sh -c "echo \\$\\$; exec sleep 300" & wait');
    await endTree({pid, marker, sparesOtherSessions: true}, {graceMs: 0});
    expect(isProcessRunning(Number(printed[0]))).toBe(true);
  });

  test('is killed when it ignores SIGTERM', async () => {
    const tree = await start('trap "" TERM; echo ready; while :; do sleep 300; done');
    expect(await endTree(tree, {graceMs: 50})).toBe(true);
    expect(descendants(tree)).toEqual([]);
  });

  test('stops with what it forks into other sessions while it is being killed', async () => {
    const tree = await start(
      'setsid sh -c "while :; do setsid sleep 300 & done" & echo ready; exec sleep 300',
    );
    await expect.poll(() => descendants(tree).length).toBeGreaterThan(10);
    killTree({...tree, signal: 'SIGKILL'});
    await expect.poll(() => descendants(tree)).toEqual([]);
  });

  test('gets SIGTERM once, however its processes are found', async () => {
    const tree = await start('trap "echo term" TERM; echo ready; while :; do sleep 0.05; done');
    const lines: string[] = [];
    createInterface({input: tree.child.stdout!}).on('line', (line) => lines.push(line));
    killTree({...tree, signal: 'SIGTERM'});
    await expect.poll(() => lines).toEqual(['term']);
    await endTree(tree, {graceMs: 0});
    expect(lines.length).toBeLessThanOrEqual(2);
  });

  test('does not affect other trees', async () => {
    const [mine, other] = [await start('echo; exec sleep 300'), await start('echo; exec sleep 300')];
    await endTree(mine, {graceMs: 5000});
    expect(isProcessRunning(other.pid)).toBe(true);
  });

  test('rejects the process IDs that mean "everybody"', () => {
    for (const pid of [0, 1, -5, Number.NaN])
      expect(() => killTree({pid, signal: 'SIGTERM'})).toThrow(RangeError);
  });
});
