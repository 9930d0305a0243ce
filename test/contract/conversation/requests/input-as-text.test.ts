import type * as acp from '@agentclientprotocol/sdk/unstable';
import {expect, test} from 'vitest';
import type {ScriptStep} from '../../../../fixtures/fake-agent/scenarios/script.ts';
import {idle, openScripted} from '../open-conversation.ts';
import {update} from '../turns/subagent-steps.ts';

const text = (words: string) => ({type: 'content' as const, content: {type: 'text' as const, text: words}});

const options: acp.PermissionOption[] = [
  {optionId: 'once', name: 'Approve once', kind: 'allow_once'},
  {optionId: 'no', name: 'Reject', kind: 'reject_once'},
];

/** A tool whose input is sent as JSON text in pieces, and whose request has only a sentence. */
function asked(title: string, input: object, own: Partial<acp.ToolCall> = {}): ScriptStep[] {
  const json = JSON.stringify(input);
  const toolCall = {toolCallId: 't', title, content: [text('Requesting approval')], ...own};
  return [
    update({
      sessionUpdate: 'tool_call',
      toolCallId: 't',
      title,
      kind: own.kind ?? 'execute',
      content: [text(json.slice(0, 9))],
    }),
    update({sessionUpdate: 'tool_call_update', toolCallId: 't', content: [text(json)]}),
    {ask: 'may', method: 'session/request_permission', params: {sessionId: '$session', toolCall, options}},
    {answered: 'may'},
  ];
}

const runs = (ask: string, line: string): ScriptStep[] => [
  {
    ask,
    method: 'terminal/create',
    params: {sessionId: '$session', command: '/bin/bash', args: ['-c', line]},
  },
  {answered: ask},
];

test('a request shows the input of its tool that was sent as JSON text, and an answer covers exactly that', async () => {
  const input = {command: 'echo hi && true', description: 'Say hi'};
  const {conversation, prompt, until, answerTo} = await openScripted({
    turns: [[...asked('Bash', input), ...runs('same', 'echo hi && true'), ...runs('other', 'echo ho')]],
  });
  prompt('go');
  const [request] = (await until(({pending}) => pending.length === 1, 'the question')).pending;
  expect(request).toMatchObject({
    call: {title: 'Bash', kind: 'execute', rawInput: input, content: [text('Requesting approval')]},
  });
  void conversation.answer(request!.id, {kind: 'option', index: 0});
  expect(await answerTo('same')).toHaveProperty('result.terminalId');
  const [other] = (await until(({pending}) => pending.length === 1, 'another question')).pending;
  expect(other).toMatchObject({call: {title: expect.stringContaining('echo ho')}});
  void conversation.answer(other!.id, {kind: 'option', index: 1});
  await until(idle, 'the end');
});

const writes = (ask: string, content: string): ScriptStep[] => [
  {ask, method: 'fs/write_text_file', params: {sessionId: '$session', path: '$cwd/new.md', content}},
  {answered: ask},
];

test('an answer covers exactly the write whose path and content were sent as JSON text', async () => {
  const input = {path: 'new.md', content: 'one\n', mode: 'overwrite'};
  const steps = asked('Write', input, {kind: 'edit'});
  const {conversation, prompt, until, answerTo} = await openScripted({
    turns: [[...steps, ...writes('same', 'one\n'), ...writes('other', 'two\n')]],
  });
  prompt('go');
  const [request] = (await until(({pending}) => pending.length === 1, 'the question')).pending;
  expect(request).toMatchObject({call: {title: 'Write', rawInput: {content: 'one\n'}}});
  void conversation.answer(request!.id, {kind: 'option', index: 0});
  expect(await answerTo('same')).not.toHaveProperty('error');
  const [other] = (await until(({pending}) => pending.length === 1, 'another question')).pending;
  expect(other).toMatchObject({call: {content: [{type: 'diff', newText: 'two\n'}]}});
  void conversation.answer(other!.id, {kind: 'option', index: 1});
  await until(idle, 'the end');
});

test('an answer covers no write in the input of an ended call with the same ID', async () => {
  const input = JSON.stringify({path: 'new.md', content: 'one\n'});
  const ended = {toolCallId: 't', title: 'Write', kind: 'edit' as const, content: [text(input)]};
  const toolCall = {toolCallId: 't', title: 'Write', kind: 'edit', content: [text('Requesting approval')]};
  const {conversation, prompt, until} = await openScripted({
    turns: [
      [
        update({sessionUpdate: 'tool_call', ...ended}),
        update({sessionUpdate: 'tool_call_update', toolCallId: 't', status: 'completed'}),
        {
          ask: 'may',
          method: 'session/request_permission',
          params: {sessionId: '$session', toolCall, options},
        },
        {answered: 'may'},
        ...writes('write', 'one\n'),
      ],
    ],
  });
  prompt('go');
  const [request] = (await until(({pending}) => pending.length === 1, 'the question')).pending;
  expect(request).toMatchObject({call: {rawInput: undefined}});
  void conversation.answer(request!.id, {kind: 'option', index: 0});
  const isNext = ({pending}: {pending: readonly {id: string}[]}) =>
    pending.some(({id}) => id !== request!.id);
  const [write] = (await until(isNext, 'another question')).pending;
  expect(write).toMatchObject({call: {content: [{type: 'diff', newText: 'one\n'}]}});
  void conversation.answer(write!.id, {kind: 'option', index: 1});
  await until(idle, 'the end');
});

test('a request with an input of its own keeps that', async () => {
  const rawInput = {command: 'false'};
  const {conversation, prompt, until} = await openScripted({
    turns: [asked('Bash', {command: 'true'}, {rawInput})],
  });
  prompt('go');
  const [request] = (await until(({pending}) => pending.length === 1, 'the question')).pending;
  expect(request).toMatchObject({call: {rawInput}});
  void conversation.answer(request!.id, {kind: 'option', index: 1});
  await until(idle, 'the end');
});

const deletes = (path: string) => ({type: 'diff', path, deleted: true});
const OUTSIDE = '/somewhere/else';

test.each([
  ['a deletion of which no lines are sent', [deletes('$cwd/a')]],
  ['a deletion elsewhere beside one here', [deletes('$cwd/a'), deletes(OUTSIDE)]],
  ['a second input', [text('{"path":"a"}'), text('{"command":"rm -rf b"}')]],
  ['a file elsewhere in a second input', [text('{"path":"a"}'), text(`{"path":"${OUTSIDE}"}`)]],
  ['a diff that cannot be read beside an input', [text('{"path":"a"}'), {type: 'diff', changes: 'all'}]],
])('nothing that is sent as JSON text is decided without: %s', async (_, content) => {
  const toolCall = {toolCallId: 't', title: 'Edit', kind: 'edit', locations: [{path: '$cwd/a'}], content};
  const ask = {sessionId: '$session', toolCall, options};
  const {conversation, prompt, until} = await openScripted(
    {turns: [[{ask: 'may', method: 'session/request_permission', params: ask}, {answered: 'may'}]]},
    {approval: 'edits'},
  );
  prompt('go');
  const [request] = (await until((state) => state.pending.length === 1 || idle(state), 'an end')).pending;
  const shown = JSON.stringify(request);
  for (const words of JSON.stringify(content).match(/rm -rf b|deleted|else|changes/g) ?? [])
    expect(shown).toContain(words);
  void conversation.answer(request!.id, {kind: 'option', index: 1});
  await until(idle, 'the end');
});
