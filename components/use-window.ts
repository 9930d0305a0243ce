import {useInput, usePaste} from 'ink';
import {useEffect} from 'react';
import type {AppEvent} from '../src/app/events.ts';
import {fromInk, pasteFromInk} from '../src/app/input/from-ink.ts';
import type {KeyEvent} from '../src/app/input/key-event.ts';
import type {AppState} from '../src/app/state.ts';
import type {Store} from '../src/shared/store.ts';
import type {Panel} from './panel.ts';
import {useDrawn} from './use-drawn.ts';

/** Hands every key and paste on, in one place, so that nothing is read twice. */
export function useKeys(press: (key: KeyEvent) => void): void {
  useInput((input, key) => {
    const event = fromInk(input, key, performance.now());
    if (event !== undefined) press(event);
  });
  usePaste((text) => press(pasteFromInk(text, performance.now())));
}

/** Tells the state what stands on the screen: what may be answered, and how far can be scrolled, depend on it. */
export function useReports(store: Store<AppState, AppEvent>, panel: Panel, columns: number): void {
  useEffect(() => store.dispatch({type: 'draft_measured', columns}, 'urgent'), [store, columns]);
  const {subject, drawn} = panel.scrolled ?? nothing;
  const name = subject === undefined ? undefined : JSON.stringify(subject);
  useDrawn(name, drawn, (drawn) => {
    if (subject?.kind === 'page') store.dispatch({type: 'overlay_drawn', drawn}, 'urgent');
    if (subject?.kind === 'request') {
      const {id, version, columns, rule} = subject;
      const at = performance.now();
      store.dispatch({type: 'request_drawn', id, version, drawn, columns, rule, at}, 'urgent');
    }
  });
}

const nothing = {subject: undefined, drawn: {firstRow: 0, visibleRows: 0, totalRows: 0}} as const;
