import {setTimeout as delay} from 'node:timers/promises';
import {queryObjects, setFlagsFromString} from 'node:v8';
import {runInNewContext} from 'node:vm';
import {Terminal} from '@xterm/headless';
import {expect, test} from 'vitest';
import {FIRST, openWindow, type OpenedWindow} from '../open-window.ts';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

/** Everything in a session that would be large after an hour of work. */
function partsOf(window: OpenedWindow, key: string): Readonly<Record<string, WeakRef<object>>> {
  const tab = window.session(key);
  if (!tab) throw new Error(`no session ${key}`);
  const client = window.sessions.clientOf(key);
  return {
    client: new WeakRef(client),
    session: new WeakRef(tab.session),
    transcript: new WeakRef(tab.session.entries),
    draft: new WeakRef(tab.draft),
    open: new WeakRef(tab),
  };
}

async function openUseAndClose(window: OpenedWindow): Promise<ReturnType<typeof partsOf>> {
  const key = await window.open('terminal');
  window.store.dispatch({type: 'text_pasted', key, text: 'a draft', at: 0});
  window.prompt(key, 'printf one; sleep 0.01; printf two');
  await window.until(() => window.said(key).includes('exitCode'));
  const parts = partsOf(window, key);
  window.sessions.close(key);
  return parts;
}

function alive(all: readonly ReturnType<typeof partsOf>[]): Readonly<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const parts of all)
    for (const [name, part] of Object.entries(parts))
      if (part.deref() !== undefined) counts[name] = (counts[name] ?? 0) + 1;
  return counts;
}

const terminals = () => queryObjects(Terminal, {format: 'count'});

test('closed sessions leave nothing in memory', async () => {
  collectGarbage();
  const before = terminals();
  const window = await openWindow('echo');
  await window.converse(FIRST, 'the first one stays');
  const all: Awaited<ReturnType<typeof openUseAndClose>>[] = [];
  for (let count = 0; count < 6; count++) all.push(await openUseAndClose(window));
  const atMost = (counts: Readonly<Record<string, number>>) => Object.values(counts).every((n) => n <= 1);
  await expect
    .poll(
      async () => {
        await delay(0);
        collectGarbage();
        const counts = alive(all);
        return atMost(counts) && terminals() <= before + 1 ? 'freed' : counts;
      },
      {interval: 200, timeout: 20_000},
    )
    .toBe('freed');
  expect(window.said(FIRST)).toContain('the first one stays');
});
