import {expect, test} from 'vitest';
import {draftOf} from '../../../../src/app/editor/draft.ts';
import {createTab, initialApp} from '../../../../src/app/initial.ts';
import {hasGoneOn} from '../../../../src/app/sessions.ts';
import {reduceApp} from '../../../../src/app/reduce.ts';
import {initialSession} from '../../../../src/session/initial.ts';
import {createStore} from '../../../../src/shared/store.ts';
import type {Handoff} from '../../../../src/window/agents/agent-chooser.ts';
import {runEffect} from '../../../../src/window/effects/effects.ts';
import type {EffectContext} from '../../../../src/window/effects/effect-context.ts';

const tabOf = (key: string, title?: string) => ({
  key,
  agentLabel: 'some',
  session: {...initialSession({cwd: '/', additionalDirectories: [], at: 0}), title},
  approval: undefined,
});

/** A window that hands a session over; the other agent is started when `start` is called. */
function handingOver() {
  const store = createStore(reduceApp, initialApp({session: tabOf('one', 'Fix it'), theme: 'dark'}));
  const titles: string[] = [];
  const {promise, resolve: start} = Promise.withResolvers<void>();
  let isBehind: boolean | undefined;
  const choose = async (_id: string, handoff: Handoff) => {
    await promise;
    isBehind = hasGoneOn(handoff.began, store.latest());
    store.dispatch({type: 'session_added', key: 'two', tab: createTab({...tabOf('two'), at: 0})});
    handoff.onAdded('two');
  };
  const clientOf = () => ({renameSession: (title: string) => void titles.push(title)});
  const context = {store, sessions: {chooser: {choose}, clientOf}} as unknown as EffectContext;
  runEffect({kind: 'hand_off', key: 'one', agent: 'other', part: 'all'}, context);
  return {store, titles, start, isBehind: () => isBehind};
}

test('takes the screen only if nothing was typed in the session meanwhile', async () => {
  const [quiet, typing] = [handingOver(), handingOver()];
  typing.store.dispatch({type: 'draft_changed', key: 'one', draft: draftOf('and th'), at: 0});
  for (const {start} of [quiet, typing]) start();
  await expect.poll(quiet.isBehind).toBe(false);
  await expect.poll(typing.isBehind).toBe(true);
});

test('gives the session its title once it is ready, as after a sign-in or in the background', async () => {
  const {store, titles, start} = handingOver();
  start();
  await expect.poll(() => [...(store.latest().sessions['one']?.session.entries ?? [])].length).toBe(1);
  expect(titles).toEqual([]);
  const event = {type: 'connection_changed', connection: {kind: 'ready'}, at: 0} as const;
  store.dispatch({type: 'session', key: 'two', event, at: 0});
  await expect.poll(() => titles).toEqual(['Fix it']);
});
