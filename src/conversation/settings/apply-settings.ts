import type * as acp from '@agentclientprotocol/sdk/unstable';
import type {Connection} from '../../protocol/connection.ts';
import {currentMode, currentModel} from '../../session/selectors.ts';
import {
  configOption,
  configOptionOfCategory,
  modesOf,
  optionChoices,
} from '../../session/settings/options.ts';
import {DONE, fail, type Result} from '../../shared/failure.ts';
import {sanitizeLine} from '../../text/sanitize.ts';
import type {AgentRun} from '../connection/phases.ts';
import {type ConversationContext, isCurrent, warn} from '../context.ts';
import type {RequestedSettings} from '../options.ts';

/** A requested setting. */
interface SettingToApply {
  readonly what: string;
  readonly wanted: string;
  readonly set: () => Promise<Result<void>>;
  /** Returns its current value. */
  readonly now: () => string | boolean | undefined;
}

/**
 * Applies `--model`, `--mode` and `--set` in this order, since the model may change the available options. If the agent accepts a value but sets another, a
 * notice reports it: some resolve aliases.
 */
export async function applySettings(
  context: ConversationContext,
  settings: RequestedSettings,
): Promise<Result<void>> {
  for (const {what, wanted: value, set, now} of settingsToApply(context, settings)) {
    const result = await set();
    if (!result.ok) return result;
    const shown = now();
    if (shown === undefined || String(shown) === value) continue;
    warn(context, sanitizeLine(`The agent set ${what} to "${shown}" instead of "${value}".`));
  }
  return DONE;
}

function settingsToApply(
  context: ConversationContext,
  {mode, model, options}: RequestedSettings,
): readonly SettingToApply[] {
  const state = () => context.sink.state();
  const steps: SettingToApply[] = options.map(([id, wanted]) => ({
    what: id,
    wanted,
    set: () => setConfigOption(context, id, parseValue(context, id, wanted)),
    now: () => configOption(state(), id)?.currentValue,
  }));
  if (mode !== undefined) {
    const now = () => currentMode(state())?.id;
    steps.unshift({what: 'the mode', wanted: mode, set: () => setMode(context, mode), now});
  }
  if (model !== undefined) {
    const now = () => currentModel(state())?.id;
    steps.unshift({what: 'the model', wanted: model, set: () => setModel(context, model), now});
  }
  return steps;
}

/** "Session Modes", or the config option of category `mode`, which replaces them. */
export async function setMode(context: ConversationContext, modeId: string): Promise<Result<void>> {
  const {sink} = context;
  const modes = modesOf(sink.state());
  if (!modes) return setByCategory(context, 'mode', modeId);
  const valid = modes.availableModes.map((mode) => mode.id);
  if (!valid.includes(modeId)) return unknownValue('mode', modeId, valid);
  const setting: Setting = {
    name: 'mode',
    shown: () => modesOf(sink.state())?.currentModeId,
    show: (value) => sink.emit({type: 'mode_set', modeId: String(value), at: Date.now()}),
    request: (connection, sessionId) => connection.setMode(sessionId, modeId),
  };
  return changeSetting(context, setting, modeId);
}

/** The config option of category `model`, or the legacy `session/set_model`. */
export async function setModel(context: ConversationContext, modelId: string): Promise<Result<void>> {
  const {sink} = context;
  const {models} = sink.state();
  if (configOptionOfCategory(sink.state(), 'model') || !models)
    return setByCategory(context, 'model', modelId);
  const valid = models.availableModels.map((model) => model.modelId);
  if (!valid.includes(modelId)) return unknownValue('model', modelId, valid);
  const setting: Setting = {
    name: 'model',
    shown: () => sink.state().models?.currentModelId,
    show: (value) => sink.emit({type: 'model_set', modelId: String(value), at: Date.now()}),
    request: (connection, sessionId) => connection.setModel(sessionId, modelId),
  };
  return changeSetting(context, setting, modelId);
}

/** "Session Config Options": shown at once, replaced by the agent's own list, reverted if the agent refuses. */
export async function setConfigOption(
  context: ConversationContext,
  configId: string,
  value: string | boolean,
): Promise<Result<void>> {
  const {sink} = context;
  const {configOptions = []} = sink.state();
  const option = configOption(sink.state(), configId);
  if (!option) {
    const known = configOptions.map((candidate) => candidate.id);
    return known.length > 0 ? unknownValue('option', configId, known) : notOffered('an option');
  }
  const valid = validValues(option);
  if (!valid.includes(String(value)) || (option.type === 'boolean') !== (typeof value === 'boolean')) {
    return unknownValue(configId, String(value), valid);
  }
  const name = optionSetting(configId);
  const setting: Setting = {
    name,
    shown: () => configOption(sink.state(), configId)?.currentValue,
    show(shown) {
      const options = withOption(sink.state().configOptions ?? [], name, shown);
      sink.emit({type: 'config_options_set', configOptions: options, at: Date.now()});
    },
    request: (connection, sessionId) => connection.setConfigOption(sessionId, configId, value),
  };
  return changeSetting(context, setting, value);
}

