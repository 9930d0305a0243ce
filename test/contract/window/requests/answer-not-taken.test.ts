import {describe, expect, test} from 'vitest';
import {initialApp} from '../../../../src/app/initial.ts';
import {reduceApp} from '../../../../src/app/reduce.ts';
import {runEffect} from '../../../../src/window/effects/effects.ts';
import type {Effect} from '../../../../src/app/effects.ts';
import type {EffectContext} from '../../../../src/window/effects/effect-context.ts';
import {initialSession} from '../../../../src/session/initial.ts';
import {fail, type Result} from '../../../../src/shared/failure.ts';
import {createStore} from '../../../../src/shared/store.ts';

const KEY = 'one';
const ID = 'asked';

/** A window with a request on the screen, whose answers are held back. */
function asked() {
  const session = initialSession({cwd: '/', additionalDirectories: [], at: 0});
  const store = createStore(
    reduceApp,
    initialApp({session: {key: KEY, agentLabel: 'some', session, approval: undefined}, theme: 'dark'}),
  );
  const request = {
    sessionId: 's',
    toolCall: {toolCallId: 't', title: 'Write a'},
    options: [{optionId: 'yes', kind: 'allow_once' as const, name: 'Allow'}],
  };
  store.dispatch({
    type: 'session',
    key: KEY,
    event: {type: 'permission_requested', id: ID, request, at: 0},
    at: 0,
  });
  const answered = Promise.withResolvers<Result<void>>();
  const client = {answer: () => answered.promise};
  const context = {store, sessions: {clientOf: () => client}} as unknown as EffectContext;
  return {
    phase: () => store.latest().request?.phase.kind,
    toast: () => store.latest().toast?.text,
    answer: () => store.dispatch({type: 'request_answered'}),
    perform: (effect: Effect) => runEffect(effect, context),
    refuse: () => answered.resolve(fail({kind: 'answer_not_taken', why: 'Refused by a hook.'})),
  };
}

describe('a request takes keys again if the session did not take', () => {
  test('an answer', async () => {
    const {perform, answer, phase, toast, refuse} = asked();
    answer();
    perform({kind: 'call', key: KEY, action: 'answer', args: [ID, {kind: 'cancelled'}]});
    expect(phase()).toBe('answered');
    refuse();
    await expect.poll(phase).toBe('unseen');
    expect(toast()).toContain('Refused by a hook.');
  });

  test('what the user made of it, and none while that is carried out', async () => {
    const {perform, phase, toast, refuse} = asked();
    const edited = {id: ID, changes: 0, path: undefined, before: 'make', text: 'make all'};
    perform({kind: 'answer_edited', key: KEY, ...edited});
    expect(phase()).toBe('answered');
    refuse();
    await expect.poll(phase).toBe('unseen');
    await expect.poll(toast).toContain('Refused by a hook.');
  });
});
