import {expect, test} from 'vitest';
import type {PermissionPrompt} from '../../../src/host/services.ts';
import {
  createPendingPermissions,
  type PendingPermissions,
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
  const offered: (string | undefined)[] = [];
  const pending = createPendingPermissions({
    hasUser: true,
    listener: {
      requested: (id) => void ids.push(id),
      resolved: (...settled) => void resolved.push(settled),
      offered: (_id, {rule}) => void offered.push(rule),
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

const outdatedFile = (path: string) => ({path, why: 'changed'}) as const;
type Evaluated = Awaited<ReturnType<NonNullable<(typeof how)['changes']>['evaluate']>>;

/** A request that the agent changes; its evaluations end when the test wants. */
function askedWithChanges() {
  const evaluations: PromiseWithResolvers<Evaluated>[] = [];
  let changed = () => {};
  const opened = asked();
  const settled = opened.pending.ask(prompt, {
    ...how,
    changes: {
      follow: (callback) => (changed = callback),
      evaluate() {
        evaluations.push(Promise.withResolvers());
        return evaluations.at(-1)!.promise;
      },
    },
  });
  const evaluated = async (index: number, result: Partial<Evaluated>) => {
    evaluations[index]!.resolve({offered: {}, outdated: [], ...result});
    await evaluations[index]!.promise;
    await Promise.resolve();
  };
  const answer = (answer: Parameters<PendingPermissions['answer']>[1]) =>
    opened.pending.answer(opened.ids[0]!, answer);
  return {...opened, settled, change: () => changed(), evaluated, evaluations, answer};
}

test('what is found out about a changed request is reported until it is answered', async () => {
  const {change, evaluated, answer, settled, offered, outdated, resolved} = askedWithChanges();
  change();
  await evaluated(0, {offered: {rule: 'edit a'}});
  change();
  expect(await answer({kind: 'rule', key: 'p'})).toMatchObject({ok: false});
  await evaluated(1, {outdated: [outdatedFile('/a')]});
  expect(await answer({kind: 'rule', key: 'p'})).toMatchObject({ok: false});
  expect(resolved).toEqual([]);
  change();
  void answer({kind: 'option', index: 0, key: 'enter'});
  expect(await settled).toMatchObject({asRule: false, key: 'enter'});
  await evaluated(2, {offered: {rule: 'edit b'}, outdated: [outdatedFile('/b')], refusedBy: 'a rule'});
  expect({offered, outdated, times: resolved.length}).toEqual({
    offered: ['edit a', undefined],
    outdated: [[outdatedFile('/a')]],
    times: 1,
  });
});

test('only what is found out about its newest version counts', async () => {
  const {change, evaluated, evaluations, answer, settled, offered, resolved} = askedWithChanges();
  change();
  change();
  await evaluated(1, {offered: {rule: 'edit new'}});
  await evaluated(0, {offered: {rule: 'edit old'}, refusedBy: 'a rule'});
  expect([offered, resolved]).toEqual([['edit new'], []]);
  change();
  evaluations[2]!.reject(new Error('EIO'));
  expect(await answer({kind: 'rule', key: 'p'})).toMatchObject({ok: false});
  change();
  await evaluated(3, {refusedBy: 'a rule'});
  expect((await settled).decision).toEqual({outcome: 'rejected', option: 'No', by: 'a rule'});
});

test('an answer counts only if none is being carried out that it contradicts', async () => {
  const {pending, ids} = asked();
  const [check, edit] = [
    Promise.withResolvers<'as shown'>(),
    Promise.withResolvers<{ok: true; value: 'allow_once'}>(),
  ];
  const edits: string[] = [];
  const onEdited = (content: string) => {
    edits.push(content);
    return edit.promise;
  };
  const yes = {kind: 'option', index: 0} as const;
  const no = {kind: 'option', index: 1} as const;
  const mine = {kind: 'edited', content: 'mine'} as const;
  const taken = {ok: true};
  const checked = pending.ask(prompt, {...how, recheck: () => check.promise, onEdited});
  expect(await pending.answer(ids[0]!, yes)).toMatchObject(taken);
  expect(await pending.answer(ids[0]!, yes)).not.toMatchObject(taken);
  expect(await pending.answer(ids[0]!, mine)).not.toMatchObject(taken);
  expect(await pending.answer(ids[0]!, no)).toMatchObject(taken);
  expect((await checked).decision.outcome).toBe('rejected');
  const edited = pending.ask(prompt, {...how, onEdited});
  const saved = pending.answer(ids[1]!, mine);
  for (const answer of [yes, no, mine])
    expect(await pending.answer(ids[1]!, answer)).not.toMatchObject(taken);
  edit.resolve({ok: true, value: 'allow_once'});
  expect(await saved).toMatchObject(taken);
  expect((await edited).decision.outcome).toBe('allowed');
  expect(edits).toEqual(['mine']);
});

test('what a rule refuses is no denial for want of a user', () => {
  const {pending} = asked();
  expect(pending.refuse(prompt, how).decision.outcome).toBe('rejected');
  expect(pending.denied()).toEqual([]);
});
