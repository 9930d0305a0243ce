import {expect, test} from 'vitest';
import {initialApp} from '../../../../../src/app/initial.ts';
import {reduceApp} from '../../../../../src/app/reduce.ts';
import type {SessionEvent} from '../../../../../src/session/events.ts';
import {initialSession} from '../../../../../src/session/initial.ts';
import {createStore} from '../../../../../src/shared/store.ts';
import {whenEnded} from '../../../../../src/window/compare/when-ended.ts';

test('an agent that is compared has finished, also if its prompt was queued and sent in one moment', async () => {
  const session = initialSession({cwd: '/project', additionalDirectories: [], at: 0});
  const store = createStore(
    reduceApp,
    initialApp({session: {key: 'one', agentLabel: 'some', session, approval: 'none'}, theme: 'dark'}),
  );
  let outcome: string | undefined;
  void whenEnded('one', store).then((tab) => (outcome = tab?.session.lastTurn?.outcome.kind));
  const emit = (event: SessionEvent) => store.dispatch({type: 'session', key: 'one', event, at: 1});
  const content = [{type: 'text' as const, text: 'hello'}];
  const prompt = {text: 'hello', content};
  emit({type: 'queue_changed', change: {kind: 'submit', prompt, place: 'last'}, at: 1});
  const [{id} = {id: ''}] = store.latest().sessions['one']?.session.queue.prompts ?? [];
  emit({type: 'queue_changed', change: {kind: 'taken', id}, at: 1});
  emit({type: 'prompt_started', turn: 1, content, at: 1});
  await Promise.resolve();
  expect(outcome).toBeUndefined();
  emit({type: 'prompt_ended', turn: 1, outcome: {kind: 'stopped', stopReason: 'end_turn'}, at: 1});
  await expect.poll(() => outcome).toBe('stopped');
});
