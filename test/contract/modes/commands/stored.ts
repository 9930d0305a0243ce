import type {SessionEvent} from '../../../../src/session/events.ts';
import {conversation, origin, storeConversation, storeIn} from '../../storage/stores.ts';

const HOUR = 3_600_000;

/** What to store of a session. */
interface Kept {
  readonly said: readonly (readonly [prompt: string, answer: string])[];
  readonly agent?: string;
  readonly cwd?: string;
  readonly daysAgo?: number;
  readonly title?: string;
  /** Updates that the agent sends after its answers. */
  readonly more?: readonly SessionEvent[];
}

/** A store with these sessions; returns their IDs. */
export function storeWith(folder: string, ...kept: readonly Kept[]) {
  const store = storeIn(folder);
  const ids = kept.map(
    ({said, agent = 'some-agent', cwd = '/project', daysAgo = 0, title, more = []}, index) => {
      const shift = Date.now() - daysAgo * 24 * HOUR - 1000 + index;
      const response = {protocolVersion: 1, agentInfo: {name: agent, version: '1'}};
      const events = conversation(said, `agent-${index}`).map((event): SessionEvent => {
        if (event.type === 'agent_initialized')
          return {type: event.type, response, fallbackName: agent, at: shift};
        if (event.type !== 'session_opened') return Object.assign(event, {at: shift});
        return {type: event.type, how: event.how, session: Object.assign(event.session, {cwd}), at: shift};
      });
      if (title !== undefined)
        events.push({
          type: 'session_update',
          update: {sessionUpdate: 'session_info_update', title},
          at: shift,
        });
      return storeConversation(store, [...events, ...more], {agent: {...origin.agent, label: agent}, cwd});
    },
  );
  return {store, ids};
}
