import {describe, expect, test} from 'vitest';
import type {SessionKey} from '../../../../src/app/state.ts';
import {FIRST, openWindow, type OpenedWindow} from '../open-window.ts';

const pending = (window: OpenedWindow, key: SessionKey) => window.session(key)?.session.pending ?? [];

/** A window with two sessions of one process. */
async function twoSessions(...words: readonly string[]) {
  const window = await openWindow('together', ...words);
  await window.converse(FIRST, 'one');
  const second = await window.open('together', ...words);
  await window.converse(second, 'two');
  return {window, second};
}

async function waitIn(window: OpenedWindow, key: SessionKey): Promise<void> {
  window.prompt(key, 'wait');
  await window.until(() => window.said(key).includes('waits'));
}

describe('a question of a shared agent for a request', () => {
  test('is shown in the session that sent it', async () => {
    const {window, second} = await twoSessions();
    await waitIn(window, FIRST);
    window.prompt(second, 'question request');
    await window.until(() => pending(window, second).length > 0);
    expect(pending(window, second)).not.toMatchObject([{isForNone: true}]);
    expect(pending(window, FIRST)).toEqual([]);
  });

  test('is shown in the session that it opens', async () => {
    const {window, second} = await twoSessions('asks');
    await waitIn(window, FIRST);
    void window.open('together', 'asks');
    const third = window.store.latest().active;
    await window.until(() => pending(window, third).length > 0);
    expect(pending(window, third)).not.toMatchObject([{isForNone: true}]);
    for (const key of [FIRST, second]) expect(pending(window, key)).toEqual([]);
  });

  test('that is unknown is shown in the only session waiting for the agent', async () => {
    const {window, second} = await twoSessions();
    window.prompt(second, 'question');
    await window.until(() => pending(window, second).length > 0);
    expect(pending(window, second)).not.toMatchObject([{isForNone: true}]);
    expect(pending(window, FIRST)).toEqual([]);
  });

  test('that is unknown is shown once, in any of several waiting sessions', async () => {
    const {window, second} = await twoSessions();
    await waitIn(window, FIRST);
    window.prompt(second, 'question');
    const all = () => [FIRST, second].flatMap((key) => pending(window, key));
    await window.until(() => all().length > 0);
    expect(all()).toMatchObject([{kind: 'form', isForNone: true}]);
  });
});
