import {rowsOfToolCall} from '../../components/tool-call/tool-call.ts';
import type {ToolCallEntry} from '../../src/session/entries.ts';
import type {TerminalState} from '../../src/session/state.ts';
import {plainTheme} from '../support/screen/theme.ts';
import {IdMap} from '../../src/session/terminals/id-map.ts';

export const call = (changes: Partial<ToolCallEntry> = {}): ToolCallEntry => ({
  id: '1',
  turn: 1,
  at: 0,
  type: 'tool_call',
  toolCallId: 'a',
  title: 'Look around',
  name: undefined,
  kind: 'other',
  status: 'completed',
  content: [],
  locations: [],
  rawInput: undefined,
  rawOutput: undefined,
  endedAt: undefined,
  permission: undefined,
  ...changes,
});

export const text = (value: string) => ({
  type: 'content' as const,
  content: {type: 'text' as const, text: value},
});
export const lines = (count: number) =>
  Array.from({length: count}, (_, line) => `line ${line + 1}`).join('\n');

export const terminal = (changes: Partial<TerminalState> = {}): TerminalState => ({
  id: 't',
  runBy: 'client',
  command: 'npm test',
  cwd: '/work',
  pty: false,
  screen: undefined,
  isBehind: false,
  awaitsInput: false,
  output: lines(30),
  carry: '',
  truncated: false,
  exit: undefined,
  released: false,
  ...changes,
});

export const byId = (...terminals: readonly TerminalState[]) => IdMap.from(terminals);

export const card = (changes: Partial<ToolCallEntry>, terminals: readonly TerminalState[] = []) =>
  rowsOfToolCall(call(changes), plainTheme({terminals: byId(...terminals)})).join('\n');

/** A row of a tool call with figures at its right edge. */
export function row(left: string, figures: string): string {
  return left + ' '.repeat(50 - left.length - figures.length) + figures;
}
