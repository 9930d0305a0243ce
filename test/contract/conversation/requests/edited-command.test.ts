import {existsSync, mkdirSync, readFileSync, renameSync, symlinkSync} from 'node:fs';
import {join} from 'node:path';
import {describe, expect, test} from 'vitest';
import type {Script} from '../../../../fixtures/fake-agent/scenarios/script.ts';
import type {ConversationOptions} from '../../../../src/conversation/options.ts';
import type {PendingPermission, SessionState} from '../../../../src/session/state.ts';
import {ruleOf, type DecisionRecord} from '../../../../src/session/requests/permission-rules.ts';
import {noPermissions} from '../conversation-defaults.ts';
import {hook, openWithHooks} from '../hooks/open-with-hooks.ts';
import {idle, notices, openScripted} from '../open-conversation.ts';
import {ask} from '../steps.ts';

const create = (more: object = {command: 'echo', args: ['proposed']}): Script => ({
  turns: [[ask('terminal/create', {cwd: '$cwd', ...more})].flat(), []],
});

/** The agent asks to run a command. */
async function asked(
  script = create(),
  options: Partial<ConversationOptions> = {},
  prepare: (cwd: string) => void = () => undefined,
) {
  const opened = await openScripted(script, options);
  prepare(opened.cwd);
  opened.prompt('go');
  const {pending} = await opened.until((state) => state.pending.length > 0, 'the request');
  const request = pending[0] as PendingPermission;
  const save = (content: string) =>
    opened.conversation.answer(request.id, {kind: 'edited', content, key: 'e'});
  const ran = (name: string) => existsSync(join(opened.cwd, name));
  return {...opened, request, save, ran};
}

const isOther =
  ({id}: PendingPermission) =>
  ({pending}: SessionState) =>
    pending.length > 0 && pending[0]!.id !== id;

const commandsIn = ({terminals}: SessionState) => [...terminals].map(({command}) => command);

const withRules = (rules: readonly (readonly ['allow' | 'ask' | 'deny', string])[]) => {
  const decisions: Omit<DecisionRecord, 'at'>[] = [];
  const parsed = rules.map(([effect, text]) => ruleOf(effect, text, 'user')!);
  const permissions = {
    ...noPermissions,
    rules: () => parsed,
    decided: (decision: Omit<DecisionRecord, 'at'>) => void decisions.push(decision),
  };
  return {decisions, options: {permissions}};
};

test('what the user made of a command runs, is shown and in the log, and only then the agent is told', async () => {
  const {decisions, options} = withRules([]);
  const {save, ran, until, answerTo, request, state, cwd} = await asked(create(), options);
  expect(request).toMatchObject({isDoneHere: true, call: {rawInput: {command: 'echo proposed'}}});
  expect(await save('echo mine > "a b"; echo $((1 + 1)) >> "a b"\n')).toEqual({ok: true});
  expect((await answerTo('it')).result).toHaveProperty('terminalId');
  await until(idle, 'the end');
  await expect.poll(() => ran('a b') && readFileSync(join(cwd, 'a b'), 'utf8')).toBe('mine\n2\n');
  const line = 'echo mine > "a b"; echo $((1 + 1)) >> "a b"';
  expect(state().entries.filter(({type}) => type === 'tool_call')).toMatchObject([
    {title: line, rawInput: {command: line}, permission: {outcome: 'allowed', by: 'user'}},
  ]);
  expect(JSON.stringify(state().entries)).not.toContain('echo proposed');
  expect(decisions).toMatchObject([
    {title: `${line}, changed by you`, command: line, outcome: 'allowed', by: 'user'},
  ]);
  const {entries} = await until(
    (now) => JSON.stringify(now.entries).includes('This is what ran'),
    'the note',
  );
  const told = JSON.stringify(entries);
  expect(
    told.indexOf('The agent will be told by the next prompt, which starts another turn'),
  ).toBeGreaterThan(0);
  expect(told.indexOf('The agent will be told')).toBeLessThan(told.indexOf('This is what ran'));
});

test.each([
  ['runs', 'echo mine', false],
  ['is asked about again', 'touch .envrc', true],
])(
  'the call in which the agent reports it shows what the user made of it, which %s',
  async (_how, line, isAskedAgain) => {
    const call = {
      toolCallId: 'c',
      title: 'echo proposed',
      kind: 'execute',
      rawInput: {command: 'echo proposed'},
    };
    const {turns: [turn = []] = []} = create();
    const reported = {update: {sessionUpdate: 'tool_call', ...call, status: 'in_progress'}};
    const {save, answerTo, until, state, conversation, request} = await asked({
      turns: [[reported, ...turn], []],
    });
    expect(request.toolCallId).toBe('c');
    await save(line);
    const {pending} = await until(
      (now) => (isAskedAgain ? isOther(request)(now) : now.pending.length === 0),
      'it',
    );
    expect(pending).toMatchObject(isAskedAgain ? [{toolCallId: 'c', call: {title: line}}] : []);
    for (const {id} of pending) await conversation.answer(id, {kind: 'option', index: 0});
    expect((await answerTo('it')).result).toHaveProperty('terminalId');
    await until(idle, 'the end');
    expect(state().entries.filter(({type}) => type === 'tool_call')).toMatchObject([
      {
        toolCallId: 'c',
        title: line,
        rawInput: {command: line},
        permission: {outcome: 'allowed', by: 'user'},
        content: [{type: 'terminal'}],
      },
    ]);
  },
);

