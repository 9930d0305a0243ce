import type {Hint} from '../keymap/hints.ts';
import type {ToolCallEntry} from '../../session/entries.ts';
import {isAsking, runningTools} from '../../session/selectors.ts';
import type {ConnectionState, SessionState, StartStep} from '../../session/state.ts';
import {stateTitle} from '../../session/labels/session-states.ts';
import {ownWork} from '../../session/lifecycle/live.ts';
import {limitWait} from '../../session/queue/provider-limit.ts';
import {subagentName} from '../../session/subagents/names.ts';
import {workingSubagents} from '../../session/subagents/tree.ts';
import {pluralize, wholeSeconds} from '../../text/format.ts';
import {onOneLine} from '../../text/hidden.ts';
import {backTarget, type BackTarget} from '../back-target.ts';
import {keyFor, keyName, leaderKeyFor} from '../keymap/key-names.ts';
import type {Keymap} from '../keymap/keymap.ts';
import {runningCommands} from '../queue/shell-commands.ts';
import {CANCEL_TIMEOUT_MS, startMethod} from '../recovery/recovery-menu.ts';
import {activeSession, runsItsCommands} from '../sessions.ts';
import type {AppState, Tab} from '../state.ts';
import {agentName} from './status-line.ts';

/** How long a turn must be silent before that is reported, in milliseconds. */
const STALL_MS = 30_000;

const steps: Readonly<Record<StartStep, (agent: string, attempt?: number) => string>> = {
  launching: (agent) => `Starting ${agent}…`,
  reconnecting: (agent, attempt = 1) =>
    `Reconnecting to ${agent}${attempt > 1 ? ` (attempt ${attempt})` : ''}…`,
  initializing: (agent) => `Waiting for ${agent} to answer…`,
  authenticating: (agent) => `Signing in to ${agent}…`,
  opening_session: (agent) => `Opening a session with ${agent}…`,
};

/** What is going on. */
export interface Activity {
  /** `Running npm test…` */
  readonly doing: string;
  /** For how long, from one second on: `12 s`. */
  readonly took?: string;
  /** The keys of a running command. */
  readonly keys?: readonly Hint[];
}

interface ActivityOptions {
  /** False if the card of a running tool is above it. */
  readonly namesTool?: boolean;
  readonly keymap?: Keymap;
}

/** Returns the current activity; undefined while idle. */
export function activityOf(
  tab: Tab,
  now: number,
  {namesTool = true, keymap}: ActivityOptions = {},
): Activity | undefined {
  const {connection, turn, queue} = tab.session;
  const {since} = tab;
  if (connection.kind === 'starting')
    return timed(steps[connection.step](agentName(tab), connection.attempt), now - since.connection);
  if (runsItsCommands(tab))
    return {doing: isAsking(tab.session) ? NEEDS_USER : 'Running the commands of the prompt…'};
  if (queue.limit?.isAwaited) return {doing: `${limitWait(queue.limit)}…`};
  if (turn.kind === 'idle') return ownActivity(tab.session, now) ?? subagentsActivity(tab.session);
  if (turn.kind === 'cancelling') return timed('Cancelling…', now - since.cancel);
  if (turn.awaitsSnapshot) return timed('Taking a snapshot before the prompt is sent…', now - since.turn);
  // No animation while only the user can act.
  if (isAsking(tab.session)) return {doing: NEEDS_USER};
  const last = tab.session.entries.at(-1);
  if (last?.type === 'agent_thought' && !last.complete) return timed('Thinking…', now - since.turn);
  if (last?.type === 'agent_message' && !last.complete) return timed('Answering…', now - since.turn);
  const tools = runningTools(tab.session);
  const tool = tools.at(-1);
  if (tool === undefined) return timed('Working…', now - since.turn);
  const named = `${hasOwnVerb(tool) ? '' : 'Running '}${onOneLine(tool.title)}`;
  if (namesTool) return timed(`${named}…`, now - since.tool);
  const what = tools.length === 1 ? 'Working' : `Running ${tools.length} tools`;
  return {...timed(`${what}…`, now - since.turn), ...commandKeys(tab.session, keymap)};
}

