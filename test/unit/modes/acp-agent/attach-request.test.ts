import {expect, test} from 'vitest';
import {historyFrom} from '../../../../src/modes/acp-agent/attach-request.ts';
import {transcriptUpdates} from '../../../../src/modes/acp-agent/transcript-updates.ts';
import {ended, opened, prompted, reduceEvents, says, update} from '../../../support/session/build.ts';

test.each([
  ['with the ids of the agent', 'm'],
  ['of an agent without ids', undefined],
])('what follows a message is found %s', (_of, id) => {
  const before = reduceEvents(opened, prompted('one'), update(says('1', id)), ended('end_turn'));
  const now = reduceEvents(before, prompted('two', 2), update(says('2')), ended('end_turn', 2));
  const last = transcriptUpdates(before).at(-1);
  const afterMessageId = last?.sessionUpdate === 'agent_message_chunk' ? last.messageId! : '';
  const {from, historyPolicy} = historyFrom(now, {
    sessionId: 's1',
    historyPolicy: 'after_message',
    afterMessageId,
  });
  expect([historyPolicy, transcriptUpdates(now, from).map(({sessionUpdate}) => sessionUpdate)]).toEqual([
    'after_message',
    ['user_message_chunk', 'agent_message_chunk'],
  ]);
});
