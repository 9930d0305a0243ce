import {nothing, perform, type Step} from '../effects.ts';
import type {KeyEvent} from '../input/key-event.ts';
import {actionFor, type Action} from '../keymap.ts';
import type {ReplayStep} from '../replay.ts';
import type {AppState} from '../state.ts';
import {everywhere} from './everywhere.ts';

const steps: Readonly<Partial<Record<Action, ReplayStep>>> = {
  replay_pause: 'pause',
  replay_step: 'step',
  replay_next_turn: 'next_turn',
  replay_faster: 'faster',
  replay_slower: 'slower',
};

/** What changes only what is looked at. */
const LOOKING: ReadonlySet<Action> = new Set([
  'show_plan',
  'open_transcript',
  'inspect_wire',
  'redraw',
  'suspend',
]);

/** Keys of a replay: whatever would do something in a session does nothing. */
export function replayKey(state: AppState, key: KeyEvent): Step {
  const action = key.kind === 'key' ? actionFor('replay', key, state.keymap) : undefined;
  if (action === undefined) return nothing;
  if (action === 'leave_replay' || action === 'clear_cancel_or_leave') return perform({kind: 'quit'});
  const step = steps[action];
  if (step) return perform({kind: 'replay', step});
  return LOOKING.has(action) ? everywhere(state, action, key.at) : nothing;
}
