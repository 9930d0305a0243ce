import {readFileSync, symlinkSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {describe, expect, test} from 'vitest';
import type {FileChange} from '../../../../src/session/transcript/diffs.ts';
import {idle, notices, openClient, openScripted, type OpenedClient} from '../open-client.ts';
import {temporaryFolder} from '../../../support/folders/temporary-folder.ts';

/** Options of a client that keeps what it writes and asks about none of it. */
function keeping() {
  const changesFolder = temporaryFolder();
  return {changesFolder, approval: 'all' as const};
}

async function turn({prompt, until, state}: OpenedClient, text: string): Promise<void> {
  const last = state().lastTurn?.turn;
  prompt(text);
  await until((now) => idle(now) && now.lastTurn?.turn !== last, `the end of ${text}`);
}

const texts = (files: readonly FileChange[] = []) =>
  files.map(({diff, note}) => (diff ? [diff.oldText, diff.newText] : note));

describe('the changed files', () => {
  test('are listed for the last turn and for all of them', async () => {
    const client = await openClient(['fs'], keeping());
    writeFileSync(join(client.cwd, 'a'), 'zero');
    await turn(client, 'write a one');
    expect(await client.client.changes()).toMatchObject({isRunning: false, session: undefined});
    await turn(client, 'write a two');
    await turn(client, 'write b new');
    const {turn: ofTurn, session} = await client.client.changes();
    expect(texts(ofTurn.written)).toEqual([[null, 'new']]);
    expect(texts(session?.written)).toEqual([
      ['zero', 'two'],
      [null, 'new'],
    ]);
  });

  test('are printed without control characters and with their line ends', async () => {
    const client = await openClient(['fs'], keeping());
    writeFileSync(join(client.cwd, 'a'), '\u001b[2Jone\r\n');
    writeFileSync(join(client.cwd, 'b'), Buffer.from([0xff, 0]));
    await turn(client, 'write a \u001b]0;x\u0007two\r\nthree\n');
    await turn(client, 'write b text');
    const {session} = await client.client.changes();
    expect(texts(session?.written)).toEqual([['␛[2Jone\r\n', '␛]0;x␇two\r\nthree\n'], 'not text']);
  });

  test('include deletions, recognized by the kind of their tool call', async () => {
    const content = [{type: 'diff', path: '$cwd/gone', oldText: 'one\n', newText: ''}];
    const call = {toolCallId: '1', title: 'Delete', kind: 'delete', status: 'completed', content};
    const client = await openScripted(
      {turns: [[{update: {sessionUpdate: 'tool_call', ...call}}]]},
      keeping(),
    );
    await turn(client, 'go');
    const {turn: ofTurn} = await client.client.changes();
    expect(ofTurn.reported).toMatchObject([{path: join(client.cwd, 'gone'), kind: 'delete'}]);
  });

  test('by the agent itself are listed apart, and a diff written through acp-tui is not listed twice', async () => {
    const diff = (path: string, newText: string) => ({type: 'diff', path, oldText: null, newText});
    const call = (toolCallId: string, status: string, ...content: object[]) => ({
      update: {sessionUpdate: 'tool_call', toolCallId, title: 'Edit', kind: 'edit', status, content},
    });
    const client = await openScripted(
      {
        turns: [
          [
            {
              ask: 'w',
              method: 'fs/write_text_file',
              params: {sessionId: '$session', path: '$cwd/link', content: 'ours'},
            },
            {answered: 'w'},
            call('1', 'completed', diff('$cwd/target', 'ours'), diff('$cwd/own', 'theirs')),
            call('2', 'failed', diff('$cwd/failed', 'not written')),
          ],
        ],
      },
      keeping(),
    );
    symlinkSync('target', join(client.cwd, 'link'));
    await turn(client, 'go');
    const before = await client.client.changes();
    expect(before.turn.written.map(({path}) => path)).toEqual([join(client.cwd, 'target')]);
    expect(before.turn.reported.map(({path}) => path)).toEqual([join(client.cwd, 'own')]);
    await client.client.undo(1);
    const after = await client.client.changes();
    expect(after.turn.written).toEqual([]);
    expect(after.turn.reported.map(({path}) => path)).toEqual([join(client.cwd, 'own')]);
  });
});

describe('undo', () => {
  test('restores turn by turn, also after a restart, and adds a notice', async () => {
    const client = await openClient(['fs'], keeping());
    const actions = client.client;
    writeFileSync(join(client.cwd, 'a'), 'zero');
    await turn(client, 'write a one');
    await turn(client, 'write b new');
    await actions.restart();
    for (const expected of [2, 1]) {
      const plan = await actions.planUndo();
      expect(plan?.turn).toBe(expected);
      await actions.undo(expected);
    }
    expect(readFileSync(join(client.cwd, 'a'), 'utf8')).toBe('zero');
    expect(notices(client.state()).slice(-2)).toEqual([
      'Turn 2 undone: deleted b. The agent is informed with your next prompt.',
      'Turn 1 undone: restored a. The agent is informed with your next prompt.',
    ]);
    expect(await actions.planUndo()).toBeUndefined();
  });

  test('keeps what the user changed since the confirmation was shown', async () => {
    const client = await openClient(['fs'], keeping());
    await turn(client, 'write a agent');
    expect((await client.client.planUndo())?.files).toEqual([{path: join(client.cwd, 'a'), does: 'delete'}]);
    writeFileSync(join(client.cwd, 'a'), 'user');
    await client.client.undo(1);
    expect(readFileSync(join(client.cwd, 'a'), 'utf8')).toBe('user');
    expect(notices(client.state())).toEqual([
      'Nothing of turn 1 was undone. a is unchanged: it has changed since.',
    ]);
  });
});
