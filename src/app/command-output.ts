import type * as acp from '@agentclientprotocol/sdk/unstable';
import type {ProcessExit} from '../shared/failure.ts';
import type {SessionEvent} from '../session/events.ts';
import {exitWords} from '../session/words/exit.ts';
import type {OpenSession} from './state.ts';

/** What a command of the user printed, to go along with the next prompt. */
export interface CommandOutput {
  readonly id: string;
  /** As it was typed. */
  readonly command: string;
  readonly exit: ProcessExit;
  readonly text: string;
  /** True when the start of it is left out. */
  readonly isCut: boolean;
}

/** How much of an output goes along, in UTF-16 units: its end. */
export const LONGEST_OUTPUT = 16 * 1024;
/** Of more commands the newest go along. */
const MOST_OUTPUTS = 8;

/** Offers what a command of the user printed when it ends; one that did well and printed nothing has nothing to offer. */
export function withOffered(open: OpenSession, event: SessionEvent): OpenSession {
  if (event.type !== 'terminal_exited') return open;
  const terminal = open.session.terminals[event.terminalId];
  if (terminal?.runBy !== 'user' || terminal.command === undefined) return open;
  const whole = terminal.output.trimEnd();
  if (whole.trim() === '' && event.exit.code === 0) return open;
  const text = endOf(whole);
  const isCut = terminal.truncated || text.length < whole.length;
  const output = {id: terminal.id, command: terminal.command, exit: event.exit, text, isCut};
  return {...open, outputs: [...open.outputs, output].slice(-MOST_OUTPUTS)};
}

/** The session without some that were offered. */
export function withoutOutputs(open: OpenSession, gone: readonly Pick<CommandOutput, 'id'>[]): OpenSession {
  const outputs = open.outputs.filter(({id}) => !gone.some((each) => each.id === id));
  return outputs.length === open.outputs.length ? open : {...open, outputs};
}

/** From the start of a line where there is one. */
function endOf(text: string): string {
  if (text.length <= LONGEST_OUTPUT) return text;
  const from = text.length - LONGEST_OUTPUT;
  const lineEnd = text.indexOf('\n', from);
  const start = lineEnd === -1 ? from : lineEnd + 1;
  return text.slice(/^[\uDC00-\uDFFF]/.test(text.charAt(start)) ? start + 1 : start);
}

/** The key in `_meta` of a block that says which command it tells of, for the transcript. */
const META_KEY = 'acp-tui/output';

/** What the agent gets of it. */
export function outputBlock(output: CommandOutput): acp.ContentBlock {
  const {command, exit, text, isCut} = output;
  const ended = `I ran this command in my own shell; it ${exit.signal === null ? `ended with exit code ${exit.code ?? 'unknown'}` : `was ended by ${exit.signal}`}.`;
  const body =
    text === '' ? 'It printed nothing.' : fenced(isCut ? `[earlier output left out]\n${text}` : text);
  return {type: 'text', text: `${ended}\n$ ${command}\n${body}`, _meta: {[META_KEY]: outputLabel(output)}};
}

/** Behind a fence that does not occur in it. */
function fenced(text: string): string {
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = '`'.repeat(longest + 1);
  return `${fence}\n${text}\n${fence}`;
}

/** `npm test, exit code 1, 34 lines`. */
export function outputLabel({command, exit, text}: CommandOutput): string {
  const [first = '', ...others] = command.split('\n');
  const count = text === '' ? 0 : text.split('\n').length;
  const ended = exitWords(exit) ?? [];
  const name = others.length > 0 ? `${first} …` : first;
  return [name, ended, count === 1 ? '1 line' : `${count} lines`].flat().join(', ');
}

/** What a block of a prompt tells the output of; undefined for all others. */
export function outputTold({_meta}: {readonly _meta?: Record<string, unknown> | null}): string | undefined {
  const label = _meta?.[META_KEY];
  return typeof label === 'string' ? label : undefined;
}
