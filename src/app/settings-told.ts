import type {SessionEvent} from '../session/events.ts';
import {configOption, optionValueName} from '../session/options.ts';
import {currentMode, currentModel, modeChoices} from '../session/selectors.ts';
import type {SessionState} from '../session/state.ts';
import {modeAfter, skippedText} from './mode-cycle.ts';

/** What a setting that was made here has changed, side effects among it; undefined for other events. */
export function settingsTold(
  before: SessionState,
  now: SessionState,
  {type}: SessionEvent,
): string | undefined {
  switch (type) {
    case 'mode_set':
      return withSkipped(named('Mode', currentMode(before)?.name, currentMode(now)?.name), before, now);
    case 'model_set':
      return named('Model', currentModel(before)?.name, currentModel(now)?.name);
    case 'config_options_set':
      return withSkipped(optionsTold(before, now), before, now);
    default:
      return undefined;
  }
}

/** With the modes that were stepped over because the agent stops asking in them. */
function withSkipped(told: string | undefined, before: SessionState, now: SessionState): string | undefined {
  const mode = currentMode(now);
  const {next, skipped} = modeAfter(modeChoices(now), currentMode(before)?.id);
  const isStep = mode !== undefined && mode.id !== currentMode(before)?.id && mode.id === next?.id;
  return told !== undefined && isStep && skipped.length > 0 ? `${told} ${skippedText(skipped)}` : told;
}

function named(what: string, before: string | undefined, now: string | undefined): string | undefined {
  return now === undefined || now === before ? undefined : `${what}: ${now}.`;
}

function optionsTold(before: SessionState, now: SessionState): string | undefined {
  const told = (now.configOptions ?? []).flatMap((option) => {
    const old = configOption(before, option.id);
    const value = optionValueName(option);
    return old && optionValueName(old) === value ? [] : `${option.name}: ${value}.`;
  });
  const gone = (before.configOptions ?? [])
    .filter((option) => !configOption(now, option.id))
    .map((option) => `${option.name} is gone.`);
  return [...told, ...gone].join(' ') || undefined;
}
