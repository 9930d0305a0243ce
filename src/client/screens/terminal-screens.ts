import type * as acp from '@agentclientprotocol/sdk/unstable';
import {describedOutput} from '../../session/described-terminals.ts';
import type {SessionEvent, Update} from '../../session/events.ts';
import type {Log} from '../options.ts';
import {createDrawnTerminal, type DrawnTerminal} from './drawn-terminal.ts';

export interface TerminalScreensOptions {
  readonly emit: (event: SessionEvent) => void;
  /** True when a command surely waits for somebody to type. */
  readonly awaitsInput: (id: acp.TerminalId) => boolean;
  readonly log: Log;
}

/** Interprets what commands print, and tells how their terminals look. */
export interface TerminalScreens {
  /** To be told of every event of the session, after that is in its state. */
  follow(event: SessionEvent): void;
}

type RunBy = 'pty' | 'pipes' | 'agent';

export function createTerminalScreens({emit, awaitsInput, log}: TerminalScreensOptions): TerminalScreens {
  const terminals = new Map<acp.TerminalId, DrawnTerminal>();
  /** Those that we run: what an agent tells of them is not needed. */
  const ours = new Set<acp.TerminalId>();

  function open(id: acp.TerminalId, runBy: RunBy): DrawnTerminal {
    const terminal = createDrawnTerminal({
      bareLineFeeds: runBy !== 'pty',
      drawn: (drawn) => emit({type: 'terminal_drawn', terminalId: id, ...drawn, at: Date.now()}),
      asked:
        runBy === 'pty' ? () => emit({type: 'terminal_waits', terminalId: id, at: Date.now()}) : undefined,
      awaitsInput: () => awaitsInput(id),
      failed: (error) => log('error', `the output of a command could not be interpreted: ${String(error)}`),
    });
    terminals.set(id, terminal);
    return terminal;
  }

  function end(id: acp.TerminalId): void {
    terminals.get(id)?.end();
    terminals.delete(id);
  }

  function followUpdate(update: Update): void {
    if (update.sessionUpdate !== 'tool_call' && update.sessionUpdate !== 'tool_call_update') return;
    for (const {id, data, hasEnded} of describedOutput(update)) {
      if (ours.has(id)) continue;
      if (data !== '') (terminals.get(id) ?? open(id, 'agent')).take(data);
      if (hasEnded) end(id);
    }
  }

  return {
    follow(event) {
      if (event.type === 'terminal_created') {
        ours.add(event.terminalId);
        open(event.terminalId, event.pty ? 'pty' : 'pipes');
      } else if (event.type === 'terminal_output') terminals.get(event.terminalId)?.take(event.data);
      else if (event.type === 'terminal_exited') end(event.terminalId);
      else if (event.type === 'session_update') followUpdate(event.update);
    },
  };
}
