import {describe, expect, test} from 'vitest';
import {isProcessRunning} from '../../../support/program/running.ts';
import {useSandbox} from '../sandbox.ts';
import {never, outputWith, useTerminals, WAYS} from '../terminals.ts';

const sandbox = useSandbox();
/** Prints its process IDs and stays: itself, a background child, and a child in its own session. */
const FAMILY = "sleep 300 & echo $$ $!; setsid sh -c 'echo $$ end; exec sleep 300' & wait";

describe.each(WAYS)('%s', (_way, load) => {
  const {setUp, create} = useTerminals(sandbox, load);

  async function startFamily() {
    const {terminals, received} = setUp();
    const id = await create(terminals, {command: FAMILY});
    const pids = (await outputWith(terminals, id, 'end')).match(/\d+/g)!.map(Number);
    expect(pids.map(isProcessRunning)).toEqual([true, true, true]);
    return {terminals, received, id, pids};
  }

  describe('killing a command', () => {
    test('stops all its processes, and keeps the terminal', async () => {
      const {terminals, id, pids} = await startFamily();
      expect(await terminals.kill(id)).toEqual({ok: true, value: {}});
      expect(pids.filter(isProcessRunning)).toEqual([]);
      const exitStatus = {exitCode: null, signal: 'SIGTERM'};
      expect(terminals.output(id)).toMatchObject({
        value: {exitStatus, output: expect.stringContaining('end')},
      });
      expect(await terminals.waitForExit(id, never)).toEqual({ok: true, value: exitStatus});
      expect(await terminals.release(id)).toMatchObject({ok: true});
    });

    test('does not need its consent', async () => {
      const {terminals} = setUp();
      const id = await create(terminals, {command: 'trap "" TERM; echo ready; while :; do sleep 300; done'});
      await outputWith(terminals, id, 'ready');
      await terminals.kill(id);
      expect(await terminals.waitForExit(id, never)).toMatchObject({value: {signal: 'SIGKILL'}});
    });

    test('that has exited is no error', async () => {
      const {terminals} = setUp();
      const id = await create(terminals, {command: 'true'});
      await terminals.waitForExit(id, never);
      expect(await terminals.kill(id)).toMatchObject({ok: true});
      expect(terminals.output(id)).toMatchObject({value: {exitStatus: {exitCode: 0, signal: null}}});
    });
  });

  describe('releasing a terminal', () => {
    test('stops all its processes, and frees its ID', async () => {
      const {terminals, received, id, pids} = await startFamily();
      const waiting = terminals.waitForExit(id, never);
      await terminals.release(id);
      expect(pids.filter(isProcessRunning)).toEqual([]);
      expect(await waiting).toMatchObject({ok: true, value: {signal: 'SIGTERM'}});
      expect(received.map(([event]) => event).filter((event) => event !== 'output')).toEqual([
        'created',
        'released',
        'exited',
      ]);
      const answers = [
        terminals.output(id),
        await terminals.waitForExit(id, never),
        await terminals.kill(id),
        await terminals.release(id),
        terminals.output('term_never'),
      ];
      for (const answer of answers) expect(answer).toMatchObject({ok: false, code: -32002});
    });

    test('stops what the command left running', async () => {
      const {terminals} = setUp();
      const id = await create(terminals, {command: 'trap "" HUP; sleep 300 > /dev/null 2>&1 & echo $!'});
      await terminals.waitForExit(id, never);
      const pid = Number.parseInt(await outputWith(terminals, id, '\n'), 10);
      expect(isProcessRunning(pid)).toBe(true);
      await terminals.release(id);
      expect(isProcessRunning(pid)).toBe(false);
    });
  });

  describe('waiting for the exit', () => {
    test('ends with the command, even if a background child keeps its output open', async () => {
      const {terminals} = setUp();
      const id = await create(terminals, {command: 'trap "" HUP; sleep 300 & echo done'});
      expect(await terminals.waitForExit(id, never)).toEqual({ok: true, value: {exitCode: 0, signal: null}});
      expect(terminals.output(id)).toMatchObject({value: {output: 'done\n'}});
    });

    test('ends with the command, even if a background child prints endlessly', async () => {
      const {terminals} = setUp();
      const id = await create(terminals, {command: 'trap "" HUP; yes & echo $!'});
      expect(await terminals.waitForExit(id, never)).toMatchObject({value: {exitCode: 0}});
    });

    test('can be cancelled without affecting the command', async () => {
      const {terminals} = setUp();
      const id = await create(terminals, {command: 'cat; sleep 300'});
      const withdrawal = new AbortController();
      const waiting = terminals.waitForExit(id, withdrawal.signal);
      withdrawal.abort();
      expect(await waiting).toMatchObject({ok: false, code: -32800});
      expect(terminals.output(id)).not.toHaveProperty('value.exitStatus');
    });
  });

  describe('the end of a session', () => {
    test('leaves no process behind, answers waits with -32800, and lets a new one start', async () => {
      const {terminals, id, pids} = await startFamily();
      const waiting = terminals.waitForExit(id, never);
      await terminals.closeAll();
      expect(pids.filter(isProcessRunning)).toEqual([]);
      expect(await waiting).toMatchObject({ok: false, code: -32800});
      const next = await create(terminals, {command: 'true'});
      expect(await terminals.waitForExit(next, never)).toMatchObject({value: {exitCode: 0}});
    });

    test('keeps a just requested command from starting', async () => {
      const {terminals, received} = setUp();
      const creating = terminals.create({sessionId: 's', command: 'sleep 300'});
      await terminals.closeAll();
      expect(await creating).toMatchObject({ok: false, code: -32800});
      expect(received).toEqual([]);
    });

    test('kills everything at once if it cannot wait', async () => {
      const {terminals, pids} = await startFamily();
      terminals.killAllNow();
      await expect.poll(() => pids.filter(isProcessRunning)).toEqual([]);
    });
  });
});
