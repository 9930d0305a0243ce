import type * as acp from '@agentclientprotocol/sdk/unstable';
import {failureSentence} from '../../shared/failure-messages.ts';
import type {Result} from '../../shared/failure.ts';
import type {OpenedSession} from '../../session/events.ts';
import {
  configOption,
  configOptionOfCategory,
  modesOf,
  optionValueName,
} from '../../session/settings/options.ts';
import type {SessionState} from '../../session/state.ts';
import {warn, type ConversationContext} from '../context.ts';
import {setConfigOption, setMode, setModel} from './apply-settings.ts';

/** Restores model, mode and options of a resumed session if the agent returned other ones, or none. Reports what could not be restored, and why. */
export async function restoreSettings(
  context: ConversationContext,
  before: SessionState,
  opened: OpenedSession,
): Promise<void> {
  const lost: string[] = [];
  for (const setting of settingsOf(before)) {
    const now = setting.now(context.sink.state());
    if (now === undefined || (now === setting.was && opened[setting.part] != null)) continue;
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
  /** The part of the agent's response that reports it. */
  readonly part: 'configOptions' | 'models' | 'modes';
  readonly was: string | boolean;
  /** Returns the current value; undefined if the setting no longer exists. */
  readonly now: (state: SessionState) => string | boolean | undefined;
  readonly set: (context: ConversationContext) => Promise<Result<void>>;
}

/** The model first: it may change the available options. */
function settingsOf(session: SessionState): readonly Setting[] {
  const {configOptions = []} = session;
  const models = configOptionOfCategory(session, 'model') ? undefined : session.models;
  const modes = modesOf(session);
  const isModel = (option: acp.SessionConfigOption) => option.category === 'model';
  return [
    ...(models ? [modelSetting(models.currentModelId)] : []),
    ...configOptions.filter(isModel).map(optionSetting),
    ...configOptions.filter((option) => !isModel(option)).map(optionSetting),
    ...(modes ? [modeSetting(modes.currentModeId)] : []),
  ];
}

function optionSetting(option: acp.SessionConfigOption): Setting {
  return {
    name: `${option.name}: ${optionValueName(option)}`,
    part: 'configOptions',
    was: option.currentValue,
    now: (state) => configOption(state, option.id)?.currentValue,
    set: (context) => setConfigOption(context, option.id, option.currentValue),
  };
}

function modelSetting(was: string): Setting {
  return {
    name: `model ${was}`,
    part: 'models',
    was,
    now: ({models}) => models?.currentModelId,
    set: (context) => setModel(context, was),
  };
}

function modeSetting(was: string): Setting {
  return {
    name: `mode ${was}`,
    part: 'modes',
    was,
    now: (state) => modesOf(state)?.currentModeId,
    set: (context) => setMode(context, was),
  };
}
