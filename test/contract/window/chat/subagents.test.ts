import {expect, test} from 'vitest';
import type {Script} from '../../../../fixtures/fake-agent/scenarios/script.ts';
import {fakeAgent, openReady, untilTurnsEnd} from '../../../support/driver/chat.ts';

const says = (text: string, of?: string) => ({
  update: {sessionUpdate: 'agent_message_chunk', content: {type: 'text', text}},
  ...(of !== undefined && {of}),
});
const subagent = (sessionId: string, reported: object, of?: string) => ({
  update: {sessionUpdate: 'subagent_update', sessionId, ...reported},
  ...(of !== undefined && {of}),
});

/** A reviewer with its own tester, which asks before it runs a command. */
const reviewing: Script = {
  turns: [
    [
      subagent('child', {title: 'Reviewer', state: {state: 'running'}, capabilities: {cancel: {}}}),
      says('I review the change.', 'child'),
      subagent('tester', {title: 'Tester', state: {state: 'running'}}, 'child'),
      says('I run the tests.', 'tester'),
      {
        ask: 'may',
        method: 'session/request_permission',
        params: {
          sessionId: 'tester',
          toolCall: {toolCallId: 'call', title: 'npm test', kind: 'execute', rawInput: {command: 'npm test'}},
          options: [
            {optionId: 'yes', name: 'Allow once', kind: 'allow_once'},
            {optionId: 'no', name: 'Reject', kind: 'reject_once'},
          ],
        },
      },
      {answered: 'may'},
      {update: {sessionUpdate: 'tool_call_update', toolCallId: 'call', status: 'completed'}, of: 'tester'},
      subagent('tester', {state: {state: 'idle', stopReason: 'end_turn'}}, 'child'),
      says('The change is good.', 'child'),
      subagent('child', {state: {state: 'idle', stopReason: 'end_turn'}}),
      says('The reviewer says that it is good.'),
    ],
  ],
};

test('a subagent asks in its own name, is shown at work, and can be opened and left', async () => {
  const chat = await openReady({agent: fakeAgent('script', JSON.stringify(reviewing))});
  chat.type('review it\r');
  await chat.sees(/Allow this command\? ─+ Tester, a subagent of Reviewer/);
  await chat.sees('Subagent Reviewer · working');
  await chat.sees(/Subagent Tester · working · (?:[\d.]+ s · )?1 tool call/);
  await chat.sees('why am I asked');
  chat.press('ctrl+x');
  chat.type('g');
  await chat.sees('Subagents');
  chat.press('enter');
  await chat.sees(/Reviewer · .* · x cancel/);
  chat.type('q');
  await chat.sees('why am I asked');
  chat.press('enter');
  await chat.hasSeen('The reviewer says that it is good.');
  await untilTurnsEnd(chat);
  await expect.poll(() => chat.history()).toContain('● Subagent Reviewer · done');
  expect(chat.history()).not.toContain('I run the tests.');

  chat.press('ctrl+x');
  chat.type('g');
  await chat.sees('Subagents');
  chat.press('enter');
  await chat.sees('I review the change.');
  await chat.sees('Reviewer · End');
  await expect.poll(() => chat.screen()).not.toContain('x cancel');
  chat.press('right');
  await chat.sees('I run the tests.');
  await chat.sees('● Run npm test');
  chat.press('left');
  await chat.sees('The change is good.');
  chat.press('left');
  await chat.sees('review it');

  chat.type('/');
  await chat.sees('╰─ / ─');
  chat.type('run the tests');
  await chat.sees('1 of 1 in Reviewer');
  chat.press('enter');
  chat.press('right');
  await chat.sees(/I review the change[^]*1 of 1 in Tester/);
  chat.press('right');
  await chat.sees(/I run the tests\.[^]*Tester · [^]*1 of 1,/);
  chat.press('left');
  await chat.sees(/I review the change[^]*Reviewer · /);
  chat.press('left');
  await chat.sees('review it');
  chat.type('q');
  await chat.sees('Ask anything');
});
