import type * as acp from '@agentclientprotocol/sdk/unstable';
import type {SessionActions} from '../../session/actions.ts';
import {currentMode, currentModel, modeChoices, modelChoices} from '../../session/selectors.ts';
import {configOption, configOptionOfCategory, type Choice} from '../../session/settings/options.ts';
import type {LegacyModels, SessionState} from '../../session/state.ts';
import {fail, type Result} from '../../shared/failure.ts';

/** An agent that a session can use. */
export interface AgentChoice {
  /** As `--agent` accepts it. */
  readonly id: string;
  readonly name: string;
}

/** What a session's settings are shown with. */
interface SettingsOffer {
  /** The agents to select from; the session's own is the `current` one. */
  readonly agents: readonly AgentChoice[];
  readonly agent: string;
  /** True if the editor has boolean options. */
  readonly takesBooleans: boolean;
}

/** The modes, models and options of a session, as the response to `session/new` has them. */
export interface EditorSettings {
  readonly modes?: acp.SessionModeState;
  readonly models?: LegacyModels;
  readonly configOptions: acp.SessionConfigOption[];
}

/** The option that selects the agent. */
export const AGENT_OPTION = 'agent';

/**
 * Returns a session's modes, models and options. Editors that know options ignore modes and models ("Session Config Options"), so these are options too, where
 * the agent has none for them.
 */
export function settingsOf(state: SessionState, offer: SettingsOffer): EditorSettings {
  const [mode, model] = [currentMode(state), currentModel(state)];
  const named = ({id, name, description}: Choice) => ({name, ...(description && {description}), id});
  const own = optionsOf(state);
  const shown = own.filter(({type}) => type === 'select' || (type === 'boolean' && offer.takesBooleans));
  const isTaken = own.some(({id}) => id === AGENT_OPTION);
  return {
    ...(mode && {modes: {currentModeId: mode.id, availableModes: modeChoices(state).map(named)}}),
    ...(model && {
      models: {
        currentModelId: model.id,
        availableModels: modelChoices(state).map((choice) => {
          const {id: modelId, name, description} = choice;
          return description ? {modelId, name, description} : {modelId, name};
        }),
      },
    }),
    configOptions: [...shown, ...(isTaken ? [] : [agentOption(offer)])],
  };
}

/** Returns the agent's options, after those that it lacks for its mode and model. */
function optionsOf(state: SessionState): readonly acp.SessionConfigOption[] {
  return [
    ...selectOf(state, 'mode', {name: 'Mode', choices: modeChoices(state), current: currentMode(state)}),
    ...selectOf(state, 'model', {name: 'Model', choices: modelChoices(state), current: currentModel(state)}),
    ...(state.configOptions ?? []),
  ];
}

function selectOf(
  state: SessionState,
  category: 'mode' | 'model',
  {name, choices, current}: {name: string; choices: readonly Choice[]; current: Choice | undefined},
): readonly acp.SessionConfigOption[] {
  const own = configOptionOfCategory(state, category) ?? configOption(state, category);
  if (!current || own) return [];
  const options = choices.map(({id: value, name, description}) => ({
    value,
    name,
    ...(description && {description}),
  }));
  return [{type: 'select', id: category, name, category, currentValue: current.id, options}];
}

function agentOption({agents, agent}: SettingsOffer): acp.SessionConfigOption {
  const known = agents.some(({id}) => id === agent) ? agents : [{id: agent, name: agent}, ...agents];
  return {
    type: 'select',
    id: AGENT_OPTION,
    name: 'Agent',
    description: 'Can be changed before the first prompt',
    category: '_agent',
    currentValue: agent,
    options: known.map(({id, name}) => ({value: id, name})),
  };
}

/** Sets an option of a session, or the mode or model that it stands for. */
export function setOption(
  state: SessionState,
  actions: Pick<SessionActions, 'setMode' | 'setModel' | 'setConfigOption'>,
  {configId, value}: {readonly configId: string; readonly value: string | boolean},
): Promise<Result<void>> {
  if (configOption(state, configId)) return actions.setConfigOption(configId, value);
  const valid = optionsOf(state).map(({id}) => id);
  if (!valid.includes(configId))
    return Promise.resolve(fail({kind: 'unknown_value', what: 'option', value: configId, valid}));
  return configId === 'mode' ? actions.setMode(String(value)) : actions.setModel(String(value));
}
