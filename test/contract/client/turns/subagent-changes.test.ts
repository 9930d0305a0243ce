import {basename} from 'node:path';
import {describe, expect, test} from 'vitest';
import type {Step} from '../../../../fixtures/fake-agent/scenarios/script.ts';
import type {ChangeGroup} from '../../../../src/session/transcript/diffs.ts';
import {idle, openScripted, type OpenedClient} from '../open-client.ts';
import {done, edit, running, subagent, update} from './subagent-steps.ts';
import {temporaryFolder} from '../../../support/folders/temporary-folder.ts';

/** A subagent, or the session itself, has changed a file. */
const edits = (name: string, of?: string): Step =>
  update(
    {...edit(`$cwd/${name}`), sessionUpdate: 'tool_call', toolCallId: `edit-${name}`, status: 'completed'},
    of,
  );

const writes = (ask: string, name: string): readonly Step[] => [
  {
    ask,
    method: 'fs/write_text_file',
    params: {sessionId: 'child', path: `$cwd/${name}`, content: 'new\n'},
  },
  {answered: ask},
  edits(name, 'child'),
];

const names = (files: ChangeGroup['reported'] = []) => files.map(({path}) => basename(path));

async function turn({prompt, until, state}: OpenedClient): Promise<void> {
  const last = state().lastTurn?.turn;
  prompt('go');
  await until((now) => idle(now) && now.lastTurn?.turn !== last, 'the end of the turn');
}

describe('the changes of a subagent', () => {
  test('belong to the turn in which they were made, even if the subagent started in an earlier one', async () => {
    const client = await openScripted({
      turns: [
        [subagent('child', running), edits('first', 'child'), subagent('child', done)],
        [subagent('child', running), edits('second', 'child'), subagent('child', done)],
      ],
    });
    await turn(client);
    expect(names((await client.client.changes()).turn.reported)).toEqual(['first']);
    await turn(client);
    const changes = await client.client.changes();
    expect(names(changes.turn.reported)).toEqual(['second']);
    expect(names(changes.session?.reported)).toEqual(['first', 'second']);
  });

  test('are listed once if they were written through the client in a later turn', async () => {
    const changesFolder = temporaryFolder();
    const client = await openScripted(
      {turns: [[subagent('child', running)], [...writes('w', 'a')]]},
      {changesFolder, approval: 'all'},
    );
    await turn(client);
    await turn(client);
    const {turn: last, session} = await client.client.changes();
    expect([names(last.written), names(last.reported), session]).toEqual([['a'], [], undefined]);
  });
});
