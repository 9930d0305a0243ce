import type * as acp from '@agentclientprotocol/sdk/unstable';
import type {UpdateOf} from '../events.ts';
import {configOption, optionValueName} from '../options.ts';
import type {SessionState} from '../state.ts';
import {appendEntry} from '../transcript.ts';

/** "Session Config Options": the list replaces the earlier one; a quiet line tells each value that changed. */
export function configOptionUpdate(
  before: SessionState,
  {configOptions}: UpdateOf<'config_option_update'>,
  at: number,
): SessionState {
  let state: SessionState = {...before, configOptions};
  for (const option of configOptions) {
    if (!hasNewValue(before, option)) continue;
    const text = `${option.name} changed to ${optionValueName(option)}.`;
    state = appendEntry(state, {type: 'notice', level: 'info', text, source: 'client'}, at);
  }
  return state;
}

function hasNewValue(before: SessionState, option: acp.SessionConfigOption): boolean {
  const known = configOption(before, option.id);
  return known !== undefined && known.currentValue !== option.currentValue;
}
