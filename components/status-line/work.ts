import {isLive} from '../../src/session/selectors.ts';
import type {SessionState, StartStep} from '../../src/session/state.ts';
import {sanitizeLine} from '../../src/text/sanitize.ts';

/** What is being done. */
export interface Work {
  readonly doing: string;
  /** Milliseconds since the epoch. */
  readonly since: number;
  /** What Esc does now. */
  readonly way: string;
}

const steps: Readonly<Record<StartStep, string>> = {
  launching: 'Starting the agent',
  initializing: 'Waiting for the agent to say what it can do',
  authenticating: 'Signing in',
  opening_session: 'Opening the session',
};

/** What the session is doing; undefined when it waits for the user. */
export function workOf(session: SessionState): Work | undefined {
  const {connection, turn} = session;
  if (connection.kind === 'starting')
    return {doing: steps[connection.step], since: connection.since, way: ''};
  if (turn.kind === 'idle') return undefined;
  if (turn.kind === 'cancelling')
    return {doing: 'Cancelling', since: turn.cancelledAt ?? turn.startedAt, way: 'waiting for the agent'};
  return {doing: doingOf(session), since: turn.startedAt, way: 'Esc cancels'};
}

/** How far back a running tool call is looked for. */
const RECENT = 20;

function doingOf(session: SessionState): string {
  if (session.pending.length > 0) return 'Waiting for your answer';
  const last = session.entries.at(-1);
  if (last?.type === 'agent_message') return 'Writing';
  if (last?.type === 'agent_thought') return 'Thinking';
  const running = session.entries
    .slice(-RECENT)
    .findLast((entry) => entry.type === 'tool_call' && isLive(session, entry));
  return running?.type === 'tool_call' ? sanitizeLine(running.title) : 'Working';
}
