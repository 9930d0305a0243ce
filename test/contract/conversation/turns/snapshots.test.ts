import {once} from 'node:events';
import {existsSync, readFileSync, renameSync, symlinkSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {describe, expect, onTestFinished, test, vi} from 'vitest';
import {commentBlocks, openComments} from '../../../../src/session/content/comment-blocks.ts';
import type {SentComment} from '../../../../src/session/content/sent-comment.ts';
import {compareSnapshots, pathOf} from '../../../../src/snapshots/differences.ts';
import {existingRepository} from '../../../../src/snapshots/repository.ts';
import {listSnapshots} from '../../../../src/snapshots/snapshot-log.ts';
import {temporaryFolder} from '../../../support/folders/temporary-folder.ts';
import {contentOf} from '../../../support/folders/snapshot-folder.ts';
import {
  idle,
  notices,
  openConversation,
  openScripted,
  type OpenedConversation,
} from '../open-conversation.ts';
import {patient, turn} from './covered-turns.ts';

async function stored({cwd, state}: {readonly cwd: string; readonly state: string}) {
  const repository = existingRepository(cwd, state);
  return repository ? listSnapshots(repository) : [];
}

const prompts = ({sent}: OpenedConversation) =>
  sent().filter(({method}) => method === 'session/prompt').length;

test('a review says who changed how many files', async () => {
  const {openSnapshots} = patient();
  const conversation = await openConversation(['fs'], {openSnapshots, approval: 'all'});
  await turn(conversation, 'write a.txt one');
  await conversation.conversation.planUndo();
  writeFileSync(join(conversation.cwd, 'mine.txt'), 'mine');
  const outcome = await conversation.conversation.review({kind: 'session'});
  expect(outcome.ok && outcome.review.by).toEqual([
    {name: expect.any(String) as string, kind: 'agent', files: 1},
    {name: 'between turns', kind: 'outside', files: 1},
  ]);
});

test('a review names files outside the folder that the agent reported', async () => {
  const {openSnapshots} = patient();
  const content = [{type: 'diff', path: '/elsewhere/b.txt', oldText: null, newText: 'two'}];
  const call = {toolCallId: '1', title: 'Edit', kind: 'edit', status: 'completed', content};
  const turns = [[{update: {sessionUpdate: 'tool_call', ...call}}], []];
  const conversation = await openScripted({turns}, {openSnapshots});
  await turn(conversation, 'go');
  await turn(conversation, 'go on');
  const uncovered = async (of: number) => {
    const outcome = await conversation.conversation.review({kind: 'turn', turn: of});
    return outcome.ok && outcome.review.uncovered;
  };
  expect(await uncovered(1)).toEqual([{path: '/elsewhere/b.txt', reason: 'outside the folder'}]);
  expect(await uncovered(2)).toEqual([]);
});

test('a review names no file of the folder as outside, whatever its name, or through a link', async () => {
  const {openSnapshots} = patient();
  const other = join(temporaryFolder(), 'link');
  const paths = ['$cwd/..notes.txt', '$cwd/gone/b.txt', join(other, 'c.txt')];
  const content = paths.map((path) => ({type: 'diff', path, oldText: null, newText: 'two'}));
  const call = {toolCallId: '1', title: 'Edit', kind: 'edit', status: 'completed', content};
  const turns = [[{update: {sessionUpdate: 'tool_call', ...call}}]];
  const conversation = await openScripted({turns}, {openSnapshots});
  symlinkSync(conversation.cwd, other);
  await turn(conversation, 'go');
  const outcome = await conversation.conversation.review({kind: 'session'});
  expect(outcome.ok && outcome.review.uncovered).toEqual([]);
});

test('a sent comment is ticked at the end of the turn in which its hunk changes', async () => {
  const {openSnapshots} = patient();
  const conversation = await openConversation(['fs'], {openSnapshots, approval: 'all'});
  await turn(conversation, 'write a.txt one');
  await turn(conversation, 'write b.txt two');
  const about = (path: string, line: string, id: string): SentComment => ({
    id,
    path,
    side: 'new',
    line: 1,
    lastLine: 1,
    quote: [line],
    text: 'why?',
    hunk: [line],
  });
  const removed = [about('c.txt', '-old', '3'), about('b.txt', '-was', '4')];
  const comments = [about('a.txt', '+one', '1'), about('b.txt', '+two', '2'), ...removed];
  const blocks = comments.flatMap((comment) => commentBlocks(comment, conversation.state()));
  const open = () => openComments(conversation.state()).map(({id}) => id);
  conversation.conversation.prompt([{type: 'text', text: 'nothing'}, ...blocks]);
  await conversation.until((now) => idle(now) && now.turnChanges?.turn === 3, 'the end of the turn');
  expect(open()).toEqual(['1', '2', '3', '4']);
  await turn(conversation, 'write a.txt other');
  await conversation.until((now) => now.turnChanges?.turn === 4, 'what changed');
  expect(open()).toEqual(['2', '3', '4']);
  await turn(conversation, 'write c.txt old');
  await conversation.until((now) => now.turnChanges?.turn === 5, 'what changed');
  expect(open()).toEqual(['2', '4']);
});

test('snapshots are taken before each prompt and after each turn, whose changes are counted', async () => {
  const {state, openSnapshots} = patient();
  const conversation = await openConversation(['fs'], {openSnapshots, approval: 'all'});
  const {cwd} = conversation;
  writeFileSync(join(cwd, 'before.txt'), 'by the user');
  await turn(conversation, 'write a.txt one');
  const names = async () => (await stored({cwd, state})).map(({turn: of, when}) => `${of} ${when}`);
  await expect.poll(names, {timeout: 20_000}).toEqual(['1 before', '1 after']);
  const [before, after] = await stored({cwd, state});
  expect(before?.session).toBe(conversation.state().sessionId);
  const repository = existingRepository(cwd, state)!;
  const {files} = await compareSnapshots(repository, {from: before?.id ?? '', to: after?.id ?? ''});
  expect(files.map(pathOf)).toEqual(['a.txt']);
  const {turnChanges} = await conversation.until((now) => now.turnChanges !== undefined, 'what changed');
  expect(turnChanges).toEqual({turn: 1, files: 1, added: 1, removed: 0});
});

test('a prompt waits for its snapshot, or is sent without: then its turn is marked everywhere', async () => {
  const {openSnapshots} = patient();
  const slow: typeof openSnapshots = (of) => {
    const snapshots = openSnapshots(of);
    return {
      ...snapshots,
      async beforePrompt(of, skipped) {
        await once(skipped, 'abort');
        return snapshots.beforePrompt(of, skipped);
      },
    };
  };
  const conversation = await openConversation(['fs'], {openSnapshots: slow, approval: 'all'});
  const actions = conversation.conversation;
  conversation.prompt('write a.txt one');
  await conversation.until(
    ({turn: now}) => now.kind === 'running' && now.awaitsSnapshot === true,
    'the wait',
  );
  expect(prompts(conversation)).toBe(0);
  actions.sendWithoutSnapshot();
  await conversation.until((now) => idle(now) && now.lastTurn?.turn === 1, 'the end of the turn');
  const uncovered = [{path: 'turn 1', reason: 'no snapshot'}];
  expect(await actions.planUndo()).toMatchObject({uncovered});
  expect(await actions.rewindPoints()).toMatchObject([{turn: 1, snapshot: undefined}]);
  expect(await actions.review({kind: 'session'})).toMatchObject({ok: true, review: {uncovered}});
  expect(notices(conversation.state())).toEqual([
    '/review, /undo and /rewind do not cover turn 1: it was sent without a snapshot.',
  ]);
});

test('a prompt cancelled while it waits is not sent', async () => {
  const conversation = await openConversation(['fs'], {openSnapshots: patient().openSnapshots});
  conversation.prompt('write a.txt one');
  conversation.conversation.cancel();
  const {lastTurn} = await conversation.until(idle, 'the end of the turn');
  expect(lastTurn?.outcome).toEqual({kind: 'stopped', stopReason: 'cancelled'});
  expect(conversation.sent().map(({method}) => method)).not.toContain('session/cancel');
  expect(prompts(conversation)).toBe(0);
});

test('without git prompts are sent, and this is reported once', async () => {
  vi.stubEnv('PATH', temporaryFolder());
  onTestFinished(() => void vi.unstubAllEnvs());
  const conversation = await openConversation(['fs'], {
    openSnapshots: patient().openSnapshots,
    approval: 'all',
  });
  await turn(conversation, 'write a one');
  await turn(conversation, 'write a two');
  expect(notices(conversation.state())).toEqual(['Review is off for this folder: git was not found.']);
  expect(prompts(conversation)).toBe(2);
});

describe('/undo', () => {
  test('restores the newest turn, then the one before, also after a restart, and keeps what has changed since', async () => {
    const {openSnapshots} = patient();
    const conversation = await openConversation(['fs'], {openSnapshots, approval: 'all'});
    const {cwd, conversation: actions, state} = conversation;
    const [one, two] = [join(cwd, 'a.txt'), join(cwd, 'new/b.txt')];
    writeFileSync(one, 'zero');
    await turn(conversation, 'write a.txt one');
    await turn(conversation, 'write new/b.txt two');
    expect(await actions.planUndo()).toMatchObject({turn: 2, files: [{path: two, does: 'delete'}]});
    await actions.restart();
    writeFileSync(two, 'by the user');
    expect((await actions.planUndo())?.turn).toBe(1);
    await actions.undo(2);
    expect(readFileSync(two, 'utf8')).toBe('by the user');
    expect(notices(state()).at(-1)).toBe(
      'Nothing of turn 2 was undone. new/b.txt is unchanged: it has changed since.',
    );
    writeFileSync(two, 'two');
    await actions.undo(2);
    expect(existsSync(two)).toBe(false);
    expect(await actions.planUndo()).toMatchObject({turn: 1, files: [{path: one, does: 'restore'}]});
    await actions.undo(1);
    expect(readFileSync(one, 'utf8')).toBe('zero');
    expect(await actions.planUndo()).toBeUndefined();
    expect(notices(state()).slice(-2)).toEqual([
      'Turn 2 undone: deleted new/b.txt. The agent is informed with your next prompt.',
      'Turn 1 undone: restored a.txt. The agent is informed with your next prompt.',
    ]);
  });
});

describe('/rewind', () => {
  async function twoTurns() {
    const conversation = await openConversation(['fs'], {
      openSnapshots: patient().openSnapshots,
      approval: 'all',
    });
    writeFileSync(join(conversation.cwd, 'a.txt'), 'zero');
    await turn(conversation, 'write a.txt one');
    // It waits for the snapshot after the turn.
    await conversation.conversation.planUndo();
    writeFileSync(join(conversation.cwd, 'mine.txt'), 'mine');
    await turn(conversation, 'write new/b.txt two');
    await conversation.conversation.planUndo();
    const points = await conversation.conversation.rewindPoints();
    return {...conversation, actions: conversation.conversation, points};
  }

  const read = (cwd: string, name: string) => readFileSync(join(cwd, name), 'utf8');

  test('lists the prompts, newest first, and previews the changes and those of others; undoing it restores everything', async () => {
    const {cwd, actions, points, state} = await twoTurns();
    expect(points.map((point) => (point.kind === 'prompt' ? [point.text, point.changed] : []))).toEqual([
      ['write new/b.txt two', {files: 1, added: 1, removed: 0}],
      ['write a.txt one', {files: 1, added: 1, removed: 1}],
    ]);
    const plan = await actions.planRewind(points[1]!);
    expect(plan.files).toEqual([
      {path: join(cwd, 'new/b.txt'), does: 'delete', preview: expect.stringContaining('-two') as string},
      {
        path: join(cwd, 'mine.txt'),
        does: 'delete',
        doubt: 'outside_turns',
        preview: expect.stringContaining('-mine') as string,
      },
      {path: join(cwd, 'a.txt'), does: 'restore', preview: expect.stringContaining('+zero') as string},
    ]);
    const before = contentOf(cwd);
    await actions.rewind(plan);
    expect(contentOf(cwd)).toEqual({'a.txt': expect.stringMatching(/^100644 4 /) as string});
    expect(read(cwd, 'a.txt')).toBe('zero');
    const notice = state().entries.findLast((entry) => entry.type === 'notice');
    expect(notice).toMatchObject({
      text: 'The files are as they were before turn 1: restored a.txt; deleted new/b.txt, mine.txt. The agent is informed with your next prompt.',
    });
    const [undo] = await actions.rewindPoints();
    expect(undo?.kind).toBe('restore');
    await actions.rewind(await actions.planRewind(undo!));
    expect(contentOf(cwd)).toEqual(before);
  });

  test('opens the session in which the conversation goes on once the files are back, and not if they are refused', async () => {
    const {cwd, actions, points, state} = await twoTurns();
    const plan = {...(await actions.planRewind(points[1]!)), next: {kind: 'new'}} as const;
    writeFileSync(join(cwd, 'a.txt'), 'by the user');
    expect(await actions.rewind(plan)).toBeUndefined();
    expect(state().unused).toBe(false);
    const again = {...(await actions.planRewind(points[1]!)), next: {kind: 'new'}} as const;
    expect(await actions.rewind(again)).toMatchObject({ok: true});
    expect(read(cwd, 'a.txt')).toBe('zero');
    expect(state().unused).toBe(true);
  });

  test('keeps a prompt that is submitted while files are put back for the session that follows', async () => {
    const {actions, points, state, until} = await twoTurns();
    const plan = {...(await actions.planRewind(points[1]!)), next: {kind: 'new'}} as const;
    const rewound = actions.rewind(plan);
    const text = 'and now';
    await actions.changeQueue({
      kind: 'submit',
      prompt: {text, content: [{type: 'text', text}]},
      place: 'last',
    });
    expect(await rewound).toMatchObject({ok: true});
    await until(({turn, lastTurn}) => turn.kind === 'idle' && lastTurn?.turn === 3, 'its end');
    const types = [...state().entries].map(({type}) => type);
    expect(types.indexOf('notice')).toBeLessThan(types.lastIndexOf('user_message'));
    expect(types.filter((type) => type === 'user_message')).toHaveLength(3);
  });

  test('restores nothing under a running turn, and /undo neither', async () => {
    const {actions, points, prompt, state, until} = await twoTurns();
    const plan = {...(await actions.planRewind(points[1]!)), next: {kind: 'new'}} as const;
    prompt('write c.txt three');
    await until((now) => !idle(now), 'the turn');
    await Promise.all([actions.undo(2), actions.rewind(plan)]);
    const why = 'a turn is running.';
    expect(notices(state())).toEqual(
      expect.arrayContaining([`Nothing of turn 2 was undone: ${why}`, `No file was restored: ${why}`]),
    );
  });

  test('keeps what is not selected, and what changed after it was shown', async () => {
    const {cwd, actions, points} = await twoTurns();
    const plan = await actions.planRewind(points[1]!);
    writeFileSync(join(cwd, 'a.txt'), 'by the user');
    const only = plan.files.filter(({doubt}) => doubt === undefined).map(({path}) => path);
    await actions.rewind(plan, only);
    expect([read(cwd, 'a.txt'), read(cwd, 'mine.txt')]).toEqual(['by the user', 'mine']);
    expect(existsSync(join(cwd, 'new'))).toBe(false);
  });

  test('names only the first of many files in its notice', async () => {
    const {cwd, actions, points, state} = await twoTurns();
    for (let at = 0; at < 100; at++) writeFileSync(join(cwd, `many-${at}.txt`), 'mine');
    await actions.rewind(await actions.planRewind(points[1]!));
    const notice = state().entries.findLast((entry) => entry.type === 'notice');
    expect(notice?.type === 'notice' && notice.text).toMatch(/(?:many-\d+\.txt, ){40}.*and 52 more files\./);
    expect(existsSync(join(cwd, 'many-0.txt'))).toBe(false);
  });

  test('says when a turn is not covered', async () => {
    const {openSnapshots} = patient();
    const hasty: typeof openSnapshots = (of) => {
      const snapshots = openSnapshots(of);
      return {...snapshots, beforePrompt: (turn) => snapshots.beforePrompt(turn, AbortSignal.abort())};
    };
    const conversation = await openConversation(['fs'], {openSnapshots: hasty, approval: 'all'});
    await turn(conversation, 'write a.txt one');
    const actions = conversation.conversation;
    const [point] = await actions.rewindPoints();
    expect(point).toMatchObject({text: 'write a.txt one', snapshot: undefined});
    expect(await actions.planRewind(point!)).toMatchObject({
      files: [],
      problem: expect.any(String) as string,
    });
  });
});

test('each turn whose snapshot cannot be taken is marked, with the reason', async () => {
  const {state, openSnapshots} = patient();
  const conversation = await openConversation(['echo'], {openSnapshots});
  await turn(conversation, 'one');
  const repository = existingRepository(conversation.cwd, state)!;
  // As if the disk were full: new content cannot be stored.
  const objects = join(repository.gitDir, 'objects');
  renameSync(objects, `${objects}-away`);
  writeFileSync(objects, '');
  writeFileSync(join(conversation.cwd, 'new.txt'), 'new');
  await turn(conversation, 'two');
  await turn(conversation, 'three');
  const said = () => notices(conversation.state());
  const marks = [2, 3].map((of) => `/review, /undo and /rewind do not cover turn ${of}: `);
  await expect
    .poll(said)
    .toEqual(expect.arrayContaining(marks.map((mark) => expect.stringContaining(mark) as string)));
});

test('/undo lists files that no tool call names, and can keep them', async () => {
  const conversation = await openConversation(['fs'], {
    openSnapshots: patient().openSnapshots,
    hasUser: true,
  });
  const {cwd} = conversation;
  conversation.prompt('write a.txt one');
  const {pending} = await conversation.until((now) => now.pending.length > 0, 'the question');
  writeFileSync(join(cwd, 'mine.txt'), 'mine');
  void conversation.conversation.answer(pending[0]!.id, {kind: 'option', index: 0});
  await conversation.until((now) => idle(now) && now.lastTurn?.turn === 1, 'the end of the turn');
  const actions = conversation.conversation;
  const plan = await actions.planUndo();
  const doubts = plan?.files.map(({path, doubt}) => [path, doubt]);
  expect(doubts).toEqual([
    [join(cwd, 'mine.txt'), 'not_named'],
    [join(cwd, 'a.txt'), undefined],
  ]);
  await actions.undo(1, [join(cwd, 'a.txt')]);
  expect([existsSync(join(cwd, 'a.txt')), existsSync(join(cwd, 'mine.txt'))]).toEqual([false, true]);
});

test('/undo does not take a file for the one that the user rejected, and then wrote', async () => {
  const conversation = await openConversation(['fs'], {
    openSnapshots: patient().openSnapshots,
    hasUser: true,
  });
  conversation.prompt('write a.txt one');
  const {pending} = await conversation.until((now) => now.pending.length > 0, 'the question');
  void conversation.conversation.answer(pending[0]!.id, {kind: 'option', index: 1});
  writeFileSync(join(conversation.cwd, 'a.txt'), 'mine');
  await conversation.until((now) => idle(now) && now.lastTurn?.turn === 1, 'the end of the turn');
  expect((await conversation.conversation.planUndo())?.files.map(({doubt}) => doubt)).toEqual(['not_named']);
});
