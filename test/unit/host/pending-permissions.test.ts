import {expect, test} from 'vitest';
import {createPendingPermissions} from '../../../src/host/permissions/pending-permissions.ts';

test('an approval whose files cannot be checked does not count, and can be repeated', async () => {
  const ids: string[] = [];
  const outdated: unknown[] = [];
  const pending = createPendingPermissions({
    hasUser: true,
    listener: {
      requested: (id) => void ids.push(id),
      resolved: () => undefined,
      ruleOffered: () => undefined,
      outdated: (_id, files) => void outdated.push(files),
    },
  });
  const looks = [Promise.reject(new Error('EIO')), Promise.resolve('as shown' as const)];
  const never = new AbortController().signal;
  const settled = pending.ask(
    {
      request: {
        sessionId: 's',
        toolCall: {toolCallId: 't'},
        options: [{optionId: 'o', name: 'Yes', kind: 'allow_once'}],
      },
    },
    {
      withdrawn: never,
      cancelled: never,
      by: 'test',
      denied: {
        method: 'session/request_permission',
        title: 't',
        kind: 'edit',
        toolCallId: 't',
        sessionId: 's',
        allowedBy: undefined,
      },
      recheck: () => looks.shift(),
    },
  );
  pending.answer(ids[0]!, {kind: 'option', index: 0, key: 'enter'});
  await expect.poll(() => outdated).toEqual([[]]);
  pending.answer(ids[0]!, {kind: 'option', index: 0, key: 'enter'});
  expect((await settled).decision.outcome).toBe('allowed');
});
