import type * as acp from '@agentclientprotocol/sdk/unstable';
import {appendTerminalText, emptyTerminalText} from '../../text/terminal-output.ts';
import type {SessionEventOf} from '../events.ts';
import {changeScreen} from './terminal-screen.ts';
import type {SessionState, TerminalState} from '../state.ts';
import {IdMap} from './id-map.ts';
import {appendEntry, replaceEntry} from '../transcript/transcript.ts';

/** The length of terminal output that the state keeps, in UTF-16 units. */
export const TERMINAL_TAIL = 64 * 1024;

export function unseenTerminal(id: acp.TerminalId, runBy: TerminalState['runBy']): TerminalState {
  return {
    id,
    runBy,
    command: undefined,
    cwd: undefined,
    pty: false,
    screen: undefined,
    isBehind: false,
    awaitsInput: false,
    output: emptyTerminalText.text,
    carry: emptyTerminalText.carry,
    truncated: emptyTerminalText.truncated,
    exit: undefined,
    released: false,
  };
}

export function writeTerminal(terminal: TerminalState, data: string): TerminalState {
  if (data === '') return terminal;
  const {output, truncated, carry} = terminal;
  const written = appendTerminalText({text: output, truncated, carry}, data, TERMINAL_TAIL);
  return {...terminal, output: written.text, truncated: written.truncated, carry: written.carry};
}

export function changeTerminal(state: SessionState, terminal: TerminalState): SessionState {
  return {...state, terminals: state.terminals.with(terminal)};
}

export function terminalCreated(
  state: SessionState,
  event: SessionEventOf<'terminal_created'>,
): SessionState {
  const {terminalId, command, cwd, pty, runBy = 'client', at} = event;
  const created = changeTerminal(state, {...unseenTerminal(terminalId, runBy), command, cwd, pty});
  if (runBy !== 'user') return created;
  return appendEntry(created, {type: 'shell_command', command, terminalId, endedAt: undefined}, at);
}

export function terminalOutput(state: SessionState, event: SessionEventOf<'terminal_output'>): SessionState {
  const terminal = state.terminals.get(event.terminalId);
  return terminal === undefined
    ? state
    : changeTerminal(state, {...writeTerminal(terminal, event.data), awaitsInput: false});
}

export function terminalDrawn(state: SessionState, event: SessionEventOf<'terminal_drawn'>): SessionState {
  const terminal = state.terminals.get(event.terminalId);
  if (terminal === undefined) return state;
  const {isBehind, change} = event;
  const screen = change ? changeScreen(terminal.screen, change) : terminal.screen;
  return changeTerminal(state, {...terminal, screen, isBehind});
}

export function terminalWaits(state: SessionState, event: SessionEventOf<'terminal_waits'>): SessionState {
  const terminal = state.terminals.get(event.terminalId);
  if (terminal === undefined || terminal.exit !== undefined) return state;
  return changeTerminal(state, {...terminal, awaitsInput: true});
}

export function terminalExited(state: SessionState, event: SessionEventOf<'terminal_exited'>): SessionState {
  const terminal = state.terminals.get(event.terminalId);
  if (terminal === undefined) return state;
  const exited = changeTerminal(state, {...terminal, exit: event.exit, awaitsInput: false});
  return terminal.runBy === 'user' ? endShellCommand(exited, terminal.id, event.at) : exited;
}

function endShellCommand(state: SessionState, terminalId: acp.TerminalId, at: number): SessionState {
  const index = state.entries.findLastIndex(
    (entry) => entry.type === 'shell_command' && entry.terminalId === terminalId,
  );
  const entry = state.entries.get(index);
  return entry?.type === 'shell_command' ? replaceEntry(state, index, {...entry, endedAt: at}) : state;
}

/** Commands of an earlier run of acp-tui, or of an agent that is gone, are no longer running. */
export function endTerminals(state: SessionState, runBy?: TerminalState['runBy']): SessionState {
  const ended = Array.from(state.terminals, (terminal) =>
    terminal.exit || (runBy !== undefined && terminal.runBy !== runBy)
      ? terminal
      : {...terminal, released: true, awaitsInput: false, isBehind: false},
  );
  return {...state, terminals: IdMap.from(ended)};
}

/** Its output stays visible ("Terminals", embedding). */
export function terminalReleased(
  state: SessionState,
  event: SessionEventOf<'terminal_released'>,
): SessionState {
  const terminal = state.terminals.get(event.terminalId);
  return terminal === undefined ? state : changeTerminal(state, {...terminal, released: true});
}
