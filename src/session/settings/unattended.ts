import {chosen, configOptionOfCategory, optionChoices, type Choice} from './options.ts';
import {currentMode} from '../selectors.ts';
import type {SessionState} from '../state.ts';

/*
 * Modes and options in which an agent stops asking for permission. The protocol has no field for it, so names and descriptions decide; the test has the modes
 * of real agents.
 */

/** Matched against an id or name in lower case, letters only. */
const NAMES =
  /bypass|yolo|autopilot|fullaccess|danger|allowall|approveall|skippermission|unrestricted|fullauto|neverask|bravemode|^brave$|^(?:auto|always)approve$/;

const DESCRIPTIONS: readonly RegExp[] = [
  /\b(?:bypass|skip|disable|ignor)\w* (?:all |every |any )?(?:permission|approval|confirmation|safety)/,
  /\bauto(?:matically)?[- ]?(?:approv|accept|allow|confirm)\w* (?:all|every|any|tool calls|tools|actions|commands)\b/,
  /\b(?:approv|accept|allow)\w* (?:all|every|any) (?:tool|action|command|request|permission)/,
  /\b(?:without|never|no) (?:any |ever |further )?(?:asking|asks?|approvals?|confirmations?|confirming|permissions?|prompting|prompts)\b/,
  /\bdangerous(?:ly)?\b.*\bpermission/,
];

/** Descriptions that contradict it: the agent still asks or refuses in some cases, or only edits are meant. */
const STILL_ASKS =
  /\b(?:den(?:y|ies|ied)|den(?:y|ies) if|rejects?|blocks?|read-only|prompts? (?:for|before)|asks? (?:before|for|only)|only asks?|except|edits?|edit tools?|writes?)\b/;

/** True if the name or description of a mode or option value says that the agent stops asking for permission. */
export function stopsAsking({id, name, description = ''}: Choice): boolean {
  if ([id, name].some((each) => NAMES.test(lettersOf(each)))) return true;
  const words = description.toLowerCase();
  return DESCRIPTIONS.some((pattern) => pattern.test(words)) && !STILL_ASKS.test(words);
}

/** True if this value of an option stops the agent from asking: "Bypass permissions" among modes, "Allow all: on". */
export function valueStopsAsking(session: SessionState, configId: string, value: string | boolean): boolean {
  const option = session.configOptions?.find(({id}) => id === configId);
  if (!option || isAboutTheModel(option.category)) return false;
  if (!isOff(value) && stopsAsking({id: option.id, name: option.name})) return true;
  return typeof value === 'string' && stopsAsking(chosen(optionChoices(option), value));
}

/** Returns the names of the settings in which the agent does not ask now: its mode first, then options. */
export function unattendedBy(session: SessionState): readonly string[] {
  const mode = currentMode(session);
  const modeOption = configOptionOfCategory(session, 'mode');
  const options = (session.configOptions ?? []).filter(
    (option) => option !== modeOption && valueStopsAsking(session, option.id, option.currentValue),
  );
  return [...(mode && stopsAsking(mode) ? [mode.name] : []), ...options.map(({name}) => name)];
}

function lettersOf(text: string): string {
  // Some agents use a URL as id of a mode: its last segment is the name.
  const last = text.split(/[/#]/).at(-1) ?? text;
  return last.toLowerCase().replace(/[^a-z]/g, '');
}

function isAboutTheModel(category: string | null | undefined): boolean {
  return category === 'model' || category === 'model_config' || category === 'thought_level';
}

function isOff(value: string | boolean): boolean {
  return value === false || /^(?:off|false|no|none|never|disabled?|0|ask|default)$/i.test(String(value));
}
