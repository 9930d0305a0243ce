import type * as acp from '@agentclientprotocol/sdk/unstable';
import {
  choiceWithId,
  configOptionOfCategory,
  optionChoices,
  optionValueName,
  type Choice,
} from './options.ts';
import {currentMode, modeChoices} from '../selectors.ts';
import type {SessionState} from '../state.ts';
import {truncate} from '../../text/truncate.ts';

/*
 * Modes and options in which an agent stops asking for permission, or asks less. The protocol has no field for it, so names and descriptions decide; the test has the modes
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

/** It says that the user is asked. */
const ASKS =
  /\b(?:requires?|prompts? for|asks? (?:before|for|first)|always asks?)\b|\b(?:approval is required|manual approvals?)\b/;
/** Names of a mode that asks, unless its description says otherwise: not all agents describe their modes. */
const ASKS_NAMES = /^(?:default|normal|standard|manual|ask|alwaysask)(?:mode)?$/;
/** It says that the agent, a model or a list decides instead. */
const DECIDES: readonly RegExp[] = [
  /\bhandles? (?:all |the |your )?(?:permission|approval)/,
  /\b(?:decides?|judges?|chooses?|makes?)\b.*\b(?:permission|approval|approve|ask|allow)/,
  /\bclassifier\b/,
  /\bonly asks?\b/,
  /\bauto(?:matic(?:ally)?)?[- ]?(?:approv|accept|allow|confirm|run|execut)/,
  /\bwithout (?:asking|confirm|approv|permission|prompt)/,
];
const DECIDES_NAMES = /^(?:auto|accept)(?:mode|edits?|accept|run|review|pilot)?$/;

/** How much an agent does unasked in a mode, as far as it says: 0 if it asks, 1 if something else decides at times, 2 if it does not ask. */
function unaskedIn(mode: Choice): 0 | 1 | 2 | undefined {
  if (stopsAsking(mode)) return 2;
  const words = (mode.description ?? '').toLowerCase();
  if (DECIDES.some((pattern) => pattern.test(words))) return 1;
  if (ASKS.test(words)) return 0;
  const names = [mode.id, mode.name].map(lettersOf);
  if (words === '' && names.some((name) => DECIDES_NAMES.test(name))) return 1;
  return names.some((name) => ASKS_NAMES.test(name)) ? 0 : undefined;
}

/** True if the agent says that it asks less in this mode than in the other one, or that it asks in this one no more. */
export function asksLess(mode: Choice, other: Choice): boolean {
  const [now = 0, then = now === 2 ? 0 : now] = [unaskedIn(mode), unaskedIn(other)];
  return now > then;
}

/** Returns a sentence if the agent asks less in its mode than in another one: the one `before`, or any that it offers. */
export function asksLessText(session: SessionState, before?: Choice): string | undefined {
  const mode = currentMode(session);
  const others = before === undefined ? modeChoices(session) : [before];
  const other = mode && others.find((each) => asksLess(mode, each));
  if (!mode || !other) return undefined;
  const says = mode.description ? ` (“${truncate(mode.description, MAX_DESCRIPTION)}”)` : '';
  const than = before === undefined ? other.name : `${other.name}, its mode before`;
  return `The agent starts in the mode ${mode.name}${says} and asks less than in ${than}; /mode or --mode changes that.`;
}

/** Returns a sentence about an option with which the agent does not ask. */
export function doesNotAskText(option: acp.SessionConfigOption): string {
  return `The agent starts with ${option.name}: ${optionValueName(option)} and does not ask; /options or --set changes that.`;
}

/** In columns. */
const MAX_DESCRIPTION = 100;

/** True if this value of an option stops the agent from asking: "Bypass permissions" among modes, "Allow all: on". */
export function valueStopsAsking(session: SessionState, configId: string, value: string | boolean): boolean {
  const option = session.configOptions?.find(({id}) => id === configId);
  if (!option || isAboutTheModel(option.category)) return false;
  if (!isOff(value) && stopsAsking({id: option.id, name: option.name})) return true;
  return typeof value === 'string' && stopsAsking(choiceWithId(optionChoices(option), value));
}

/** True if the agent does not ask in its mode, or asks less than in the mode before. */
export function modeAsksLess(before: SessionState, now: SessionState): boolean {
  const [was, mode] = [currentMode(before), currentMode(now)];
  return mode !== undefined && (stopsAsking(mode) || (was !== undefined && asksLess(mode, was)));
}

/** True if the agent does not ask with this option, or it is the mode and the agent asks less than before. */
export function optionAsksLess(
  before: SessionState,
  now: SessionState,
  option: acp.SessionConfigOption,
): boolean {
  const isMode = option === configOptionOfCategory(now, 'mode');
  return isMode ? modeAsksLess(before, now) : valueStopsAsking(now, option.id, option.currentValue);
}

/** Returns the names of the settings in which the agent does not ask now: its mode first, which may also be one in which it asks less than in another one, then options. */
export function unattendedBy(session: SessionState): readonly string[] {
  const mode = currentMode(session);
  const isMarked = mode && (stopsAsking(mode) || modeChoices(session).some((other) => asksLess(mode, other)));
  return [...(isMarked ? [mode.name] : []), ...unattendedOptions(session).map(({name}) => name)];
}

/** Returns what was said of its settings when the session was opened, and still holds. */
export function startWarnings(session: SessionState): readonly string[] {
  const current = new Set([currentMode(session)?.name, ...unattendedBy(session)]);
  return (session.startWarnings ?? []).filter(({setting}) => current.has(setting)).map(({text}) => text);
}

/** Returns the options with which the agent does not ask now; the mode is none of them. */
export function unattendedOptions(session: SessionState): readonly acp.SessionConfigOption[] {
  const mode = configOptionOfCategory(session, 'mode');
  return (session.configOptions ?? []).filter(
    (option) => option !== mode && valueStopsAsking(session, option.id, option.currentValue),
  );
}

function lettersOf(text: string): string {
  // Some agents use a URL as id of a mode: its last segment is the name.
  const last = text.split(/[/#]/).at(-1) ?? text;
  return last.toLowerCase().replace(/[^a-z]/g, '');
}

const ABOUT_THE_MODEL: ReadonlySet<string> = new Set(['model', 'model_config', 'thought_level', 'speed']);

function isAboutTheModel(category: string | null | undefined): boolean {
  return ABOUT_THE_MODEL.has(category ?? '');
}

function isOff(value: string | boolean): boolean {
  return value === false || /^(?:off|false|no|none|never|disabled?|0|ask|default)$/i.test(String(value));
}
