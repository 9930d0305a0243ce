import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmdirSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import {join} from 'node:path';
import {describe, expect, test} from 'vitest';
import type {Script, ScriptStep} from '../../../../fixtures/fake-agent/scenarios/script.ts';
import type {ConversationOptions} from '../../../../src/conversation/options.ts';
import {ruleOf, type PermissionRule} from '../../../../src/session/requests/permission-rules.ts';
import type {PendingPermission, SessionState} from '../../../../src/session/state.ts';
import {temporaryFolder} from '../../../support/folders/temporary-folder.ts';
import {noPermissions} from '../conversation-defaults.ts';
import {idle, notices, openScripted} from '../open-conversation.ts';
import {ask, permission} from '../steps.ts';

const write = ask('fs/write_text_file', {path: '$cwd/a.txt', content: 'proposed\n'});

/** A session whose agent asks; `before` is what the file contains, or prepares the folder. */
async function asked(
  turns: Script['turns'] = [],
  before: string | ((cwd: string) => void) = () => undefined,
  {options, ...script}: Script & {readonly options?: Partial<ConversationOptions>} = {},
) {
  const opened = await openScripted({turns: [...turns, []], ...script}, options);
  if (typeof before === 'function') before(opened.cwd);
  else writeFileSync(join(opened.cwd, 'a.txt'), before);
  opened.prompt('go');
  const {pending} = await opened.until((state) => state.pending.length > 0, 'the request');
  return {...opened, request: pending[0] as PendingPermission};
}

const isOther =
  ({id}: PendingPermission) =>
  ({pending}: SessionState) =>
    pending.length > 0 && pending[0]!.id !== id;

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
  const {pending} = await until(isOther(request), 'the second request');
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

