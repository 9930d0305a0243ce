import {expect, test} from 'vitest';
import type {PermissionPrompt} from '../../../src/host/services.ts';
import {
  createPendingPermissions,
  type PendingPermissions,
  type WaitingRequest,
} from '../../../src/host/permissions/pending-permissions.ts';

const never = new AbortController().signal;
const prompt: PermissionPrompt = {
  request: {
    sessionId: 's',
    toolCall: {toolCallId: 't'},
    options: [
      {optionId: 'o', name: 'Yes', kind: 'allow_once'},
      {optionId: 'n', name: 'No', kind: 'reject_once'},
    ],
  },
};
const how: Parameters<PendingPermissions['ask']>[1] = {
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
};

/** A user who is asked; with what was reported about the requests. */
function asked() {
  const ids: string[] = [];
  const outdated: unknown[] = [];
  const resolved: unknown[] = [];
  const offered: string[] = [];
  const pending = createPendingPermissions({
    hasUser: true,
    listener: {
      requested: (id) => void ids.push(id),
      resolved: (...settled) => void resolved.push(settled),
      ruleOffered: (_id, rule) => void offered.push(rule),
      outdated: (_id, files) => void outdated.push(files),
    },
  });
  return {pending, ids, outdated, resolved, offered};
}

test('an approval whose files cannot be checked does not count, nor the next until that is known', async () => {
  const {pending, ids, outdated, resolved} = asked();
  const looks = [Promise.reject(new Error('EIO')), Promise.resolve('as shown' as const)];
  const settled = pending.ask(prompt, {...how, recheck: () => looks.shift()});
  void pending.answer(ids[0]!, {kind: 'option', index: 0, key: 'enter'});
  void pending.answer(ids[0]!, {kind: 'option', index: 0, key: 'enter'});
  await expect.poll(() => outdated).toEqual([[]]);
  expect(resolved).toEqual([]);
  void pending.answer(ids[0]!, {kind: 'option', index: 0, key: 'enter'});
  const {decision} = await settled;
  expect(decision.outcome).toBe('allowed');
  expect(resolved).toEqual([[ids[0], {sessionId: 's', toolCallId: 't'}, decision]]);
});

test('a rejection while an approval is still being checked counts, and the approval after it no longer', async () => {
  const {pending, ids, resolved} = asked();
  const check = Promise.withResolvers<'as shown'>();
  let times = 0;
  const settled = pending.ask(prompt, {...how, recheck: () => check.promise, onSettled: () => times++});
  void pending.answer(ids[0]!, {kind: 'option', index: 0, key: 'enter'});
  void pending.answer(ids[0]!, {kind: 'option', index: 1, key: '2'});
  expect((await settled).decision.outcome).toBe('rejected');
  check.resolve('as shown');
  await check.promise;
  await Promise.resolve();
  expect({times, resolved: resolved.length}).toEqual({times: 1, resolved: 1});
});

test('content of the user answers once, and only where it can be changed', async () => {
  const {pending, ids} = asked();
  const fixed = pending.ask(prompt, how);
  void pending.answer(ids[0]!, {kind: 'edited', content: 'mine'});
  void pending.answer(ids[0]!, {kind: 'cancelled'});
  expect((await fixed).decision).toEqual({outcome: 'cancelled', option: undefined, by: 'user'});
  const edits: string[] = [];
  const onEdited = async (content: string) => {
    edits.push(content);
    return {ok: true, value: 'allow_once'} as const;
  };
  const editable = pending.ask(prompt, {...how, onEdited});
  void pending.answer(ids[1]!, {kind: 'edited', content: 'mine'});
  void pending.answer(ids[1]!, {kind: 'edited', content: 'again'});
  expect((await editable).decision.outcome).toBe('allowed');
  expect(edits).toEqual(['mine']);
});

test('what is found out about a request is reported until it is answered', async () => {
  const {pending, ids, outdated, offered, resolved} = asked();
  let waiting: WaitingRequest | undefined;
  const settled = pending.ask(prompt, {...how, onAsked: (request) => (waiting = request)});
  waiting?.offer('edit a');
  waiting?.offer(undefined, [{path: '/a', why: 'changed'}]);
  void pending.answer(ids[0]!, {kind: 'rule', key: 'p'});
  expect(resolved).toEqual([]);
  void pending.answer(ids[0]!, {kind: 'option', index: 0, key: 'enter'});
  expect(await settled).toMatchObject({asRule: false, key: 'enter'});
  waiting?.offer('edit b', [{path: '/b', why: 'changed'}]);
  waiting?.refuse('a rule');
  expect({offered, outdated, times: resolved.length}).toEqual({
    offered: ['edit a'],
    outdated: [[{path: '/a', why: 'changed'}]],
    times: 1,
  });
});

test('what a rule refuses is no denial for want of a user', () => {
  const {pending} = asked();
  expect(pending.refuse(prompt, how).decision.outcome).toBe('rejected');
  expect(pending.denied()).toEqual([]);
});
