import {mkdirSync, readdirSync, readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {describe, expect, test} from 'vitest';
import type {ScriptStep} from '../../../../fixtures/fake-agent/scenarios/script.ts';
import type {PendingPermission} from '../../../../src/session/state.ts';
import {idle, openScripted} from '../open-conversation.ts';
import {ask, permission} from '../steps.ts';

const write = ask('fs/write_text_file', {path: '$cwd/a.txt', content: 'proposed\n'});

async function asked(turn: Parameters<typeof openScripted>[0]['turns'], before?: string) {
  const opened = await openScripted({turns: [...turn!, []]});
  if (before !== undefined) writeFileSync(join(opened.cwd, 'a.txt'), before);
  opened.prompt('go');
  const {pending} = await opened.until((state) => state.pending.length > 0, 'the request');
  return {...opened, request: pending[0] as PendingPermission};
}

test('what the user made of a proposed file is written, shown, and in the log, and answers only once', async () => {
  const {conversation, cwd, until, answerTo, request, state} = await asked([write]);
  expect(request.isDoneHere).toBe(true);
  void conversation.answer(request.id, {kind: 'edited', content: 'mine\n', key: 'e'});
  void conversation.answer(request.id, {kind: 'edited', content: 'again\n'});
  expect((await answerTo('it')).result).toBeDefined();
  await until(idle, 'the end');
  expect(readFileSync(join(cwd, 'a.txt'), 'utf8')).toBe('mine\n');
  const call = state().entries.find(({type}) => type === 'tool_call');
  expect(call).toMatchObject({
    status: 'completed',
    content: [{type: 'diff', oldText: null, newText: 'mine\n'}],
    permission: {outcome: 'allowed', by: 'user'},
  });
});

test('what the user made of it is kept if the file changes meanwhile: it is asked again, and nothing is told before it is written', async () => {
  const {conversation, cwd, until, answerTo, request, state} = await asked([write]);
  writeFileSync(join(cwd, 'a.txt'), 'theirs\n');
  await conversation.answer(request.id, {kind: 'edited', content: 'mine\n', key: 'e'});
  const {pending} = await until(
    (now) => now.pending.length > 0 && now.pending[0]?.id !== request.id,
    'the second request',
  );
  const again = pending[0] as PendingPermission;
  expect(again.call.content).toMatchObject([
    {content: {text: expect.stringContaining('has changed since you saw it') as string}},
    {type: 'diff', oldText: 'theirs\n', newText: 'mine\n'},
  ]);
  expect(state().queue.prompts).toEqual([]);
  expect(readFileSync(join(cwd, 'a.txt'), 'utf8')).toBe('theirs\n');
  await conversation.answer(again.id, {kind: 'option', index: 0});
  expect((await answerTo('it')).result).toBeDefined();
  await until(({entries}) => JSON.stringify(entries).includes('I changed what you proposed'), 'the note');
  expect(readFileSync(join(cwd, 'a.txt'), 'utf8')).toBe('mine\n');
});

test('what the user made of it waits in the queue if it cannot be written', async () => {
  const {conversation, cwd, until, answerTo, request} = await asked([write]);
  const saved = conversation.answer(request.id, {kind: 'edited', content: 'mine\n'});
  mkdirSync(join(cwd, 'a.txt'));
  await saved;
  expect((await answerTo('it')).error).toBeDefined();
  const {queue, entries} = await until((now) => now.queue.prompts.length > 0, 'what was saved');
  expect(queue).toMatchObject({
    isPaused: true,
    prompts: [{text: expect.stringContaining('+mine') as string}],
  });
  expect(JSON.stringify(entries)).toContain('What you saved is in the queue, which is paused.');
});

describe('a change that the agent would make itself', () => {
  const options = [
    {optionId: 'yes', name: 'Yes', kind: 'allow_once'},
    {optionId: 'no', name: 'No', kind: 'reject_once'},
  ];
  const change = (oldText: string | null, newText: string): ScriptStep[] => [
    {
      ask: 'it',
      method: 'session/request_permission',
      params: {
        sessionId: '$session',
        options,
        toolCall: {
          toolCallId: 'c',
          title: 'Edit a.txt',
          kind: 'edit',
          content: [{type: 'diff', path: '$cwd/a.txt', oldText, newText}],
        },
      },
    },
    {answered: 'it'},
  ];
  const no = {outcome: {outcome: 'selected', optionId: 'no'}};

  test('is written as it was saved, rejected, and told', async () => {
    const {conversation, cwd, until, answerTo, request} = await asked([change(null, 'proposed\n')]);
    expect(await conversation.answer(request.id, {kind: 'edited', content: 'mine\n'})).toEqual({ok: true});
    expect((await answerTo('it')).result).toEqual(no);
    expect(readFileSync(join(cwd, 'a.txt'), 'utf8')).toBe('mine\n');
    const {entries} = await until(
      (now) => JSON.stringify(now.entries).includes('I rejected your change'),
      'it',
    );
    expect(entries.filter(({type}) => type === 'tool_call')).toMatchObject([
      {permission: {outcome: 'rejected', by: 'user'}},
      {title: 'Write a.txt', status: 'completed', content: [{oldText: null, newText: 'mine\n'}]},
    ]);
  });

  test('of a part of a file leaves the rest of it', async () => {
    const {conversation, cwd, answerTo, request} = await asked([change('b\n', 'B\n')], 'a\nb\nc\n');
    await conversation.answer(request.id, {kind: 'edited', content: 'mine\n'});
    expect((await answerTo('it')).result).toEqual(no);
    expect(readFileSync(join(cwd, 'a.txt'), 'utf8')).toBe('a\nmine\nc\n');
  });

  test('is rejected, and asked about with what was saved, if the file has changed', async () => {
    const {conversation, cwd, until, answerTo, request, state} = await asked(
      [change('old\n', 'new\n')],
      'old\n',
    );
    writeFileSync(join(cwd, 'a.txt'), 'theirs\n');
    await conversation.answer(request.id, {kind: 'edited', content: 'mine\n'});
    expect((await answerTo('it')).result).toEqual(no);
    const {pending} = await until((now) => now.pending[0]?.id !== request.id && now.pending.length > 0, 'it');
    expect((pending[0] as PendingPermission).call.content.at(-1)).toMatchObject({
      oldText: 'theirs\n',
      newText: 'mine\n',
    });
    expect(state().queue.prompts).toEqual([]);
    expect(readFileSync(join(cwd, 'a.txt'), 'utf8')).toBe('theirs\n');
  });

  test('that the agent changes while it is edited is not replaced: the request waits', async () => {
    const [proposes, answered] = change(null, 'proposed\n') as [ScriptStep, ScriptStep];
    const content = [{type: 'diff' as const, path: '$cwd/b.txt', oldText: null, newText: 'other\n'}];
    const update: ScriptStep = {update: {sessionUpdate: 'tool_call_update', toolCallId: 'c', content}};
    const {conversation, cwd, until, state} = await asked([
      [proposes, permission('may'), {answered: 'may'}, update, answered],
    ]);
    const {pending} = await until(({pending}) => pending.length === 2, 'both requests');
    const request = pending.find((each) => each.toolCallId === 'c') as PendingPermission;
    const other = pending.find((each) => each !== request)!;
    await conversation.answer(other.id, {kind: 'option', index: 0});
    await until(({pending}) => !pending.includes(request), 'the change');
    const edited = {kind: 'edited', content: 'mine\n', changes: request.changes} as const;
    expect(await conversation.answer(request.id, edited)).toMatchObject({
      failure: {kind: 'answer_not_taken'},
    });
    expect(state().pending).toMatchObject([{id: request.id}]);
    expect(readdirSync(cwd)).toEqual([]);
  });

  test('that does not apply is not written: the request waits', async () => {
    const {conversation, request, state} = await asked([change('other\n', 'new\n')], 'a\nb\n');
    expect(await conversation.answer(request.id, {kind: 'edited', content: 'mine'})).toMatchObject({
      ok: false,
      failure: {kind: 'answer_not_taken'},
    });
    expect(state().pending).toMatchObject([{id: request.id}]);
  });
});

test('of two answers to a request one counts, and the other is told', async () => {
  const {conversation, request} = await asked([[permission('may'), {answered: 'may'}]]);
  const answers = [0, 1].map((index) => conversation.answer(request.id, {kind: 'option', index}));
  expect(await Promise.all(answers)).toMatchObject([
    {ok: true},
    {ok: false, failure: {kind: 'answer_not_taken'}},
  ]);
});
