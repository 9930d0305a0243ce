import type {SessionEvent} from '../../session/events.ts';

/**
 * What the file of a session begins with when the agent opens another one in the same conversation: what it said of itself, and
 * the story that it tells before its answer ("Loading Sessions").
 */
export interface Beginning {
  note(event: SessionEvent): void;
  events(): SessionEvent[];
}

export function createBeginning(): Beginning {
  let initialized: SessionEvent | undefined;
  let story: SessionEvent[] | undefined;
  return {
    note(event) {
      if (event.type === 'agent_initialized') initialized = event;
      if (event.type === 'replay_started') story = [];
      if (event.type === 'session_opened' || event.type === 'replay_dropped') story = undefined;
      story?.push(event);
    },
    events: () => [...(initialized ? [initialized] : []), ...(story ?? [])],
  };
}
