import type * as acp from '@agentclientprotocol/sdk/unstable';
import {expect, test} from 'vitest';
import {forwardRequests} from '../../../../src/modes/acp-agent/forwarded-requests.ts';
import type {EditorUpdate} from '../../../../src/modes/acp-agent/transcript-updates.ts';
import type {SessionEventOf} from '../../../../src/session/events.ts';
import {DONE, fail, type Result} from '../../../../src/shared/failure.ts';
import {opened, prompted, reduceEvents} from '../../../support/session/build.ts';
import {asks} from '../../../support/session/conversation.ts';

/** An editor that allows what it is asked, while a window answers, too. */
function openRace() {
  const asked = reduceEvents(opened, prompted('go'), asks({toolCallId: 'c', title: 'Look'}));
  const said: string[] = [];
  const reported: EditorUpdate[] = [];
  const answered = Promise.withResolvers<void>();
  const result = Promise.withResolvers<Result<void>>();
  const requests = forwardRequests({
    sessionId: 's1',
    client: {
      request: () => Promise.resolve({outcome: {outcome: 'selected', optionId: '0'}}),
    } as unknown as acp.AgentContext,
    capabilities: {},
    answer() {
      answered.resolve();
      return result.promise;
    },
    onUnanswerable: (sentence) => said.push(sentence),
  });
  requests.reportAnswers((updates) => reported.push(...updates));
  requests.follow(asked);
  const [request] = asked.pending;
  const rejects = request?.kind === 'permission' ? request.options[1]?.name : undefined;
  const event: SessionEventOf<'permission_resolved'> = {
    type: 'permission_resolved',
    id: request?.id ?? '',
    toolCallId: 'c',
    decision: {outcome: 'rejected', option: rejects, by: 'user'},
    at: 9,
  };
  const resolve = () => requests.follow(reduceEvents(asked, event), event);
  return {said, reported, resolve, result, answered: answered.promise};
}

const WINDOWS = {sessionUpdate: 'permission_resolved', outcome: {kind: 'selected', optionId: '1'}};

test.each(['before', 'after'] as const)(
  'an editor whose answer comes second learns of the first, %s it learns that its own does not count',
  async (when) => {
    const {said, reported, resolve, result, answered} = openRace();
    await answered;
    if (when === 'before') resolve();
    result.resolve(fail({kind: 'answer_not_taken', why: 'It was answered already.'}));
    await expect.poll(() => said).toEqual([expect.stringContaining('It was answered already.')]);
    if (when === 'after') resolve();
    expect(reported).toMatchObject([WINDOWS]);
  },
);

test('an editor whose answer counts is told nothing', async () => {
  const {said, reported, resolve, result, answered} = openRace();
  await answered;
  result.resolve(DONE);
  await result.promise;
  resolve();
  expect([said, reported]).toEqual([[], []]);
});
