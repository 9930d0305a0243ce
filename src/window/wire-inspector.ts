import type {AppEvent} from '../app/events.ts';
import type {AppState} from '../app/state.ts';
import {createSessionNames, exchangePage, wirePicker} from '../app/pages/wire-pages.ts';
import type {FindingsOf} from '../recording/describe.ts';
import {exchangesOf, type Exchange} from '../recording/exchanges.ts';
import type {RecordingLine} from '../recording/format.ts';
import type {Store} from '../shared/store.ts';

/** Shows the protocol messages. */
export interface WireViewer {
  /** Shows the list of messages. */
  show(): Promise<void>;
  /** One message of the list in full. */
  showExchange(index: number): void;
}

export function createWireViewer({
  store,
  lines,
}: {
  store: Store<AppState, AppEvent>;
  lines: () => readonly RecordingLine[];
}): WireViewer {
  let shown: readonly Exchange[] = [];
  let findingsOf: FindingsOf = () => [];
  return {
    async show() {
      // The schemas take a while to load, and most windows never need them.
      const {findingsIn} = await import('../protocol/wire-findings.ts');
      shown = exchangesOf(lines());
      findingsOf = findingsIn(shown);
      const picker = wirePicker(shown, findingsOf, createSessionNames(shown, store.latest()));
      store.dispatch({type: 'overlay_opened', overlay: {kind: 'picker', picker}}, 'urgent');
    },
    showExchange(index) {
      const exchange = shown.find((each) => each.index === index);
      const {overlay} = store.latest();
      if (!exchange || overlay.kind !== 'picker') return;
      const overlayed = exchangePage(exchange, findingsOf(exchange), overlay.picker);
      store.dispatch({type: 'overlay_opened', overlay: overlayed}, 'urgent');
    },
  };
}
