import type * as acp from '@agentclientprotocol/sdk/unstable';
import {expect, test} from 'vitest';
import {supportedUpdates, transcriptUpdates} from '../../../../src/modes/acp-agent/transcript-updates.ts';
import type {Update} from '../../../../src/session/events.ts';
import {withFileChange} from '../../../../src/session/transcript/diffs.ts';
import {
  calls,
  opened,
  prompted,
  reduceEvents,
  reduceUpdates,
  subagent,
  text,
} from '../../../support/session/build.ts';

const ALL: acp.ClientCapabilities = {session: {notices: {}, compaction: {}}, subagents: {}, plan: {}};

const SAID: readonly Update[] = [
  {sessionUpdate: 'notice', severity: 'warning', title: 'Limit near', description: 'Two left.'},
  subagent('child', {title: 'Look around', state: {state: 'running'}}),
  {sessionUpdate: 'session_message', messageId: 'm', senderSessionId: 'child', content: [text('Found it')]},
  {sessionUpdate: 'compaction_update', compactionId: 'c', status: 'completed', summary: [text('Short')]},
  {sessionUpdate: 'plan_update', plan: {planId: 'p', type: 'markdown', content: '- look\n- write'}},
  {sessionUpdate: 'plan', entries: [{content: 'Read', priority: 'medium', status: 'pending'}]},
];

/** What an editor is sent of a session that it loads. */
function loadedBy(capabilities: acp.ClientCapabilities) {
  const session = reduceUpdates(reduceEvents(opened, prompted('go')), ...SAID);
  return transcriptUpdates(session)
    .flatMap((update) => supportedUpdates(update, capabilities))
    .slice(1);
}

const step = (content: string, status: acp.PlanEntryStatus) => ({
  sessionUpdate: 'plan',
  entries: [{content, priority: 'medium', status}],
});

test('a session that is loaded has the drafts that the editor has offered to take', () => {
  expect(loadedBy(ALL)).toMatchObject([
    {sessionUpdate: 'notice', severity: 'warning', title: 'Limit near\nTwo left.'},
    {sessionUpdate: 'subagent_update', sessionId: 'child', title: 'Look around', state: {state: 'running'}},
    SAID[2],
    SAID[3],
    SAID[4],
    SAID[5],
  ]);
});

test('a session that is loaded has them as text for one that has not, and a plan as a step', () => {
  const said = (words: string) => ({
    sessionUpdate: 'agent_message_chunk',
    content: text(`\n\n${words}\n\n`),
  });
  expect(loadedBy({})).toEqual([
    said('Limit near\nTwo left.'),
    said('Subagent: Look around'),
    said('The conversation was compacted.'),
    step('- look\n- write', 'in_progress'),
    SAID[5],
  ]);
});

const DRAFTS: readonly Update[] = [
  {sessionUpdate: 'session_message', messageId: 'm', content: [text('Found it')]},
  {sessionUpdate: 'session_message_chunk', messageId: 'm', content: text('Found it')},
];

test.each(DRAFTS)('$sessionUpdate is only for editors that take subagents', (update) => {
  expect(supportedUpdates(update, {})).toEqual([]);
  expect(supportedUpdates(update, ALL)).toEqual([update]);
});

test('a plan that is a file is a step with its name for an editor that takes no such plan', () => {
  const update: Update = {
    sessionUpdate: 'plan_update',
    plan: {planId: 'p', type: 'file', uri: 'file:///project/PLAN.md'},
  };
  expect(supportedUpdates(update, {})).toEqual([step('file:///project/PLAN.md', 'in_progress')]);
  expect(supportedUpdates(update, ALL)).toEqual([update]);
});

test('a diff that deletes its file says so, as agents do', () => {
  const diff = (path: string) => ({type: 'diff' as const, path, oldText: 'a\n', newText: ''});
  const deletes = withFileChange(diff('/gone'), {does: 'delete', path: '/gone'});
  const session = reduceUpdates(
    reduceEvents(opened, prompted('go')),
    calls('c', {kind: 'edit', content: [deletes, diff('/emptied')]}),
  );
  expect(transcriptUpdates(session).at(-1)).toMatchObject({
    content: [{path: '/gone', deleted: true}, expect.not.objectContaining({deleted: true})],
  });
});
