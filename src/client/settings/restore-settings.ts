import type * as acp from '@agentclientprotocol/sdk/unstable';
import {failureSentence} from '../../shared/failure-messages.ts';
import type {Result} from '../../shared/failure.ts';
import type {OpenedSession} from '../../session/events.ts';
import {configOption, optionValueName} from '../../session/settings/options.ts';
import type {SessionState} from '../../session/state.ts';
import {warn, type ClientContext} from '../context.ts';
import {setConfigOption, setMode, setModel} from './apply-settings.ts';

/** Restores model, mode and options of a resumed session if the agent returned other ones, or none. Reports what could not be restored, and why. */
export async function restoreSettings(
  context: ClientContext,
  before: SessionState,
  opened: OpenedSession,
): Promise<void> {
  const lost: string[] = [];
  const reportsAny = [opened.configOptions, opened.modes, opened.models].some((part) => part != null);
  for (const setting of settingsOf(before)) {
    const now = setting.now(context.sink.state());
    if (now === undefined || (now === setting.was && reportsAny)) continue;
    const done = await setting.set(context);
    if (!done.ok) lost.push(`${setting.name} (${failureSentence(done.failure).replace(/\.$/, '')})`);
    else if (setting.now(context.sink.state()) !== setting.was) lost.push(setting.name);
  }
  if (lost.length === 0) return;
  warn(context, `The agent did not restore ${lost.join(', ')}. /status shows the current values.`);
}

interface Setting {
  /** Label with the value, for the user. */
  readonly name: string;
  readonly was: string | boolean;
  /** Returns the current value; undefined if the setting no longer exists. */
  readonly now: (state: SessionState) => string | boolean | undefined;
  readonly set: (context: ClientContext) => Promise<Result<void>>;
}

/** The model first: it may change the available options. */
function settingsOf({configOptions = [], modes, models}: SessionState): Setting[] {
  const isModel = (option: acp.SessionConfigOption) => option.category === 'model';
  const options = [...configOptions.filter(isModel), ...configOptions.filter((option) => !isModel(option))];
  const settings = options.map(optionSetting);
  if (options.length > 0) return settings;
  if (models) settings.push(modelSetting(models.currentModelId));
  if (modes) settings.push(modeSetting(modes.currentModeId));
  return settings;
}

function optionSetting(option: acp.SessionConfigOption): Setting {
  return {
    name: `${option.name}: ${optionValueName(option)}`,
    was: option.currentValue,
    now: (state) => configOption(state, option.id)?.currentValue,
    set: (context) => setConfigOption(context, option.id, option.currentValue),
  };
}

function modelSetting(was: string): Setting {
  return {
    name: `model ${was}`,
    was,
    now: ({models}) => models?.currentModelId,
    set: (context) => setModel(context, was),
  };
}

function modeSetting(was: string): Setting {
  return {
    name: `mode ${was}`,
    was,
    now: ({modes}) => modes?.currentModeId,
    set: (context) => setMode(context, was),
  };
}
