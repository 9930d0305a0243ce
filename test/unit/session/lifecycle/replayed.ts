import type {OpeningMethod, Update} from '../../../../src/session/events.ts';
import {messageText} from '../../../../src/session/selectors.ts';
import type {SessionState} from '../../../../src/session/state.ts';
import {
  calls,
  ended,
  reduceEvents,
  opened,
  prompted,
  says,
  text,
  thinks,
  update,
  type UntimedEvent,
} from '../../../support/session/build.ts';

export const userSays = (words: string, messageId?: string): Update => ({
  sessionUpdate: 'user_message_chunk',
  content: text(words),
  ...(messageId === undefined ? {} : {messageId}),
});
export const notice = (words: string): UntimedEvent => ({type: 'notice', level: 'info', text: words});
export function sessionOpenedEvent(how: OpeningMethod, sessionId = 's1'): UntimedEvent {
  return {type: 'session_opened', how, session: {sessionId, cwd: '/project', additionalDirectories: []}};
}

/** The session after its agent, started again, has replayed these updates and responded. */
export function reload(state: SessionState, ...updates: readonly Update[]): SessionState {
  return reduceEvents(state, {type: 'replay_started'}, ...updates.map(update), sessionOpenedEvent('load'));
}

/** The transcript in short; `~` before what is only stored. */
export function summary({entries}: SessionState): string[] {
  return entries.map((entry) => {
    const words =
      'content' in entry && entry.type.endsWith('message')
        ? messageText(entry as Parameters<typeof messageText>[0])
        : entry.type === 'tool_call'
          ? `${entry.toolCallId} ${entry.status}`
          : entry.type === 'notice'
            ? entry.text
            : entry.type;
    return `${entry.onlyHere ? '~' : ''}${words}`;
  });
}

export const conversation = reduceEvents(
  opened,
  prompted('hello'),
  update(thinks('hm')),
  update(says('Hi ')),
  update(says('there.')),
  update(calls('t1', {status: 'completed'})),
  ended('end_turn'),
  notice('something of ours'),
  prompted('go on', 2),
  update(says('Done.')),
  ended('end_turn', 2),
);
export const replayUpdates = [
  userSays('hello'),
  says('Hi there.'),
  calls('t1', {status: 'completed'}),
  userSays('go on'),
  says('Done.'),
];
