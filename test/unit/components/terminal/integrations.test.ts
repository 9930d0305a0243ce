import {expect, test} from 'vitest';
import {createTerminalIntegrations} from '../../../../components/terminal/integrations.ts';
import {terminalSignals} from '../../../../components/terminal/signals.ts';
import type {AppState} from '../../../../src/app/state.ts';
import {tokens} from '../../../../src/app/input/sequences.ts';
import {openWindow} from '../../../support/window/app-window.ts';
import {askToOpen} from '../../app/window/asking.ts';

function open() {
  const window = openWindow();
  const told: unknown[] = [];
  const written: string[] = [];
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
    (data) => written.push(data),
    terminalSignals({}),
    (each) => told.push(each),
  );
  integrations.enter();
  return {
    integrations,
    written,
    told,
    askToOpen() {
      askToOpen(window);
      state = window.state;
      for (const listener of listeners) listener();
    },
  };
}

/** What hooks are told of when an agent asks; `focus` is what the terminal reported before. */
function toldOf(focus: string): readonly unknown[] {
  const opened = open();
  opened.integrations.handleReport(focus);
  opened.askToOpen();
  return opened.told;
}

test('who is elsewhere is notified, in the session that asks, and nobody who looks at it', () => {
  expect(toldOf('\x1b[O')).toEqual([{key: 'main', text: 'demo wants to open a URL'}]);
  expect(toldOf('\x1b[I')).toEqual([]);
});

test('the background is queried again when the terminal changes between light and dark', () => {
  const {integrations, written} = open();
  expect(written.join('')).toContain('\x1b[?2031h');
  const queries = () => written.join('').split('\x1b]11;?\x07').length - 1;
  expect(queries()).toBe(1);
  const changed = '\x1b[?997;2n';
  expect([...tokens(changed)]).toEqual([{kind: 'report', sequence: changed}]);
  integrations.handleReport(changed);
  expect(queries()).toBe(2);
  integrations.leave();
  expect(written.at(-1)).toContain('\x1b[?2031l');
  integrations.handleReport(changed);
  expect(queries()).toBe(2);
});
