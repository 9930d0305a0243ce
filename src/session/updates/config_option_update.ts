import type * as acp from '@agentclientprotocol/sdk/unstable';
import type {UpdateOf} from '../events.ts';
import {configOption, optionValueName} from '../options.ts';
import type {SessionState} from '../state.ts';
import {appendEntry} from '../transcript.ts';

/** "Session Config Options": the list replaces the earlier one; a quiet line tells each value that changed, each new option, and each that is gone. */
export function configOptionUpdate(
  before: SessionState,
  {configOptions}: UpdateOf<'config_option_update'>,
  at: number,
): SessionState {
  let state: SessionState = {...before, configOptions};
  for (const text of told(before, configOptions)) {
    state = appendEntry(state, {type: 'notice', level: 'info', text, source: 'client'}, at);
  }
  return state;
}

/** What an agent tells first is no change. */
function told(before: SessionState, configOptions: readonly acp.SessionConfigOption[]): readonly string[] {
  if (before.configOptions === undefined) return [];
  const known = new Set(before.configOptions.map(({id}) => id));
  const offered = new Set(configOptions.map(({id}) => id));
  return [
    ...configOptions
      .filter((option) => hasNewValue(before, option))
      .map((option) => `${option.name} changed to ${optionValueName(option)}.`),
    ...configOptions
      .filter(({id}) => !known.has(id))
      .map((option) => `${option.name} can be chosen now: ${optionValueName(option)}.`),
    ...before.configOptions.filter(({id}) => !offered.has(id)).map(({name}) => `${name} is gone.`),
  ];
}

function hasNewValue(before: SessionState, option: acp.SessionConfigOption): boolean {
  const known = configOption(before, option.id);
  return known !== undefined && known.currentValue !== option.currentValue;
}
