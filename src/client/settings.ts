import type * as acp from '@agentclientprotocol/sdk/unstable';
import type {Failure, Result} from '../failure.ts';
import type {Connection} from '../protocol/connection.ts';
import {usesConfigOptions} from '../session/options.ts';
import {isCurrent, type ClientContext} from './context.ts';
import type {WantedSettings} from './options.ts';

const DONE: Result<void> = {ok: true, value: undefined};

/** Applies `--model`, `--mode` and `--set` in this order, since a model may change which options there are. */
export async function applySettings(context: ClientContext, wanted: WantedSettings): Promise<Result<void>> {
  const {mode, model} = wanted;
  const steps: (() => Promise<Result<void>>)[] = [];
  if (model !== undefined) steps.push(() => setModel(context, model));
  if (mode !== undefined) steps.push(() => setMode(context, mode));
  for (const [id, value] of wanted.options) {
    steps.push(() => setConfigOption(context, id, parseValue(context, id, value)));
  }
  for (const step of steps) {
    const result = await step();
    if (!result.ok) return result;
  }
  return DONE;
}

/** "Session Modes", or the config option of category `mode`, which replaces them where the agent has config options. */
export async function setMode(context: ClientContext, modeId: string): Promise<Result<void>> {
  const state = context.link.state();
  const {modes} = state;
  if (usesConfigOptions(state)) return setByCategory(context, 'mode', modeId);
  if (!modes) return notOffered('a mode');
  const valid = modes.availableModes.map((mode) => mode.id);
  if (!valid.includes(modeId)) return unknownValue('mode', modeId, valid);
  return optimistic(context, {
    show: (value: string) => context.link.emit({type: 'mode_set', modeId: value, at: Date.now()}),
    before: modes.currentModeId,
    wanted: modeId,
    request: (connection, sessionId) => connection.setMode(sessionId, modeId),
  });
}

/** The config option of category `model`, or the old `session/set_model`. */
export async function setModel(context: ClientContext, modelId: string): Promise<Result<void>> {
  const {configOptions, models} = context.link.state();
  if (configOptions?.some((option) => option.category === 'model') || !models) {
    return setByCategory(context, 'model', modelId);
  }
  const valid = models.availableModels.map((model) => model.modelId);
  if (!valid.includes(modelId)) return unknownValue('model', modelId, valid);
  return optimistic(context, {
    show: (value: string) => context.link.emit({type: 'model_set', modelId: value, at: Date.now()}),
    before: models.currentModelId,
    wanted: modelId,
    request: (connection, sessionId) => connection.setModel(sessionId, modelId),
  });
}

/** "Session Config Options": shown at once, replaced by the agent's own list, taken back when the agent refuses. */
export async function setConfigOption(
  context: ClientContext,
  configId: string,
  value: string | boolean,
): Promise<Result<void>> {
  const before = context.link.state().configOptions ?? [];
  const option = before.find((candidate) => candidate.id === configId);
  if (!option) {
    const known = before.map((candidate) => candidate.id);
    return known.length > 0 ? unknownValue('option', configId, known) : notOffered('an option');
  }
  const valid = validValues(option);
  if (!valid.includes(String(value)) || (option.type === 'boolean') !== (typeof value === 'boolean')) {
    return unknownValue(configId, String(value), valid);
  }
  const changed = {...option, currentValue: value} as acp.SessionConfigOption;
  return optimistic<readonly acp.SessionConfigOption[]>(context, {
    show: (configOptions) => context.link.emit({type: 'config_options_set', configOptions, at: Date.now()}),
    before,
    wanted: before.map((candidate) => (candidate === option ? changed : candidate)),
    request: (connection, sessionId) => connection.setConfigOption(sessionId, configId, value),
  });
}

function setByCategory(context: ClientContext, category: string, value: string): Promise<Result<void>> {
  const option = context.link.state().configOptions?.find((candidate) => candidate.category === category);
  return option ? setConfigOption(context, option.id, value) : Promise.resolve(notOffered(`a ${category}`));
}

interface Change<T> {
  readonly show: (value: T) => void;
  readonly before: T;
  readonly wanted: T;
  readonly request: (connection: Connection, sessionId: acp.SessionId) => Promise<Result<T | void>>;
}

/** Shows the wanted value, asks the agent, and shows what the agent says, or the old value when it refuses. */
async function optimistic<T>(context: ClientContext, change: Change<T>): Promise<Result<void>> {
  const {life, link} = context;
  const {sessionId} = link.state();
  if (!life || sessionId === undefined) return notOffered('a setting');
  change.show(change.wanted);
  const result = await change.request(life.connection, sessionId);
  const stillOpen = isCurrent(context, life) && link.state().sessionId === sessionId;
  if (!result.ok) {
    if (stillOpen) change.show(change.before);
    return result;
  }
  if (stillOpen && result.value !== undefined) change.show(result.value);
  return DONE;
}

/** The values that an option takes, as text. */
function validValues(option: acp.SessionConfigOption): string[] {
  if (option.type === 'boolean') return ['true', 'false'];
  return option.options.flatMap((item) =>
    'options' in item ? item.options.map((inner) => inner.value) : [item.value],
  );
}

function parseValue(context: ClientContext, id: string, text: string): string | boolean {
  const option = context.link.state().configOptions?.find((candidate) => candidate.id === id);
  if (option?.type !== 'boolean' || (text !== 'true' && text !== 'false')) return text;
  return text === 'true';
}

function unknownValue(what: string, value: string, valid: readonly string[]): Result<void> {
  return failed({kind: 'unknown_value', what, value, valid});
}

function notOffered(what: string): Result<void> {
  return failed({kind: 'not_offered', what, why: 'this agent does not offer it'});
}

function failed(failure: Failure): Result<void> {
  return {ok: false, failure};
}
