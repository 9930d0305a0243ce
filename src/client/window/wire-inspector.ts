import type {Effect} from '../../app/effects.ts';
import type {AppEvent} from '../../app/events.ts';
import type {AppState} from '../../app/state.ts';
import {exchangePage, wirePicker} from '../../app/pages/wire-pages.ts';
import type {FindingsOf} from '../../recording/describe.ts';
import {exchangesOf, type Exchange} from '../../recording/exchanges.ts';
import type {RecordingLine} from '../../recording/format.ts';
import type {Store} from '../../shared/store.ts';

export type WireEffect = Extract<Effect, {kind: 'show_wire' | 'show_exchange'}>;

export function concernsWire(effect: Effect): effect is WireEffect {
  return effect.kind === 'show_wire' || effect.kind === 'show_exchange';
}

export interface WireViewerOptions {
  readonly store: Store<AppState, AppEvent>;
  readonly lines: () => readonly RecordingLine[];
}

/** Shows what was said on the wire: the list as it is when it opens, and one message in full. */
export function createWireViewer({store, lines}: WireViewerOptions): (effect: WireEffect) => Promise<void> {
  let shown: readonly Exchange[] = [];
  let findingsOf: FindingsOf = () => [];
  return async (effect) => {
    if (effect.kind === 'show_wire') {
      // The schemas take a while to load, and most windows never need them.
      const {findingsIn} = await import('../../protocol/wire-findings.ts');
      shown = exchangesOf(lines());
      findingsOf = findingsIn(shown);
      const picker = wirePicker(shown, findingsOf);
      store.dispatch({type: 'overlay_opened', overlay: {kind: 'picker', picker}}, 'urgent');
      return;
    }
    const exchange = shown.find(({index}) => index === effect.index);
    const {overlay} = store.current();
    if (!exchange || overlay.kind !== 'picker') return;
    const overlayed = exchangePage(exchange, findingsOf(exchange), overlay.picker);
    store.dispatch({type: 'overlay_opened', overlay: overlayed}, 'urgent');
  };
}
