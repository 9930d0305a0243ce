import {expect, test} from 'vitest';
import {fakeAgent, openReady, READY, untilTurnsEnd, promptWith, say} from '../../../support/driver/chat.ts';
import {processesOf} from '../../../support/driver/processes.ts';

test('control sequences in every field of an agent do not affect the terminal', async () => {
  const chat = await openReady({agent: fakeAgent('escapes'), columns: 240, rows: 40});
  chat.type('go\r');
  await chat.sees('To allow: Tab, then a number');
  // What a request says about a command is not part of its card.
  await chat.sees('tool-text');
  chat.press('tab');
  await chat.sees('number allow');
  chat.type('1');
  await chat.hasSeen(/^ *␛*message/m);
  await untilTurnsEnd(chat);
  for (const mark of ['thought', 'plan-entry', '␛]0;owned␇␛]52;c;b3duZWQ=␇', 'message', 'session-title'])
    expect(`${chat.history()}${chat.title}`).toContain(mark);
  expect(chat.title).not.toMatch(/^owned/);
  // What the screen may send but an agent's text may not contain: no terminal strings but titles, no links, no reordering.
  expect(chat.raw).not.toMatch(/\x1b\]52|\x1b\]8;;http:\/\/evil|\x1bP|\u009b|[\u202a-\u202e\u2066-\u2069]/);
  expect(chat.clears).toBe(0);
  expect(chat.clipboard).toEqual([]);
  chat.press('ctrl+u');
  chat.type('/status log\r');
  await chat.sees("The agent's stderr output");
  expect(chat.title).not.toMatch(/^owned/);
});

test('100,000 updates are processed while keys stay responsive', async () => {
  const chat = await openReady({agent: fakeAgent('flood', '100000', ' ')});
  chat.type('go\r');
  await chat.hasSeen(/\b5\d\d\b/);
  chat.type('typed meanwhile');
  await chat.sees(promptWith('typed meanwhile'));
  await chat.sees(/99999 *\n {2}\d.* m?s · [\d:]+\n\n╭/);
  chat.press('ctrl+u');
  await chat.sees(READY);
});

test('a flood can be cancelled', async () => {
  const chat = await openReady({agent: fakeAgent('ignores-cancel', '2000')});
  chat.type('go\r');
  await chat.hasSeen('started');
  await chat.sees('Esc cancel');
  chat.press('escape');
  await untilTurnsEnd(chat);
  await chat.sees(READY);
});

test('a message over the limit is reported, and what came before it stays', async () => {
  const chat = await openReady({agent: fakeAgent('huge'), columns: 120});
  chat.type('go\r');
  await chat.hasSeen('The agent sent a message larger than 32 MiB');
  await chat.hasSeen(/▌ go\n\n {2}before/);
  await chat.sees('❯ Restart the agent');
});

test('a message of a megabyte without a line end is shown', async () => {
  const chat = await openReady({agent: fakeAgent('huge', String(1024 * 1024))});
  chat.type('go\r');
  await chat.sees(/x\n {2}\d.* m?s · [\d:]+\n\n╭/);
  chat.type('still here');
  await chat.sees(promptWith('still here'));
});

test('broken lines between valid ones do not affect the valid ones', async () => {
  const chat = await openReady({agent: fakeAgent('malformed')});
  await say(chat, 'go');
  await chat.hasSeen('first sécond 🙂 third');
});

test('a restart is offered when an agent does not answer a cancellation', async () => {
  const chat = await openReady({agent: fakeAgent('hangs'), columns: 120, ownProcess: true});
  chat.type('go\r');
  await chat.hasSeen('thinking…');
  chat.press('escape');
  await chat.sees('Cancelling…');
  await chat.sees('The agent has not responded to the cancel. Wait, or press Esc for options.');
  const before = processesOf(chat.home).find(({command}) => command.endsWith('hangs'));
  chat.press('escape');
  await chat.sees('❯ Keep waiting');
  chat.press('down');
  await chat.sees('❯ Restart the agent');
  chat.press('enter');
  await chat.until(() => {
    const agents = processesOf(chat.home).filter(({command}) => command.endsWith('hangs'));
    return agents.length === 1 && agents[0]?.pid !== before?.pid;
  }, 'for another agent');
  await chat.sees(READY);
  await chat.hasSeen(/▌ go\n\n {2}thinking…/);
});

test('the last output of a killed agent is shown', async () => {
  const chat = await openReady({agent: fakeAgent('crash', 'SIGKILL'), columns: 120});
  chat.type('go\r');
  await chat.hasSeen('The agent exited (killed by SIGKILL).');
  await chat.hasSeen('out of cheese');
  await chat.hasSeen('Think hard');
});
