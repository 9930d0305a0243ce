import {basename} from 'node:path';
import {expect, test} from 'vitest';
import type {ScriptStep} from '../../../../fixtures/fake-agent/scenarios/script.ts';
import {reportedChanges, type ReportedDiff} from '../../../../src/session/transcript/diffs.ts';
import {idle, openScripted, type OpenedConversation} from '../open-conversation.ts';
import {done, edit, running, subagent, update} from './subagent-steps.ts';

/** A subagent, or the session itself, has changed a file. */
const edits = (name: string, of?: string): ScriptStep =>
  update(
    {...edit(`$cwd/${name}`), sessionUpdate: 'tool_call', toolCallId: `edit-${name}`, status: 'completed'},
    of,
  );

const names = (files: readonly ReportedDiff[] = []) => files.map(({diff}) => basename(diff.path));

async function turn({prompt, until, state}: OpenedConversation): Promise<void> {
  const last = state().lastTurn?.turn;
  prompt('go');
  await until((now) => idle(now) && now.lastTurn?.turn !== last, 'the end of the turn');
}

test('the changes of a subagent belong to the turn in which they were made, even if it started in an earlier one', async () => {
  const conversation = await openScripted({
    turns: [
      [subagent('child', running), edits('first', 'child'), subagent('child', done)],
      [subagent('child', running), edits('second', 'child'), subagent('child', done)],
    ],
  });
  await turn(conversation);
  expect(names(reportedChanges(conversation.state()).turn)).toEqual(['first']);
  await turn(conversation);
  const changes = reportedChanges(conversation.state());
  expect(names(changes.turn)).toEqual(['second']);
  expect(names(changes.session)).toEqual(['first', 'second']);
});