test('a line that was saved as it is runs as the agent has sent it, without a word', async () => {
  const {save, answerTo, until, state} = await asked(create({command: 'printf', args: ['%s', '$HOME']}));
  await save("printf %s '$HOME'\n");
  expect((await answerTo('it')).result).toHaveProperty('terminalId');
  await until(idle, 'the end');
  expect(commandsIn(state())).toEqual(["printf %s '$HOME'"]);
  expect(notices(state()).join()).not.toContain('will be told');
});

test('nobody is told of what cannot be started: the request waits', async () => {
  const {save, state, request} = await asked();
  expect(await save('no-such-program-at-all')).toMatchObject({
    ok: false,
    failure: {kind: 'answer_not_taken', why: 'No such command: no-such-program-at-all'},
  });
  expect(state().pending).toMatchObject([{id: request.id, call: {rawInput: {command: 'echo proposed'}}}]);
  expect(state().queue.prompts).toEqual([]);
});

test.each([
  ['a folder that took the place of the one that was shown', (at: string) => mkdirSync(at)],
  ['one that a link leads to', (at: string) => symlinkSync(`${at}2`, at)],
])('what the user made of a command does not run in %s, and is kept', async (_, replace) => {
  const {save, ran, answerTo, until, cwd, conversation} = await asked(
    create({command: 'echo proposed', cwd: '$cwd/d'}),
    {},
    (folder) => mkdirSync(join(folder, 'd')),
  );
  renameSync(join(cwd, 'd'), join(cwd, 'd2'));
  replace(join(cwd, 'd'));
  expect(await save('touch y')).toEqual({ok: true});
  expect((await answerTo('it')).error).toMatchObject({
    message: expect.stringContaining('The folder was replaced after the request') as string,
  });
  const {queue} = await until((now) => now.queue.prompts.length > 0, 'what was saved');
  expect(queue).toMatchObject({
    isPaused: true,
    prompts: [{text: expect.stringContaining('touch y') as string}],
  });
  expect([ran('d/y'), ran('d2/y')]).toEqual([false, false]);
  conversation.cancel();
});

describe('what the user made of a command is decided like a new one', () => {
  test('a rule that denies it refuses it, and the request waits as it was', async () => {
    const {save, state, request, ran} = await asked(
      create(),
      withRules([['deny', 'execute touch *']]).options,
    );
    expect(await save('touch it')).toMatchObject({
      ok: false,
      failure: {why: expect.stringMatching(/^Refused by .*execute touch \*/) as string},
    });
    expect(state().pending).toMatchObject([{id: request.id, call: {rawInput: {command: 'echo proposed'}}}]);
    expect(ran('it')).toBe(false);
  });

  test.each([
    ['a rule that asks', 'touch it', withRules([['ask', 'execute touch *']]).options],
    ['a protected path', 'touch .envrc it', {}],
  ])('%s asks again, with the new command', async (_why, line, options) => {
    const {save, until, request, ran, conversation, answerTo} = await asked(create(), options);
    expect(await save(line)).toEqual({ok: true});
    const {pending} = await until(isOther(request), 'the new request');
    expect(pending).toMatchObject([{isDoneHere: true, call: {title: line, rawInput: {command: line}}}]);
    expect(ran('it')).toBe(false);
    await conversation.answer(pending[0]!.id, {kind: 'option', index: 0});
    expect((await answerTo('it')).result).toHaveProperty('terminalId');
    await expect.poll(() => ran('it')).toBe(true);
    await until((now) => JSON.stringify(now.entries).includes('This is what ran'), 'the note');
  });

  test('one that was asked about again can be rejected: nothing runs, and nothing is told', async () => {
    const {save, until, request, ran, conversation, answerTo, state} = await asked();
    await save('touch .envrc it');
    const {pending} = await until(isOther(request), 'the new request');
    await conversation.answer(pending[0]!.id, {kind: 'option', index: 1});
    expect((await answerTo('it')).error).toMatchObject({data: {reason: 'denied'}});
    await until(idle, 'the end');
    expect(ran('it')).toBe(false);
    expect(notices(state()).join()).not.toContain('will be told');
  });

  test('a hook sees it, and refuses it', async () => {
    const {conversation, prompt, until} = await openWithHooks(create(), {
      hooks: [hook('PermissionRequest', 'grep -q "touch it" || exit 0; echo No touching. >&2; exit 2')],
    });
    prompt('go');
    const {pending} = await until((state) => state.pending.length > 0, 'the request');
    expect(await conversation.answer(pending[0]!.id, {kind: 'edited', content: 'touch it'})).toMatchObject({
      ok: false,
    });
    expect(await conversation.answer(pending[0]!.id, {kind: 'edited', content: 'echo fine'})).toEqual({
      ok: true,
    });
  });
});
