import {existsSync} from 'node:fs';
import {expect, test} from 'vitest';
import {codes} from '../../../src/host/services.ts';
import {useHosts} from './hosts.ts';

const {setUp, at} = useHosts();

/** A hook that has no opinion, and takes until it is released. */
function slowHook() {
  const asked = Promise.withResolvers<void>();
  const released = Promise.withResolvers<undefined>();
  return {
    asked: asked.promise,
    release: () => released.resolve(undefined),
    decideByHook: () => {
      asked.resolve();
      return released.promise;
    },
  };
}

test('nothing is written or started in a turn that is being cancelled, whatever allows it', async () => {
  const {write, run, terminals} = setUp({approval: 'all', isCancelling: () => true});
  expect(await write(at('a.txt'))).toBe(codes.cancelled);
  expect(await run('true')).toBe(codes.cancelled);
  expect(existsSync(at('a.txt'))).toBe(false);
  expect(terminals).toEqual([]);
});

test('a command that the agent withdraws while a hook decides is not started', async () => {
  const hook = slowHook();
  const {host, terminals} = setUp({approval: 'all', decideByHook: hook.decideByHook});
  const withdrawal = new AbortController();
  const answer = host.createTerminal({sessionId: 's', command: 'true'}, withdrawal.signal);
  await hook.asked;
  withdrawal.abort();
  hook.release();
  expect(await answer).toMatchObject({ok: false, code: codes.cancelled});
  expect(terminals).toEqual([]);
});

test('the level that decides is that of after the hook', async () => {
  const hook = slowHook();
  const {host, run, isWaiting, answer} = setUp({approval: 'all', decideByHook: hook.decideByHook});
  const outcome = run('true');
  await hook.asked;
  host.setApproval('none');
  hook.release();
  await expect.poll(isWaiting).toBe(true);
  await answer('reject_once');
  expect(await outcome).not.toBe('started');
});

test('hooks decide about all files of a request side by side', async () => {
  const asked: (string | undefined)[] = [];
  const released = Promise.withResolvers<undefined>();
  const decideByHook = async ({path}: {readonly path: string | undefined}) => {
    asked.push(path);
    return released.promise;
  };
  const {permission} = setUp({approval: 'all', decideByHook});
  const answered = permission({kind: 'edit', locations: [{path: at('a')}, {path: at('b')}]});
  await expect.poll(() => asked).toEqual([at('a'), at('b')]);
  released.resolve(undefined);
  expect(await answered).toBe('x-once');
});
