import {expect, test} from 'vitest';
import {fakeAgent, openReady, untilTurnsEnd} from '../../../support/driver/chat.ts';
import {askToRun, openPuppet} from '../../../support/driver/puppet.ts';

test('a command allowed by --approve all is shown while it runs, and after the turn, with what allowed it', async () => {
  const chat = await openPuppet({rows: 40, args: ['--approve', 'all']});
  await chat.begin();
  const command = 'echo first; read -r line; echo "got $line"';
  chat.report({request: 'terminal/create', params: {command}, name: 'made'});
  await chat.sees('allowed by --approve all');
  await chat.sees(/^ +│ first$/m);
  chat.report({
    request: 'fs/write_text_file',
    params: {path: `${chat.cwd}/a.txt`, content: 'new\n'},
    name: 'wrote',
  });
  await chat.sees('Write a.txt');
  chat.report({end: 'end_turn'});
  await untilTurnsEnd(chat);
  await expect.poll(() => chat.history().match(/allowed by --approve all/g)).toHaveLength(2);
});

test('a command that acp-tui asks about by itself is one call if the agent has reported it', async () => {
  const chat = await openPuppet({rows: 40});
  await chat.begin();
  const call = {sessionUpdate: 'tool_call', toolCallId: 'before', title: 'Before', status: 'in_progress'};
  const command = 'echo $((40 + 2))';
  chat.report({update: {...call, rawInput: {command}}});
  chat.report({request: 'terminal/create', params: {command}, name: 'made'});
  await chat.sees('why am I asked');
  chat.type('y');
  await chat.sees(/^ +│ 42$/m);
  chat.report({update: {sessionUpdate: 'tool_call_update', toolCallId: 'before', status: 'completed'}});
  chat.report({end: 'end_turn'});
  await untilTurnsEnd(chat);
  const [, shown = ''] = chat.history().split('▌ go');
  expect(shown.match(/^ *[●✓] .*$/gm)).toHaveLength(1);
});

test('a command that acp-tui asks about by itself is one call if the agent reports it afterwards', async () => {
  const chat = await openReady({rows: 40, agent: fakeAgent('terminal')});
  chat.type('echo $((40 + 2))\r');
  await chat.sees('why am I asked');
  chat.type('y');
  await untilTurnsEnd(chat);
  await chat.sees(/^ +│ 42$/m);
  expect(chat.history().match(/^ *[●✓] .*echo.*$/gm)).toHaveLength(1);
});

test('a command that was allowed for the session is one call each time that it runs', async () => {
  const chat = await openPuppet({rows: 40});
  await chat.begin();
  const {ask, ...first} = askToRun('echo 42', 'one');
  const runs = async (toolCallId: string, times: number) => {
    const params = {command: 'echo 42'};
    chat.report({request: 'terminal/create', params, name: `made ${toolCallId}`});
    await expect.poll(() => chat.history().match(/^ +│ 42$/gm) ?? []).toHaveLength(times);
    chat.report({update: {sessionUpdate: 'tool_call_update', toolCallId, status: 'completed'}});
  };
  chat.report({update: {sessionUpdate: 'tool_call', ...ask.toolCall}}, {ask, ...first});
  await chat.sees('why am I asked');
  chat.type('a');
  await chat.sees('one: always');
  await runs('one', 1);
  chat.report({update: {sessionUpdate: 'tool_call', ...ask.toolCall, toolCallId: 'two'}});
  await runs('two', 2);
  chat.report({end: 'end_turn'});
  await untilTurnsEnd(chat);
  const [, shown = ''] = chat.history().split('▌ go');
  expect(shown.match(/^ *[●✓] .*$/gm)).toHaveLength(2);
});
