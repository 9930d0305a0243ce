import {configOption} from '../../session/settings/options.ts';
import type {SessionState} from '../../session/state.ts';
import {withItems} from './picker.ts';
import {configPicker, configValuePicker, modelPicker, modePicker} from './setting-pickers.ts';
import {activeSession} from '../sessions.ts';
import type {AppState, Picker} from '../state.ts';

/** Updates an open list of settings with the session's current state; closes the values of an option that is gone. */
export function followPicker(state: AppState, before: SessionState): AppState {
  const {overlay} = state;
  const {session} = activeSession(state);
  if (overlay.kind !== 'picker' || hasSameSettings(session, before)) return state;
  const {picker} = overlay;
  if (picker.purpose.kind === 'config_value' && !configOption(session, picker.purpose.configId))
    return {...state, overlay: {kind: 'none'}};
  const items = freshPicker(picker, session)?.items;
  return items ? {...state, overlay: {kind: 'picker', picker: withItems(picker, items)}} : state;
}

function hasSameSettings(now: SessionState, before: SessionState): boolean {
  return (
    now.configOptions === before.configOptions && now.modes === before.modes && now.models === before.models
  );
}

function freshPicker({purpose}: Picker, session: SessionState): Picker | undefined {
  switch (purpose.kind) {
    case 'mode':
      return modePicker(session);
    case 'model':
      return modelPicker(session);
    case 'config':
      return configPicker(session);
    case 'config_value':
      return configValuePicker(session, purpose.configId);
    default:
      return undefined;
  }
}