/** Returns the keys that stop the running command and type into it. */
function commandKeys(session: SessionState, keymap: Keymap | undefined): Pick<Activity, 'keys'> {
  const [command] = runningCommands(session);
  if (command === undefined) return {};
  const [give] = keymap?.more.give_keyboard ?? [];
  const stop: Hint = [leaderKeyFor('stop_command', keymap), 'stop'];
  return {keys: command.pty && give !== undefined ? [stop, [keyName(give), 'type into it']] : [stop]};
}

const NEEDS_USER = stateTitle('waiting');

/** True if the title begins with a verb: `Read a.ts`, but `npm test`. */
function hasOwnVerb({kind}: ToolCallEntry): boolean {
  return kind !== 'execute' && kind !== 'other';
}

/** What the agent has begun without a prompt, and what it has left running in the background. */
function ownActivity(session: SessionState, now: number): Activity | undefined {
  const work = ownWork(session);
  if (work) {
    if (work.needsUser || isAsking(session)) return {doing: NEEDS_USER};
    return timed('Working without a prompt…', now - work.since);
  }
  const tasks = session.live?.background?.filter(({kind}) => kind !== 'subagent').length ?? 0;
  if (tasks === 0) return undefined;
  return {doing: `${pluralize(tasks, 'task')} ${tasks === 1 ? 'runs' : 'run'} in the background…`};
}

/** Subagents may keep working after the turn has ended. */
function subagentsActivity(session: SessionState): Activity | undefined {
  const working = workingSubagents(session);
  const [first] = working;
  if (first === undefined) return undefined;
  const who = working.length === 1 ? `${subagentName(session, first)} is` : `${working.length} subagents are`;
  return {doing: `${who} working in the background…`};
}

function timed(doing: string, ms: number): Activity {
  return {doing, ...(ms >= 1000 && {took: wholeSeconds(ms)})};
}

/**
 * Returns a warning about a start or turn without progress: silence, or an unanswered cancel. Mentions Esc only while it has an effect. Nothing is stopped
 * automatically.
 */
export function stallText(state: AppState, now: number): string | undefined {
  const tab = activeSession(state);
  const {session, since} = tab;
  const {connection, turn} = session;
  const unanswered = startMethod(tab, now);
  const help = (target: BackTarget, does: string) =>
    backTarget(state, now) === target
      ? ` Wait, or press ${keyFor('cancel_or_back', state.keymap)} ${does}.`
      : '';
  if (unanswered !== undefined)
    return `${agentName(tab)} has not answered ${unanswered}.${printed(connection)}${help('start', 'to give up')}`;
  if (turn.kind === 'idle') return undefined;
  if (turn.kind === 'cancelling')
    return now - since.cancel < CANCEL_TIMEOUT_MS
      ? undefined
      : `The agent has not responded to the cancel.${help('unanswered', 'for options')}`;
  if (turn.awaitsSnapshot) return undefined;
  const quiet = now - since.activity;
  // A pending request is visible already.
  if (quiet < STALL_MS || session.pending.length > 0) return undefined;
  return `No output for ${wholeSeconds(quiet)}. ${waitingFor(session)}${help('turn', 'to cancel')}`;
}

function printed(connection: ConnectionState): string {
  const output = connection.kind === 'starting' ? connection.output : undefined;
  return output === undefined
    ? ''
    : ` It printed: ${output.replaceAll('\n', ' | ')}.`.replace(/([.!?…])\.$/, '$1');
}

function waitingFor(session: SessionState): string {
  const tools = runningTools(session);
  const [tool] = tools;
  if (!tool) return 'The agent does not report what it is waiting for.';
  const title = onOneLine(tool.title);
  return tools.length === 1 ? `Running: ${title}.` : `Running ${tools.length} tools, first: ${title}.`;
}
