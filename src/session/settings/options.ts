import type * as acp from '@agentclientprotocol/sdk/unstable';
import {sanitizeLine} from '../../text/sanitize.ts';
import {memoize} from '../memoize.ts';
import type {LegacyModels, SessionState} from '../state.ts';

/** An available mode, model or option value. */
export interface Choice {
  /** Sent back to the agent unchanged. */
  readonly id: string;
  readonly name: string;
  readonly description?: string;
  /** The name of its group. */
  readonly group?: string;
}

/**
 * "Session Config Options", relationship to modes: the option of the category `mode` replaces the session's modes. Options of other categories do not: some agents
 * send them beside modes that nothing else can change.
 */
export function modesOf(session: SessionState): acp.SessionModeState | undefined {
  return configOptionOfCategory(session, 'mode') === undefined ? session.modes : undefined;
}

export function configOption(session: SessionState, id: string): acp.SessionConfigOption | undefined {
  return session.configOptions?.find((option) => option.id === id);
}

/**
 * Returns the option of a category. If several have it, the one with that id or name, else the first: the agent's order is its priority. Categories are
 * optional, so an option of that name without a category also matches.
 */
export function configOptionOfCategory(
  session: SessionState,
  category: 'mode' | 'model' | 'speed' | 'thought_level',
): acp.SessionConfigOption | undefined {
  const selects = session.configOptions?.filter((option) => option.type === 'select');
  const ofCategory = selects?.filter((option) => option.category === category) ?? [];
  const names = (option: acp.SessionConfigOption) => [option.id.toLowerCase(), option.name.toLowerCase()];
  return (
    ofCategory.find((option) => names(option).includes(category)) ??
    ofCategory.find((option) => names(option).some((name) => name.includes(category))) ??
    ofCategory[0] ??
    selects?.find((option) => option.id === category && !option.category)
  );
}

/** Returns the options in the agent's order, with the model's parameters (`model_config`) and its speed right after the model. */
export function optionsToShow(session: SessionState): readonly acp.SessionConfigOption[] {
  const {configOptions = []} = session;
  const model = configOptionOfCategory(session, 'model');
  if (model === undefined) return configOptions;
  const parameters = configOptions.filter(
    ({category}) => category === 'model_config' || category === 'speed',
  );
  const others = configOptions.filter((option) => !parameters.includes(option));
  const end = others.indexOf(model) + 1;
  return [...others.slice(0, end), ...parameters, ...others.slice(end)];
}

/** Returns the values of an option without groups, in the agent's order; none for a boolean. */
export function optionChoices(option: acp.SessionConfigOption): readonly Choice[] {
  return option.type === 'select' ? selectChoices(option.options) : [];
}

/** Returns the display name of an option's value. */
export function optionValueName(option: acp.SessionConfigOption): string {
  if (option.type === 'boolean') return option.currentValue ? 'on' : 'off';
  return choiceWithId(optionChoices(option), option.currentValue).name;
}

/** Returns the choice with this id; an unknown one is named by its id. */
export function choiceWithId(choices: readonly Choice[], id: string): Choice {
  const known = byId(choices);
  const found = known.get(id) ?? choice({id, name: ''});
  known.set(id, found);
  return found;
}

export const modeListChoices = memoize((modes: readonly acp.SessionMode[]): readonly Choice[] =>
  modes.map(({id, name, description}) => choice({id, name, description})),
);

export const modelListChoices = memoize((models: LegacyModels['availableModels']): readonly Choice[] =>
  models.map(({modelId, name, description}) => choice({id: modelId, name, description})),
);

const selectChoices = memoize((options: acp.SessionConfigSelectOptions): readonly Choice[] =>
  options.flatMap((item) =>
    'options' in item
      ? item.options.map((option) => choice({...option, id: option.value, group: item.name}))
      : choice({...item, id: item.value}),
  ),
);

const byId = memoize((choices: readonly Choice[]) => new Map(choices.map((choice) => [choice.id, choice])));

function choice(fields: {
  readonly id: string;
  readonly name: string;
  readonly description?: string | null | undefined;
  readonly group?: string;
}): Choice {
  const {id, name, description, group} = fields;
  return {
    id,
    name: sanitizeLine(name || id),
    ...(description ? {description} : {}),
    ...(group ? {group: sanitizeLine(group)} : {}),
  };
}
