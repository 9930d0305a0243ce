import {expect, test} from 'vitest';
import {initialApp} from '../../../../src/app/initial.ts';
import {submitPrompt} from '../../../../src/app/queue/queue.ts';
import {reduceApp} from '../../../../src/app/reduce.ts';
import {applyReaction, type Reaction} from '../../../../src/app/effects.ts';
import {runEffect} from '../../../../src/window/effects/effects.ts';
import type {EffectContext} from '../../../../src/window/effects/effect-context.ts';
import {restoreUnsent} from '../../../../src/app/sessions.ts';
import {initialSession} from '../../../../src/session/initial.ts';
import {fail} from '../../../../src/shared/failure.ts';
import {createStore} from '../../../../src/shared/store.ts';

const KEY = 'one';

/** A window whose session ran in the background service, which has ended. */
function leftAlone() {
  const session = initialSession({cwd: '/', additionalDirectories: [], at: 0});
  const store = createStore(
    reduceApp,
    initialApp({session: {key: KEY, agentLabel: 'some', session, approval: undefined}, theme: 'dark'}),
  );
  const gone = async () => fail({kind: 'not_offered', what: 'this session', why: 'the service has ended'});
  const context = {store, sessions: {clientOf: () => ({changeQueue: gone})}} as unknown as EffectContext;
  const take = (reaction: Reaction) => applyReaction(reaction, store, (effect) => runEffect(effect, context));
  return {store, take};
}

test('a prompt that the background service did not take is in the draft again', async () => {
  const {store, take} = leftAlone();
  take(submitPrompt(KEY, {text: 'important'}));
  await expect.poll(() => store.latest().sessions[KEY]?.draft.text).toBe('important');
  expect(store.latest().toast?.text).toContain('The service has ended.');
});

test('so are all that an earlier window had not sent, in their order, before what was typed', async () => {
  const {store, take} = leftAlone();
  take(restoreUnsent(KEY, {draft: 'half a', queue: ['first', 'second']}));
  await expect.poll(() => store.latest().sessions[KEY]?.draft.text).toBe('first\nsecond\nhalf a');
});
