import type * as acp from '@agentclientprotocol/sdk/unstable';
import type {SessionEvent} from '../../session/events.ts';
import {exitLabel} from '../../session/labels/command-label.ts';
import {memoize} from '../../session/memoize.ts';
import type {SessionState, TerminalState} from '../../session/state.ts';
import {TOAST_MS, activeSession} from '../sessions.ts';
import type {OpenSession, AppState} from '../state.ts';
import type {CommandOutput, PromptAttachment} from './queued-prompt.ts';
import {counted, fenced} from '../../text/format.ts';
import {endOfText} from '../../text/truncate.ts';

/** The prefix of a shell command in the draft. */
export const SHELL_SIGN = '!';

/** Returns the command in a text; undefined if it is not a command. */
export function shellCommand(text: string): string | undefined {
  return text.startsWith(SHELL_SIGN) ? text.slice(SHELL_SIGN.length).trim() : undefined;
}

/** The terminals of the user's running commands. */
const runningOwn = memoize(
  (terminals: SessionState['terminals']): ReadonlySet<string> =>
    new Set(
      Object.values(terminals)
        .filter((terminal) => terminal.runBy === 'user' && isRunning(terminal))
        .map(({id}) => id),
    ),
);

/** Returns the terminal of the user's command to interrupt, if it started after the turn. */
export function commandToInterrupt({session}: OpenSession): string | undefined {
  const {turn, entries, terminals} = session;
  const running = runningOwn(terminals);
  // Checked first, because every key press calls this: without such a command no long transcript is searched.
  const newest =
    running.size === 0
      ? undefined
      : entries.findLast((entry) => entry.type === 'shell_command' && running.has(entry.terminalId));
  if (newest?.type !== 'shell_command') return undefined;
  const isBehindTurn = turn.kind === 'running' && turn.startedAt > newest.at;
  return isBehindTurn ? undefined : newest.terminalId;
}

/*
 * A running command can have the focus. If it exits while the user types, the keys were meant for it, possibly a password: they must reach neither the prompt
 * nor the agent. So keys are ignored until there is a pause, and the status line says so.
 */

/** The pause after which keys count again, in milliseconds. */
export const PAUSE_MS = 700;

/** Returns the running commands, most likely target first: those that wait for input, then the newest. */
export function runningCommands({terminals}: SessionState): readonly TerminalState[] {
  const running = Object.values(terminals).filter(isRunning).toReversed();
  return [
    ...running.filter(({awaitsInput}) => awaitsInput),
    ...running.filter(({awaitsInput}) => !awaitsInput),
  ];
}

/** True for a running command that acp-tui started. */
export function isRunning({runBy, exit, released}: TerminalState): boolean {
  return runBy !== 'agent' && exit === undefined && !released;
}

/** Returns the command that has the focus. */
export function activeCommand(state: AppState): TerminalState | undefined {
  return state.focus.kind === 'command' ? activeSession(state).session.terminals[state.focus.id] : undefined;
}

/** Returns the focus from a command that has exited. */
export function followCommand(state: AppState, at: number): AppState {
  if (state.focus.kind !== 'command') return state;
  const command = activeCommand(state);
  if (command && isRunning(command)) return state;
  const {overlay} = state;
  return {
    ...state,
    focus: {kind: 'prompt'},
    overlay: overlay.kind === 'more_keys' ? {kind: 'none'} : overlay,
    ignoreKeysUntil: at + PAUSE_MS,
  };
}

/** Lets keys count again after a pause. Called on ticks only, since the status line changes as well. */
export function acceptKeysAgain(state: AppState, at: number): AppState {
  if (state.ignoreKeysUntil === undefined || at < state.ignoreKeysUntil) return state;
  const toast = {text: 'The command has exited; keys go to the prompt again.', until: at + TOAST_MS};
  return {...state, ignoreKeysUntil: undefined, toast};
}

/** The maximum length of an attached output in UTF-16 units; the end is kept. */
export const MAX_OUTPUT_LENGTH = 16 * 1024;
/** Maximum number of attached outputs; the newest are kept. */
const MAX_OUTPUTS = 8;

/** Offers the output of a user's command when it exits; nothing if it succeeded without output. */
export function withOffered(open: OpenSession, event: SessionEvent): OpenSession {
  if (event.type !== 'terminal_exited') return open;
  const terminal = open.session.terminals[event.terminalId];
  if (terminal?.runBy !== 'user' || terminal.command === undefined) return open;
  const whole = terminal.output.trimEnd();
  if (whole.trim() === '' && event.exit.code === 0) return open;
  const text = endOfText(whole, MAX_OUTPUT_LENGTH);
  const isCut = terminal.truncated || text.length < whole.length;
  const output = {id: terminal.id, command: terminal.command, exit: event.exit, text, isCut};
  return {...open, outputs: [...open.outputs, output].slice(-MAX_OUTPUTS)};
}

/** Removes offered outputs from the session. */
export function withoutOutputs(
  open: OpenSession,
  gone: readonly Pick<PromptAttachment, 'id'>[],
): OpenSession {
  const outputs = open.outputs.filter(({id}) => !gone.some((each) => each.id === id));
  return outputs.length === open.outputs.length ? open : {...open, outputs};
}

/** The key in a block's `_meta` that names its command, for the transcript. */
const META_KEY = 'acp-tui/output';

/** Returns the content block of an attached output. */
export function outputBlock(output: CommandOutput): acp.ContentBlock {
  const {command, exit, text, isCut} = output;
  const ended = `I ran this command in my own shell; it ${exit.signal === null ? `ended with exit code ${exit.code ?? 'unknown'}` : `was ended by ${exit.signal}`}.`;
  const body =
    text === '' ? 'It printed nothing.' : fenced(isCut ? `[earlier output left out]\n${text}` : text);
  return {type: 'text', text: `${ended}\n$ ${command}\n${body}`, _meta: {[META_KEY]: outputLabel(output)}};
}

/** `npm test, exit code 1, 34 lines`. */
export function outputLabel({command, exit, text}: CommandOutput): string {
  const [first = '', ...others] = command.split('\n');
  const count = text === '' ? 0 : text.split('\n').length;
  const ended = exitLabel(exit) ?? [];
  const name = others.length > 0 ? `${first} …` : first;
  return [name, ended, counted(count, 'line')].flat().join(', ');
}

/** Returns the label of an attached output; undefined for other blocks. */
export function outputNotice({_meta}: {readonly _meta?: Record<string, unknown> | null}): string | undefined {
  const label = _meta?.[META_KEY];
  return typeof label === 'string' ? label : undefined;
}
