import {isIdle} from '../../session/selectors.ts';
import type {Choice} from '../../session/settings/options.ts';
import type {Reaction} from '../effects.ts';
import {withKey} from '../keymap/hints.ts';
import type {Keymap} from '../keymap/keymap.ts';
import {toast} from '../status/toasts.ts';
import type {AppState, Tab} from '../state.ts';

/** One of acp-tui's slash commands, as data for the menu, the help and the key handlers. */
export interface Command {
  /** Without the slash. */
  readonly name: string;
  /** Alternative names; an agent's command of that name takes precedence. */
  readonly aliases?: readonly string[];
  /** The argument as the menu shows it; undefined if there is none. */
  readonly argument?: string;
  readonly description: string;
  /** Returns why it cannot be used now; undefined if it can. */
  readonly unavailable?: (tab: Tab, keymap: Keymap) => string | undefined;
  /** Returns the possible arguments; undefined if unknown. */
  readonly complete?: (tab: Tab, argument: string, state: AppState) => Completion;
  /** Returns undefined if it has no such argument. */
  readonly run: (call: CommandCall) => Reaction | undefined;
}

/** The values for the word of an argument that is being typed. */
interface Completion {
  /** The text before that word, including the space. */
  readonly before: string;
  readonly typed: string;
  readonly choices: readonly Choice[];
  /** The id of the current value. */
  readonly current?: string | undefined;
  /** The argument that can follow a value, as the menu shows it. */
  readonly more?: string;
}

export interface CommandCall {
  readonly state: AppState;
  readonly tab: Tab;
  /** The text after the name, trimmed; may be empty. */
  readonly argument: string;
  /** Milliseconds on the window's clock. */
  readonly at: number;
}

/** Returns a path as it was completed with @, or quoted as for a shell. */
export function unquotedPath(argument: string): string {
  return argument.replace(/^@/, '').replace(/^(["'])(.*)\1$/su, '$2');
}

/** Returns why commands that need a session are unavailable; undefined if they are available. */
export function whyNotReady({session}: Tab): string | undefined {
  switch (session.connection.kind) {
    case 'ready':
      return undefined;
    case 'starting':
      return 'The session is still opening; try again in a moment.';
    case 'closed':
      return 'This session has ended; /restart opens it again.';
    default:
      return 'No session is open; send an empty prompt for options.';
  }
}

/** Returns why what must not happen during a turn is unavailable; undefined if none runs or is about to. */
export function whyTurnRuns({session}: Tab, keymap: Keymap): string | undefined {
  if (isIdle(session) && !session.queue.isSending) return undefined;
  return withKey('A turn is running', 'cancel_or_back', 'cancels it', keymap);
}

type Named = Pick<Choice, 'id' | 'name'>;

/** Returns the choice with this id or name, or the only one that starts with it. */
export function findChoice<Meant extends Named>(
  choices: readonly Meant[],
  argument: string,
): Meant | undefined {
  const wanted = argument.toLowerCase();
  const isNamed = (choice: Named) => choice.id === argument || choice.name.toLowerCase() === wanted;
  const begins = choices.filter(
    ({id, name}) => id.toLowerCase().startsWith(wanted) || name.toLowerCase().startsWith(wanted),
  );
  return choices.find(isNamed) ?? (begins.length === 1 ? begins[0] : undefined);
}

/** Returns names as choices. */
export function namedChoices(names: readonly string[]): readonly Choice[] {
  return names.map((name) => ({id: name, name}));
}

/** Completes the name of an agent that is configured or installed. */
export function completeAgent(_: Tab, typed: string, {agentNames}: AppState): Completion {
  return {before: '', typed, choices: namedChoices(agentNames)};
}

const MAX_LISTED = 12;

/** Says that there is no such choice, and lists the known ones. */
export function unknownText(what: string, choices: readonly Named[], typed: string): string {
  const listed = choices.slice(0, MAX_LISTED).map((choice) => choice.id);
  const more = choices.length - listed.length;
  const rest = more > 0 ? ` and ${more} more` : '';
  return `Unknown ${what} "${typed}". Available: ${listed.join(', ')}${rest}.`;
}

export function unknownChoice(what: string, choices: readonly Named[], call: CommandCall): Reaction {
  return toast(unknownText(what, choices, call.argument), call.at);
}

/** Returns why a command without arguments is not run with one; undefined otherwise. */
export function superfluous(
  {name, argument}: {readonly name: string; readonly argument?: string},
  typed: string,
): string | undefined {
  if (argument !== undefined || typed === '') return undefined;
  return `/${name} has no arguments. //${name} runs the agent’s command; a leading space sends text.`;
}
