import {readFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import type {PendingPermission} from '../../../../src/session/state.ts';
import {idle, openScripted} from '../open-client.ts';
import {ask, permission} from '../steps.ts';

const write = ask('fs/write_text_file', {path: '$cwd/a.txt', content: 'proposed\n'});

async function asked(turn: Parameters<typeof openScripted>[0]['turns']) {
  const opened = await openScripted({turns: turn!});
  opened.prompt('go');
  const {pending} = await opened.until((state) => state.pending.length > 0, 'the request');
  return {...opened, request: pending[0] as PendingPermission};
}

test('what the user made of a proposed file is written, shown, and in the log, and answers only once', async () => {
  const {client, cwd, until, answerTo, request, state} = await asked([write]);
  expect(request.isWrittenHere).toBe(true);
  client.answer(request.id, {kind: 'edited', content: 'mine\n', key: 'e'});
  client.answer(request.id, {kind: 'edited', content: 'again\n'});
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

test('a request of the agent’s own cannot be answered with another content: it is still there', async () => {
  const {client, request, state, answerTo} = await asked([[permission('may'), {answered: 'may'}]]);
  expect(request.isWrittenHere).toBeUndefined();
  client.answer(request.id, {kind: 'edited', content: 'mine'});
  expect(state().pending).toHaveLength(1);
  client.answer(request.id, {kind: 'option', index: 1});
  expect((await answerTo('may')).result).toEqual({outcome: {outcome: 'selected', optionId: 'no'}});
});
