import type {SessionEvent} from '../../session/events.ts';
import {currentMode, currentModel, modeChoices} from '../../session/selectors.ts';
import {configOption, optionValueName, type Choice} from '../../session/settings/options.ts';
import {asksLess, stopsAsking} from '../../session/settings/unattended.ts';
import type {SessionState} from '../../session/state.ts';

/** Returns a notice about a changed setting and its side effects, after what the window `says` of it already; undefined for other events. */
export function settingChangeNotice(
  before: SessionState,
  now: SessionState,
  {event: {type}, says}: {readonly event: SessionEvent; readonly says: string | undefined},
): string | undefined {
  switch (type) {
    case 'mode_set':
      return withSkipped(modeNotice(currentMode(before), currentMode(now)), before, says);
    case 'model_set':
      return named('Model', currentModel(before)?.name, currentModel(now)?.name);
    case 'config_options_set':
      return withSkipped(optionChangeNotice(before, now), before, says);
    default:
      return undefined;
  }
}

/** Adds the modes that the key has skipped, which it said when it was pressed: a list, a command and the agent itself skip none. */
function withSkipped(
  notice: string | undefined,
  before: SessionState,
  says: string | undefined,
): string | undefined {
  const {skipped} = modeAfter(modeChoices(before), currentMode(before)?.id);
  const isStep = skipped.length > 0 && says === skippedText(skipped);
  return notice !== undefined && isStep ? `${notice} ${says}` : notice;
}

function modeNotice(before: Choice | undefined, now: Choice | undefined): string | undefined {
  const notice = named('Mode', before?.name, now?.name);
  const isLess = notice !== undefined && before && now && asksLess(now, before);
  return isLess ? `${notice} The agent asks less than in ${before.name}.` : notice;
}

function named(what: string, before: string | undefined, now: string | undefined): string | undefined {
  return now === undefined || now === before ? undefined : `${what}: ${now}.`;
}

function optionChangeNotice(before: SessionState, now: SessionState): string | undefined {
  const notices = (now.configOptions ?? []).flatMap((option) => {
    const old = configOption(before, option.id);
    const value = optionValueName(option);
    return old && optionValueName(old) === value ? [] : `${option.name}: ${value}.`;
  });
  const gone = (before.configOptions ?? [])
    .filter((option) => !configOption(now, option.id))
    .map((option) => `${option.name} is no longer available.`);
  return [...notices, ...gone].join(' ') || undefined;
}

/** The mode after pressing the key for the next mode, and the modes it skips. */
interface ModeStep {
  /** Undefined if there is no other mode in which the agent asks. */
  readonly next: Choice | undefined;
  readonly skipped: readonly Choice[];
}

/** Returns the next mode in which the agent still asks, wrapping around. */
export function modeAfter(modes: readonly Choice[], currentId: string | undefined): ModeStep {
  const current = modes.findIndex(({id}) => id === currentId);
  const others = [...modes.slice(current + 1), ...modes.slice(0, Math.max(0, current))];
  const at = others.findIndex((mode) => !stopsAsking(mode));
  return {next: others[at], skipped: at === -1 ? others : others.slice(0, at)};
}

export function skippedText(skipped: readonly Choice[]): string {
  if (skipped.length === 0) return 'This agent has no other mode.';
  return `Skipped ${skipped.map(({name}) => name).join(', ')}; /mode lists ${skipped.length === 1 ? 'it' : 'them'}.`;
}
