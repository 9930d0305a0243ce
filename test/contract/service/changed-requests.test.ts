import {expect, test} from 'vitest';
import type {ScriptStep} from '../../../fixtures/fake-agent/scenarios/script.ts';
import type {PendingPermission, SessionState} from '../../../src/session/state.ts';
import {asks, openService} from './open-service.ts';

test('of two windows that answer a request at once, one counts and the other is told', async () => {
  const {start, attach} = await openService({turns: [asks('one')]});
  const id = await start('go');
  const windows = [await attach(id), await attach(id)];
  const answers = windows.map(async (window, index) => {
    const {pending} = await window.until((state) => state.pending.length > 0);
    return window.actions.answer(pending[0]!.id, {kind: 'option', index});
  });
  const told = await Promise.all(answers);
  expect(told.filter(({ok}) => ok)).toHaveLength(1);
  expect(told).toContainEqual(
    expect.objectContaining({failure: expect.objectContaining({kind: 'answer_not_taken'})}),
  );
});

const permissions = ({pending}: SessionState) => pending.filter((request) => request.kind === 'permission');

test('a yes that crosses a change by the agent does not count, unlike a no, or a yes to what it is now', async () => {
  const [ask, answered] = asks('one') as [ScriptStep, ScriptStep];
  const [last, lastAnswered] = asks('last') as [ScriptStep, ScriptStep];
  const change = (id: string): ScriptStep => ({
    update: {sessionUpdate: 'tool_call_update', toolCallId: `call-${id}`, rawInput: {command: 'rm -rf .'}},
  });
  const {start, attach} = await openService({
    turns: [[ask, last, ...asks('other'), change('one'), change('last'), answered, lastAnswered]],
  });
  const window = await attach(await start('go'));
  const requests = async (holds: (changes: readonly number[]) => boolean) =>
    permissions(await window.until((state) => holds(permissions(state).map(({changes}) => changes))));
  const reply = (index: number, request: PendingPermission | undefined) =>
    window.actions.answer(request?.id ?? '', {kind: 'option', index, changes: request?.changes ?? 0});
  const seen = await requests(({length}) => length === 3);
  await reply(0, seen[2]);
  const now = await requests((changes) => changes.length === 2 && changes.every((times) => times > 0));
  expect(await reply(0, seen[0])).toMatchObject({
    failure: {kind: 'answer_not_taken', why: 'The request has changed meanwhile; read it again.'},
  });
  expect(window.state().pending).toMatchObject(now);
  await reply(0, now[0]);
  await reply(1, seen[1]);
  const {entries} = await window.until(({lastTurn}) => lastTurn !== undefined);
  const decided = [...entries].flatMap((entry) =>
    entry.type === 'tool_call' ? entry.permission?.option : [],
  );
  expect(decided).toEqual(['Allow', 'Reject', 'Allow']);
});
