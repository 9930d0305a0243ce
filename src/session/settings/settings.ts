import type * as acp from '@agentclientprotocol/sdk/unstable';
import type {SessionEventOf} from '../events.ts';
import {configOptionOfCategory} from './options.ts';
import type {SessionState} from '../state.ts';
import {completeMessages} from '../transcript/transcript.ts';

/** Sets the mode that the user selected, in either representation. */
export function modeSet(before: SessionState, {modeId}: SessionEventOf<'mode_set'>): SessionState {
  const state = asked(before);
  const option = configOptionOfCategory(state, 'mode');
  return option === undefined ? withMode(state, modeId) : withOptionValue(state, option, modeId);
}

export function modelSet(before: SessionState, {modelId}: SessionEventOf<'model_set'>): SessionState {
  const state = asked(before);
  const option = configOptionOfCategory(state, 'model');
  if (option !== undefined) return withOptionValue(state, option, modelId);
  if (state.models === undefined) return state;
  return {...state, models: {...state.models, currentModelId: modelId}};
}

export function configOptionsSet(
  state: SessionState,
  {configOptions}: SessionEventOf<'config_options_set'>,
): SessionState {
  return {...asked(state), configOptions};
}

export function withMode(state: SessionState, modeId: acp.SessionModeId): SessionState {
  if (state.modes === undefined || state.modes.currentModeId === modeId) return state;
  return {...state, modes: {...state.modes, currentModeId: modeId}};
}

/** Outside a turn, the agent's next message is about the requested setting: some agents confirm a mode in a message. */
function asked(state: SessionState): SessionState {
  return state.turn.kind === 'idle' ? completeMessages(state) : state;
}

function withOptionValue(state: SessionState, option: acp.SessionConfigOption, value: string): SessionState {
  if (option.type !== 'select') return state;
  const configOptions = state.configOptions?.map((other) =>
    other === option ? {...option, currentValue: value} : other,
  );
  return {...state, configOptions};
}
