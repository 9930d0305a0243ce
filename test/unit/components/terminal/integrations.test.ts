import {expect, test} from 'vitest';
import {createTerminalIntegrations} from '../../../../components/terminal/integrations.ts';
import {terminalSignals} from '../../../../components/terminal/signals.ts';
import type {AppState} from '../../../../src/app/state.ts';
import {openWindow} from '../../../support/window/app-window.ts';
import {askToOpen} from '../../app/window/asking.ts';

/** What hooks are told of when an agent asks; `focus` is what the terminal reported before. */
function toldOf(focus: string): readonly unknown[] {
  const window = openWindow();
  const told: unknown[] = [];
  let state: AppState = window.state;
  const listeners = new Set<() => void>();
  const store = {
    getSnapshot: () => state,
    subscribe(listener: () => void) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
  const integrations = createTerminalIntegrations(
    store,
    () => undefined,
    terminalSignals({}),
    (each) => told.push(each),
  );
  integrations.enter();
  integrations.handleReport(focus);
  askToOpen(window);
  state = window.state;
  for (const listener of listeners) listener();
  return told;
}

test('who is elsewhere is notified, in the session that asks, and nobody who looks at it', () => {
  expect(toldOf('\x1b[O')).toEqual([{key: 'main', text: 'demo wants to open a URL'}]);
  expect(toldOf('\x1b[I')).toEqual([]);
});
