import type * as acp from '@agentclientprotocol/sdk/unstable';
import type {Include} from '../../cli/options.ts';
import type {ToolCallEntry} from '../../session/entries.ts';
import type {Update} from '../../session/events.ts';
import {toolCall} from '../../session/selectors.ts';
import type {SessionState} from '../../session/state.ts';
import {toolBegins, toolEnds, toolOutput} from './text-lines.ts';

/** Tells each tool call once, when it has ended; with `--include tools` also its beginning and what it gave back. */
export interface ToolNarrator {
  onUpdate(update: Update, state: SessionState): void;
  /** Tells the calls that the agent never ended, e.g. after a cancel. */
  endAll(state: SessionState): void;
}

export function createToolNarrator(
  include: ReadonlySet<Include>,
  tell: (line: string) => void,
): ToolNarrator {
  const isDetailed = include.has('tools');
  const begun = new Set<acp.ToolCallId>();
  const ended = new Set<acp.ToolCallId>();

  function tellBegin(call: ToolCallEntry): void {
    if (!isDetailed || begun.has(call.toolCallId)) return;
    begun.add(call.toolCallId);
    tell(toolBegins(call));
  }

  function tellEnd(call: ToolCallEntry, state: SessionState): void {
    if (ended.has(call.toolCallId)) return;
    ended.add(call.toolCallId);
    tell(toolEnds(call, state));
    if (isDetailed) for (const line of toolOutput(call, state)) tell(line);
  }

  return {
    onUpdate(update, state) {
      if (update.sessionUpdate !== 'tool_call' && update.sessionUpdate !== 'tool_call_update') return;
      const call = toolCall(state, update.toolCallId);
      if (!call) return;
      tellBegin(call);
      if (call.status === 'completed' || call.status === 'failed') tellEnd(call, state);
    },
    endAll(state) {
      for (const entry of state.entries) if (entry.type === 'tool_call') tellEnd(entry, state);
    },
  };
}