function setByCategory(
  context: ConversationContext,
  category: 'mode' | 'model',
  value: string,
): Promise<Result<void>> {
  const option = configOptionOfCategory(context.sink.state(), category);
  return option ? setConfigOption(context, option.id, value) : Promise.resolve(notOffered(`a ${category}`));
}

/** The allowed values of an option, as text. */
function validValues(option: acp.SessionConfigOption): string[] {
  return option.type === 'boolean' ? ['true', 'false'] : optionChoices(option).map(({id}) => id);
}

function parseValue(context: ConversationContext, id: string, text: string): string | boolean {
  const option = configOption(context.sink.state(), id);
  if (option?.type !== 'boolean' || (text !== 'true' && text !== 'false')) return text;
  return text === 'true';
}

function unknownValue(what: string, value: string, valid: readonly string[]): Result<void> {
  return fail({kind: 'unknown_value', what, value, valid});
}

function notOffered(what: string): Result<void> {
  return fail({kind: 'not_offered', what, why: 'this agent does not support it'});
}

type Value = string | boolean;

/** A setting of a session that can be changed. */
interface Setting {
  /** Identifies the setting within the session: `mode`, `model`, `option <id>`. */
  readonly name: string;
  /** Returns the displayed value; undefined if the session no longer has the setting. */
  readonly shown: () => Value | undefined;
  readonly show: (value: Value) => void;
  /** Resolves to the agent's complete list of options if it responds with one. */
  readonly request: (
    connection: Connection,
    sessionId: acp.SessionId,
  ) => Promise<Result<readonly acp.SessionConfigOption[] | void>>;
}

/** A change that is displayed and not yet confirmed by the agent. */
interface Change {
  readonly sessionId: acp.SessionId;
  readonly setting: Setting;
  readonly value: Value;
  /** The value that the agent confirmed last. */
  agreed: Value | undefined;
}

const waitingIn = new WeakMap<AgentRun, Change[]>();

/**
 * Shows the requested value, sends it, and shows the agent's result. If the agent refuses, the last confirmed value is restored, unless something else has
 * changed it meanwhile. Several changes may be pending, also of one setting: a response does not revert later ones.
 */
async function changeSetting(
  context: ConversationContext,
  setting: Setting,
  value: Value,
): Promise<Result<void>> {
  const {run, sink} = context;
  const {sessionId} = sink.state();
  if (!run || sessionId === undefined) return notOffered('a setting');
  const waiting = waitingIn.get(run) ?? [];
  waitingIn.set(run, waiting);
  const isSame = (other: Change) => other.sessionId === sessionId && other.setting.name === setting.name;
  const before = waiting.findLast(isSame);
  const change: Change = {sessionId, setting, value, agreed: before ? before.agreed : setting.shown()};
  waiting.push(change);
  setting.show(value);
  const result = await setting.request(run.connection, sessionId);
  waiting.splice(waiting.indexOf(change), 1);
  if (!isCurrent(context, run) || sink.state().sessionId !== sessionId) return result.ok ? DONE : result;
  const others = waiting.filter((other) => other.sessionId === sessionId);
  if (!result.ok) {
    const shown = others.findLast(isSame)?.value ?? change.agreed;
    if (setting.shown() === value && shown !== undefined) setting.show(shown);
    return result;
  }
  for (const other of others.filter(isSame)) other.agreed = value;
  if (result.value) {
    sink.emit({type: 'config_options_set', configOptions: withWaiting(result.value, others), at: Date.now()});
  }
  return DONE;
}

/** Returns the agent's list with pending changes applied. */
function withWaiting(
  options: readonly acp.SessionConfigOption[],
  waiting: readonly Change[],
): readonly acp.SessionConfigOption[] {
  return waiting.reduce((list, {setting, value}) => withOption(list, setting.name, value), options);
}

/** The name of an option's setting. */
function optionSetting(id: string): string {
  return `option ${id}`;
}

/** Returns the list with one option changed; unchanged if there is no such option. */
function withOption(
  options: readonly acp.SessionConfigOption[],
  name: string,
  value: Value,
): readonly acp.SessionConfigOption[] {
  return options.map((option) =>
    optionSetting(option.id) === name && typeof option.currentValue === typeof value
      ? ({...option, currentValue: value} as acp.SessionConfigOption)
      : option,
  );
}
