import type {SessionEventOf} from '../events.ts';
import {replayMerged} from './replay.ts';
import type {SessionState} from '../state.ts';
import {endAgentWork} from '../subagents/fold.ts';
import {closeCalls} from '../subagents/tree.ts';
import {appendEntry, changeEntries, type NewEntry} from '../transcript/transcript.ts';
import {endTurn} from '../transcript/turns.ts';
import {endTerminals} from '../terminals/terminals.ts';

/**
 * "Session Setup": the agent opened a session. After an earlier session, a new one keeps the transcript and drops all other state of that session. A resumed
 * one keeps everything, merged with the replay; what the response omits is unchanged.
 */
export function sessionOpened(
  state: SessionState,
  {session, how, rewoundTo, at}: SessionEventOf<'session_opened'>,
): SessionState {
  const isOther = state.sessionId !== undefined && state.sessionId !== session.sessionId;
  const begun =
    how === 'fork' ? copied(state, rewoundTo, at) : isOther ? forgetSession(state, how, at) : state;
  const merged = closeCalls(replayMerged(begun, at));
  const isContinued = how !== 'new';
  return {
    ...merged,
    sessionId: session.sessionId,
    cwd: session.cwd,
    additionalDirectories: session.additionalDirectories,
    mcpServers: session.mcpServers,
    serversSince: merged.entries.length,
    unused: !isContinued,
    startWarnings: [],
    modes: session.modes ?? (isContinued ? merged.modes : undefined),
    models: session.models ?? (isContinued ? merged.models : undefined),
    configOptions: session.configOptions ?? (isContinued ? merged.configOptions : undefined),
  };
}

function forgetSession(
  state: SessionState,
  how: SessionEventOf<'session_opened'>['how'],
  at: number,
): SessionState {
  const rest = rested(state, at);
  // Without a conversation there is nothing that the new session lacks.
  const noted = state.unused ? rest : appendEntry(rest, endOf(how), at);
  return {
    ...noted,
    sessionStart: (how === 'new' ? rejectedPrompt(state) : undefined) ?? noted.entries.length,
    title: undefined,
    ownTitle: undefined,
    plans: [],
    commands: [],
    modes: undefined,
    models: undefined,
    configOptions: undefined,
    usage: undefined,
    pending: [],
  };
}

/** Index of a prompt that the agent rejected because a sign-in was required: it belongs to the new session. */
function rejectedPrompt({unused, lastTurn, entries, sessionStart}: SessionState): number | undefined {
  const outcome = lastTurn?.outcome;
  const isRefused = outcome?.kind === 'failed' && outcome.failure.kind === 'authentication_required';
  if (!unused || !isRefused) return undefined;
  const index = entries.findLastIndex(({type}) => type === 'user_message');
  return index >= sessionStart ? index : undefined;
}

function endOf(how: SessionEventOf<'session_opened'>['how']): NewEntry {
  const text =
    how === 'new'
      ? 'New session. The agent does not have the messages above as context.'
      : 'Another session from here. It does not have the messages above as context.';
  return {type: 'notice', level: 'info', text, source: 'client'};
}

/** A fork knows the whole conversation, or what came before a turn. What the agent reported of itself is of the original one. */
function copied(before: SessionState, rewoundTo: number | undefined, at: number): SessionState {
  const state = rested(before, at);
  const isRewound = rewoundTo !== undefined;
  const from = isRewound
    ? state.entries.findLastIndex(({turn}) => turn !== undefined && turn < rewoundTo) + 1
    : 0;
  const left = isRewound ? changeEntries(state, from, (entry) => ({...entry, excluded: true})) : state;
  const text = isRewound
    ? `Rewound to before turn ${rewoundTo}, in a copy of the session; the original one is unchanged.`
    : 'Forked from here; the original session is unchanged.';
  const noted = appendEntry(left, {type: 'notice', level: 'info', text, source: 'client'}, at);
  return {...noted, copiedAt: noted.entries.length};
}

function rested(state: SessionState, at: number): SessionState {
  const ended = endTurn(state, {at, outcome: {kind: 'stopped', stopReason: 'cancelled'}});
  return endAgentWork(ended, at);
}

/**
 * Returns a session of an earlier run as the initial state: everything open has ended, and the agent is about to be launched. `isOpen` if that run has not
 * ended: a turn that was running goes on there.
 */
export function restoredSession(
  stored: SessionState,
  at: number,
  {isOpen = false}: {readonly isOpen?: boolean} = {},
): SessionState {
  // An interrupted turn did not last until now.
  const endedAt = stored.turn.kind === 'idle' ? at : stored.turn.lastActivityAt;
  const failure = {kind: 'interrupted', ...(isOpen && {stillRunning: true as const})} as const;
  const ended = endTurn(stored, {at: endedAt, outcome: {kind: 'failed', failure}});
  return {
    ...endTerminals(endAgentWork(ended, endedAt, 0)),
    connection: {kind: 'starting', step: 'launching', since: at},
    agent: undefined,
    replay: undefined,
    losses: 0,
    pending: [],
    commands: [],
  };
}
