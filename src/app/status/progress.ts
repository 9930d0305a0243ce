import type {Entry, ToolCallEntry} from '../../session/entries.ts';
import {isAsking} from '../../session/selectors.ts';
import {isFinished} from '../../session/transcript/tool-calls.ts';
import type {SessionState, StartStep} from '../../session/state.ts';
import {subagentName} from '../../session/subagents/names.ts';
import {workingSubagents} from '../../session/subagents/tree.ts';
import {duration} from '../../text/format.ts';
import {agentName} from './status-line.ts';
import {CANCEL_TIMEOUT_MS, startMethod} from '../recovery/recovery-menu.ts';
import type {OpenSession} from '../state.ts';

/** How long nothing may arrive in a turn before that is said, in milliseconds. */
const STALL_MS = 30_000;

/** How many of the newest entries are searched for a tool that still runs. */
const NEAR = 50;

const steps: Readonly<Record<StartStep, (agent: string) => string>> = {
  launching: (agent) => `Starting ${agent}…`,
  initializing: (agent) => `Waiting for ${agent} to answer…`,
  authenticating: (agent) => `Signing in to ${agent}…`,
  opening_session: (agent) => `Opening a session with ${agent}…`,
};

/** Returns the current activity and its duration: `Thinking… 12 s`; undefined while idle. */
export function workingText(open: OpenSession, now: number): string | undefined {
  const {connection, turn} = open.session;
  const {since} = open;
  if (connection.kind === 'starting')
    return timed(steps[connection.step](agentName(open)), now - since.connection);
  if (turn.kind === 'idle') return subagentsText(open.session);
  if (turn.kind === 'cancelling') return timed('Cancelling…', now - since.cancel);
  // Nothing moves while only the user can act.
  if (isAsking(open.session)) return 'Waiting for your answer';
  return timed(`${activity(open.session)}…`, now - since.turn);
}

/** Subagents may go on when the turn is over. */
function subagentsText(session: SessionState): string | undefined {
  const working = workingSubagents(session);
  const [first] = working;
  if (first === undefined) return undefined;
  return working.length === 1
    ? `${subagentName(session, first)} is working in the background…`
    : `${working.length} subagents are working in the background…`;
}

function timed(text: string, ms: number): string {
  // It counts in whole seconds.
  return ms < 1000 ? text : `${text} ${duration(Math.floor(ms / 1000) * 1000).replace('.0', '')}`;
}

function activity(session: SessionState): string {
  const last = session.entries.at(-1);
  if (last?.type === 'agent_thought' && !last.complete) return 'Thinking';
  if (last?.type === 'agent_message' && !last.complete) return 'Answering';
  const [tool] = runningTools(session).slice(-1);
  return tool ? `Running ${tool.title}` : 'Working';
}

/** The tools of the turn that have begun and not ended, oldest first. */
function runningTools({entries, turn}: SessionState): readonly ToolCallEntry[] {
  const isRunning = (entry: Entry): entry is ToolCallEntry =>
    entry.type === 'tool_call' &&
    !isFinished(entry.status) &&
    turn.kind !== 'idle' &&
    entry.turn === turn.turn;
  return entries.slice(-NEAR).filter(isRunning);
}

/** A turn that does not go on: since when, why perhaps, and what can be done, in one line. */
interface Stall {
  readonly kind: 'quiet' | 'cancel_ignored';
  readonly text: string;
}

/** Returns a stall of a start or turn: silence, or an unanswered cancel. Nothing is ever stopped because of it. */
export function stall(open: OpenSession, now: number): Stall | undefined {
  const {session, since} = open;
  const {turn} = session;
  const unanswered = startMethod(open, now);
  if (unanswered !== undefined) {
    const text = `${agentName(open)} has not answered ${unanswered} for ${duration(now - since.connection)}. Wait, or press Esc to give up.`;
    return {kind: 'quiet', text};
  }
  if (turn.kind === 'idle') return undefined;
  if (turn.kind === 'cancelling') {
    const waited = now - since.cancel;
    if (waited < CANCEL_TIMEOUT_MS) return undefined;
    const text = `The agent has not responded to the cancel for ${duration(waited)}. Wait, or press Esc to restart it.`;
    return {kind: 'cancel_ignored', text};
  }
  const quiet = now - since.activity;
  // It waits for the user, who sees that already.
  if (quiet < STALL_MS || session.pending.length > 0) return undefined;
  const text = `No output for ${duration(quiet)}. ${waitingFor(session)} Wait, or press Esc to cancel.`;
  return {kind: 'quiet', text};
}

function waitingFor(session: SessionState): string {
  const tools = runningTools(session);
  const [tool] = tools;
  if (!tool) return 'The agent does not report what it is waiting for.';
  return tools.length === 1
    ? `Running: ${tool.title}.`
    : `Running ${tools.length} tools, first: ${tool.title}.`;
}
