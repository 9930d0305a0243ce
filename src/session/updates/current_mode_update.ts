import type {UpdateOf} from '../events.ts';
import {currentMode} from '../selectors.ts';
import {withMode} from '../settings.ts';
import type {SessionState} from '../state.ts';
import {appendEntry} from '../transcript.ts';
import {stopsAsking} from '../unattended.ts';

/** "Session Modes": the agent changed the mode; a quiet line says so, a warning where it stops asking. */
export function currentModeUpdate(
  before: SessionState,
  {currentModeId}: UpdateOf<'current_mode_update'>,
  at: number,
): SessionState {
  const state = withMode(before, currentModeId);
  const mode = currentMode(state);
  if (mode === undefined || mode === currentMode(before)) return state;
  const text = `Mode changed to ${mode.name}.`;
  const level = stopsAsking(mode) ? 'warning' : 'info';
  return appendEntry(state, {type: 'notice', level, text, source: 'client'}, at);
}
