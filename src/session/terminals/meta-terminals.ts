import type * as acp from '@agentclientprotocol/sdk/unstable';
import {sanitizeLine} from '../../text/sanitize.ts';
import {isJsonObject} from '../../text/json.ts';
import type {SessionState, TerminalState} from '../state.ts';
import {changeTerminal, unseenTerminal, writeTerminal} from './terminals.ts';

/** Fields in `_meta` of a tool call with which agents report commands that they run themselves. */
interface Described {
  readonly terminal_id: acp.TerminalId;
  readonly cwd?: unknown;
  readonly command?: unknown;
  /** The capabilities of a terminal of version 2; absent if they stay as they were. */
  readonly capabilities?: unknown;
  readonly data?: unknown;
  readonly exit_code?: unknown;
  readonly signal?: unknown;
}

const KEYS = ['terminal_info', 'terminal_output', 'terminal_output_delta', 'terminal_exit'] as const;

/** Returns the ids of the terminals in the `_meta` of a tool call. */
export function metaTerminalIds(patch: acp.ToolCallUpdate): readonly acp.TerminalId[] {
  const ids = KEYS.flatMap((key) => described(patch, key)?.terminal_id ?? []);
  return [...new Set(ids)];
}

/** Returns the terminal output in a tool call's `_meta`, in order. */
export function metaTerminalOutput(
  patch: acp.ToolCallUpdate,
): readonly {readonly id: acp.TerminalId; readonly data: string; readonly hasEnded: boolean}[] {
  return KEYS.flatMap((key) => {
    const part = described(patch, key);
    if (part === undefined) return [];
    const data = typeof part.data === 'string' ? part.data : '';
    return [{id: part.terminal_id, data, hasEnded: key === 'terminal_exit'}];
  });
}

/** Applies them to the terminals. Output and delta both append; terminals that acp-tui runs are ignored. */
export function applyMetaTerminals(before: SessionState, patch: acp.ToolCallUpdate): SessionState {
  let state = before;
  for (const key of KEYS) {
    const part = described(patch, key);
    if (part === undefined) continue;
    const terminal = state.terminals.get(part.terminal_id) ?? unseenTerminal(part.terminal_id, 'agent');
    if (terminal.runBy !== 'agent') continue;
    const cwd = typeof part.cwd === 'string' ? part.cwd : terminal.cwd;
    const command = typeof part.command === 'string' ? sanitizeLine(part.command) : terminal.command;
    const written = writeTerminal(terminal, typeof part.data === 'string' ? part.data : '');
    const exit = key === 'terminal_exit' ? exitOf(part) : terminal.exit;
    state = changeTerminal(state, {...written, cwd, command, exit, released: false, ...cancelOf(part)});
  }
  return state;
}

function described(patch: acp.ToolCallUpdate, key: (typeof KEYS)[number]): Described | undefined {
  const part = patch._meta?.[key];
  if (typeof part !== 'object' || part === null) return undefined;
  return 'terminal_id' in part && typeof part.terminal_id === 'string' ? (part as Described) : undefined;
}

function cancelOf({capabilities}: Described): Pick<TerminalState, 'canCancel'> {
  if (capabilities === undefined) return {};
  return {canCancel: isJsonObject(capabilities) && isJsonObject(capabilities['cancel'])};
}

function exitOf({exit_code, signal}: Described) {
  return {
    code: typeof exit_code === 'number' ? exit_code : null,
    signal: typeof signal === 'string' ? signal : null,
  };
}
