import {expect, test} from 'vitest';
import {rawClient} from '../../conformance/raw-client.ts';
import {problemsOf} from '../../conformance/schema-check.ts';
import {permission} from '../../conversation/steps.ts';
import {editorAgent, openHome, scripted} from './open-editor.ts';

/** An editor of version 2 that is asked for a call, and allows it. */
async function askedFor(call: object) {
  const {cwd, window} = await openHome();
  const turn = [permission('it', {toolCallId: 'c', ...call}), {answered: 'it'}];
  const editor = rawClient(editorAgent(['--agent', scripted({turns: [turn]})]).stream, 2);
  await editor.initialize();
  const {result} = await editor.request('session/new', {cwd, mcpServers: []});
  const {sessionId} = result as {sessionId: string};
  expect(await editor.prompt(sessionId, 'go')).toMatchObject({stopReason: 'end_turn'});
  const requests = editor.messages.flatMap(({message}) =>
    message['method'] === 'session/request_permission' ? [message['params']] : [],
  );
  expect(problemsOf(2, editor.messages)).toEqual([]);
  const {entries} = (await window(sessionId)).state();
  return {requests, entries, cwd};
}

const text = (said: string) => ({type: 'content', content: {type: 'text', text: said}});

test('an editor of version 2 gets what will run in title and content, and its answer counts', async () => {
  const call = {title: 'List the files', kind: 'execute', rawInput: {command: 'rm -rf .\u202e', cwd: '/x'}};
  const {requests, entries} = await askedFor(call);
  const title = 'rm -rf .⟨U+202E⟩';
  expect(requests).toMatchObject([
    {
      title,
      subject: {
        type: 'tool_call',
        toolCall: {
          toolCallId: 'c',
          title,
          content: [
            text('The agent calls this "List the files".'),
            text(`\`\`\`\ncommand: ${title}\ncwd: /x\n\`\`\``),
          ],
        },
      },
      options: [
        {optionId: '0', name: 'Allow', kind: 'allow_once'},
        {optionId: '1', name: 'Reject', kind: 'reject_once'},
      ],
    },
  ]);
  expect(entries.filter(({type}) => type === 'tool_call')).toMatchObject([
    {title: call.title, permission: {outcome: 'allowed', option: 'Allow', by: 'user'}},
  ]);
});

test.each([
  [
    'a deletion',
    {kind: 'edit', content: [{type: 'diff', path: '$cwd/a', oldText: 'a', newText: '', deleted: true}]},
    (cwd: string) => [{operation: 'delete', path: `${cwd}/a`}],
    /^Deletes .*\/a\.$/,
  ],
  [
    'a move',
    {kind: 'move', content: [{type: 'diff', path: '$cwd/b', oldText: 'a', newText: 'a'}]},
    (cwd: string) => [{path: `${cwd}/b`}],
    /^Moves a file to .*\/b\.$/,
  ],
])('%s is one for an editor of version 2', async (_, call, changesIn, said) => {
  const {requests, cwd} = await askedFor({title: 'Tidy up', ...call});
  expect(requests).toMatchObject([
    {
      title: 'Tidy up',
      subject: {
        toolCall: {
          content: [
            {type: 'diff', changes: changesIn(cwd)},
            {content: {text: expect.stringMatching(said) as string}},
          ],
        },
      },
    },
  ]);
});
