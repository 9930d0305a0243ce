import type * as acp from '@agentclientprotocol/sdk/unstable';
import {sanitizeLine} from '../../text/sanitize.ts';
import type {SubagentEntry} from '../entries.ts';
import {shownAgentName} from '../labels/labels.ts';
import type {SessionState} from '../state.ts';
import {subagentEntry} from './tree.ts';

/** Returns what a subagent is called: its title, else what it is for, else its id. */
export function subagentName(state: SessionState, id: acp.SessionId): string {
  const entry = subagentEntry(state, id);
  return entry ? nameOf(entry) : sanitizeLine(id);
}

/** The same from its entry. */
export function nameOf({title, description, sessionId}: SubagentEntry): string {
  return sanitizeLine(title ?? '') || sanitizeLine(description ?? '') || sanitizeLine(sessionId);
}

/** Returns who asks, where it is a subagent: "Reviewer, a subagent of Claude". */
export function subagentAsker(state: SessionState, id: acp.SessionId): string {
  const parent = state.subagents[id]?.parent;
  const above =
    parent === undefined
      ? shownAgentName(state.agent?.title || state.agent?.name || 'the agent')
      : subagentName(state, parent);
  return `${subagentName(state, id)}, a subagent of ${above}`;
}