test('what the user made of it can be rejected when it is asked again: nothing is written or told', async () => {
  const {conversation, cwd, until, answerTo, request, state} = await asked([write]);
  writeFileSync(join(cwd, 'a.txt'), 'theirs\n');
  await conversation.answer(request.id, {kind: 'edited', content: 'mine\n'});
  const {pending} = await until(isOther(request), 'the second request');
  await conversation.answer(pending[0]!.id, {kind: 'option', index: 1});
  expect((await answerTo('it')).error).toMatchObject({data: {reason: 'denied'}});
  await until(idle, 'the end');
  expect(readFileSync(join(cwd, 'a.txt'), 'utf8')).toBe('theirs\n');
  expect(state().queue.prompts).toEqual([]);
  expect(notices(state()).join()).not.toContain('will be told');
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

/** The agent asks whether it may write a file itself. */
const change = (oldText: string | null, newText: string, path = '$cwd/a.txt'): ScriptStep[] => [
  permission('it', {
    toolCallId: 'c',
    title: 'Edit a.txt',
    kind: 'edit',
    content: [{type: 'diff', path, oldText, newText}],
  }),
  {answered: 'it'},
];

describe.each([
  ['a file that acp-tui writes', write, 'I changed what you proposed'],
  ['a file that the agent would write itself', change(null, 'proposed\n'), 'I rejected your change'],
])('that the agent is told what was made of it is announced first: %s', (_, turn, told) => {
  test('by the next prompt', async () => {
    const {conversation, request, until} = await asked([turn]);
    await conversation.answer(request.id, {kind: 'edited', content: 'mine\n'});
    const {entries} = await until((now) => JSON.stringify(now.entries).includes(told), 'the note');
    const said = JSON.stringify(entries);
    const announced = said.indexOf('will be told by the next prompt, which starts another turn what');
    expect(announced).toBeGreaterThan(0);
    expect(announced).toBeLessThan(said.indexOf(told));
  });

  test('in this turn', async () => {
    const {conversation, request, until, sent} = await asked([[...turn, {cancelled: true}]], undefined, {
      initialize: {_meta: {steering: {supported: true}}},
      results: {'_session/steering': {outcome: 'injected'}},
    });
    await conversation.answer(request.id, {kind: 'edited', content: 'mine\n'});
    const {entries, turn: running} = await until(
      (now) => JSON.stringify(now.entries).includes(told),
      'the note',
    );
    const said = JSON.stringify(entries);
    const announced = said.indexOf('will be told in this turn what');
    expect(announced).toBeGreaterThan(0);
    expect(announced).toBeLessThan(said.indexOf(told));
    expect(running.kind).toBe('running');
    const notes = sent().filter(({method}) => method === '_session/steering');
    expect(JSON.stringify(notes)).toContain(told);
    conversation.cancel();
  });
});

describe('a change that the agent would make itself', () => {
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

  test.each([
    ['allowed: it is written, and then told', 0, 'mine\n'],
    ['rejected: nothing is written or told', 1, 'theirs\n'],
  ])(
    'is rejected, and asked about with what was saved, if the file has changed; that is %s',
    async (_, index, after) => {
      const {conversation, cwd, until, answerTo, request, state} = await asked(
        [change('old\n', 'new\n')],
        'old\n',
      );
      writeFileSync(join(cwd, 'a.txt'), 'theirs\n');
      await conversation.answer(request.id, {kind: 'edited', content: 'mine\n'});
      expect((await answerTo('it')).result).toEqual(no);
      const {pending} = await until(isOther(request), 'the second request');
      expect((pending[0] as PendingPermission).call.content.at(-1)).toMatchObject({
        oldText: 'theirs\n',
        newText: 'mine\n',
      });
      expect(state().queue.prompts).toEqual([]);
      expect(notices(state()).join()).not.toContain('will be told');
      expect(readFileSync(join(cwd, 'a.txt'), 'utf8')).toBe('theirs\n');
      await conversation.answer(pending[0]!.id, {kind: 'option', index});
      const isTold = ({entries}: SessionState) => JSON.stringify(entries).includes('I rejected your change');
      const isAllowed = index === 0;
      await until((now) => now.pending.length === 0 && idle(now) && (!isAllowed || isTold(now)), 'the end');
      expect(readFileSync(join(cwd, 'a.txt'), 'utf8')).toBe(after);
      expect(isTold(state())).toBe(isAllowed);
      expect(state().queue.prompts).toEqual([]);
    },
  );

  test('of a protected file is written as it was saved', async () => {
    const {conversation, cwd, answerTo, request} = await asked([change(null, 'proposed\n', '$cwd/.envrc')]);
    expect(await conversation.answer(request.id, {kind: 'edited', content: 'mine\n'})).toEqual({ok: true});
    expect((await answerTo('it')).result).toEqual(no);
    expect(readFileSync(join(cwd, '.envrc'), 'utf8')).toBe('mine\n');
  });

  test.each<[string, string, (cwd: string, outside: string) => void]>([
    ['a file outside of the workspace', '$cwd/../outside.txt', () => undefined],
    [
      'a file that has become a link to the outside',
      '$cwd/a.txt',
      (cwd, outside) => symlinkSync(join(outside, 'a.txt'), join(cwd, 'a.txt')),
    ],
    [
      'a file that has become a link to a protected one',
      '$cwd/a.txt',
      (cwd) => symlinkSync('.git/hooks/pre-commit', join(cwd, 'a.txt')),
    ],
    [
      'a folder that has become a link to the outside',
      '$cwd/d/a.txt',
      (cwd, outside) => {
        rmdirSync(join(cwd, 'd'));
        symlinkSync(outside, join(cwd, 'd'));
      },
    ],
    [
      'a folder that has become a link to a protected one',
      '$cwd/d/a.txt',
      (cwd) => {
        rmdirSync(join(cwd, 'd'));
        symlinkSync('.git/hooks', join(cwd, 'd'));
      },
    ],
  ])('is not written to %s: the request waits', async (_, path, replace) => {
    const outside = temporaryFolder();
    const {conversation, cwd, request, state} = await asked([change(null, 'proposed\n', path)], (folder) => {
      mkdirSync(join(folder, 'd'));
      mkdirSync(join(folder, '.git/hooks'), {recursive: true});
    });
    replace(cwd, outside);
    expect(await conversation.answer(request.id, {kind: 'edited', content: 'mine\n'})).toMatchObject({
      ok: false,
      failure: {kind: 'answer_not_taken'},
    });
    expect(state().pending).toMatchObject([{id: request.id}]);
    expect([outside, join(cwd, '.git/hooks')].map((folder) => readdirSync(folder))).toEqual([[], []]);
    expect(existsSync(join(cwd, '../outside.txt'))).toBe(false);
  });

  test('that a rule denies by now is not written: the request waits', async () => {
    const rules: PermissionRule[] = [];
    const {conversation, cwd, request, state} = await asked([change(null, 'proposed\n')], undefined, {
      options: {permissions: {...noPermissions, rules: () => rules}},
    });
    rules.push(ruleOf('deny', 'edit ./a.txt', 'user')!);
    expect(await conversation.answer(request.id, {kind: 'edited', content: 'mine\n'})).toMatchObject({
      failure: {why: expect.stringMatching(/^Refused by .*edit \.\/a\.txt/) as string},
    });
    expect(state().pending).toMatchObject([{id: request.id}]);
    expect(existsSync(join(cwd, 'a.txt'))).toBe(false);
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
