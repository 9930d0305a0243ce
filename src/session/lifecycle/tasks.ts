import type * as acp from '@agentclientprotocol/sdk/unstable';
import type {ToolCallEntry} from '../entries.ts';
import {terminalIds} from '../selectors.ts';
import type {BackgroundWork, SessionState, TerminalState} from '../state.ts';
import {subagentName} from '../subagents/names.ts';
import {workingSubagents, subagentEntry} from '../subagents/tree.ts';
import {isFinished} from '../transcript/tool-status.ts';

/** A tool call, a terminal or a subagent that runs. */
export interface Task extends BackgroundWork {
  readonly label: string;
  /** True if it can be cancelled alone. */
  readonly canCancel: boolean;
  /** The subagent whose it is; undefined for the session's own. */
  readonly subagent?: acp.SessionId | undefined;
  /** True for a command that acp-tui runs. */
  readonly isRunHere?: boolean;
}

/** Returns what runs in a session and its subagents, with what the agent has left running in the background. */
export function runningTasks(session: SessionState): readonly Task[] {
  const subagents = Object.entries(session.subagents);
  return [
    ...tasksOf(session),
    ...subagents.flatMap(([id, {session: own}]) => tasksOf(own, id)),
    ...workingSubagents(session).map((id) => ({
      kind: 'subagent' as const,
      id,
      label: subagentName(session, id),
      canCancel: subagentEntry(session, id)?.canCancel === true,
    })),
  ];
}

function tasksOf(session: SessionState, subagent?: acp.SessionId): readonly Task[] {
  const terminals = [...session.terminals].filter((terminal) => isRunning(session, terminal));
  const shown = new Set(terminals.map(({id}) => id));
  return [
    ...runningCalls(session)
      .filter((call) => call.canCancel || !terminalIds(call).some((id) => shown.has(id)))
      .map(({toolCallId, title, canCancel = false}) => ({
        subagent,
        kind: 'tool_call' as const,
        id: toolCallId,
        label: title,
        canCancel,
      })),
    ...terminals.map(({id, runBy, command, canCancel = false}) => ({
      subagent,
      kind: 'terminal' as const,
      id,
      label: command ?? callWith(session, id)?.title ?? 'Command',
      canCancel: canCancel || runBy !== 'agent',
      isRunHere: runBy !== 'agent',
    })),
  ];
}

/** Those of the turn; of earlier ones, those that the agent says are running. */
function runningCalls(session: SessionState): readonly ToolCallEntry[] {
  const {entries, turn, sessionStart, live} = session;
  const inBackground = new Set(live?.background?.map(({id}) => id));
  return entries
    .slice(sessionStart)
    .filter((entry) => entry.type === 'tool_call')
    .filter(({status}) => !isFinished(status))
    .filter(
      ({toolCallId, canCancel, turn: its}) =>
        canCancel || inBackground.has(toolCallId) || (turn.kind !== 'idle' && its === turn.turn),
    );
}

/** Of an agent's commands, those that it says it can cancel, or has left running. */
function isRunning(session: SessionState, {id, runBy, exit, released, canCancel}: TerminalState): boolean {
  if (exit !== undefined || released) return false;
  if (runBy !== 'agent' || canCancel) return true;
  return session.live?.background?.some((work) => work.kind === 'terminal' && work.id === id) ?? false;
}

function callWith(session: SessionState, terminalId: acp.TerminalId): ToolCallEntry | undefined {
  return session.entries
    .filter((entry) => entry.type === 'tool_call')
    .findLast((entry) => terminalIds(entry).includes(terminalId));
}
