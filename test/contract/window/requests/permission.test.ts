import {expect, test} from 'vitest';
import {fakeAgent, openReady, untilTurnsEnd} from '../../../support/driver/chat.ts';
import {askToRun, openPuppet, type PuppetChat} from '../../../support/driver/puppet.ts';
import {ASKS, WAITS} from '../../../support/driver/request-texts.ts';

/** What is shown while the request has the focus. */
const LIT = 'why am I asked';

/** A chat in which the agent sends a request during typing, and the request has been focused. */
async function openAsked(command = 'rm -rf build'): Promise<PuppetChat> {
  const chat = await openPuppet();
  await chat.begin();
  chat.type('x');
  chat.report(askToRun(command), {end: 'end_turn'});
  await chat.sees(WAITS);
  chat.press('tab');
  await chat.sees(LIT);
  return chat;
}

test('is never answered by keys typed before it was drawn', async () => {
  const chat = await openPuppet();
  await chat.begin();
  chat.report(askToRun('rm -rf build'), {end: 'end_turn'});
  let typed = '';
  // Each key is drawn, which lets the next one be typed.
  const type = () => {
    if (typed.length % 50 === 49) chat.press('ctrl+u');
    typed += typed.length % 2 === 0 ? '1' : 'y';
    chat.type(typed.slice(-1));
  };
  type();
  await chat.doUntilItSees(type, ASKS);
  await chat.doUntilItSees(type, WAITS);
  expect(chat.history()).not.toContain('request:');
  expect(typed.length).toBeGreaterThan(1);
});

test('takes the focus when nothing is being typed', async () => {
  const chat = await openPuppet();
  chat.type('go\r');
  chat.report(askToRun('rm -rf build'), {end: 'end_turn'});
  await chat.sees(LIT);
  chat.press('enter');
  await chat.hasSeen('request: yes');
});

test.each([
  ['2', 'always'],
  ['4', 'no'],
  ['y', 'yes'],
  ['a', 'always'],
  ['n', 'no'],
  ['d', 'never'],
])('%s answers with the option that it names', async (key, answer) => {
  const chat = await openAsked();
  chat.type(key);
  await chat.hasSeen(`request: ${answer}`);
  await untilTurnsEnd(chat);
});

test('is answered by one key as soon as its answers name the keys', async () => {
  const chat = await openPuppet();
  for (let turn = 0; turn < 5; turn++) {
    await chat.begin();
    chat.report(askToRun('rm -rf build', `request ${turn}`), {end: 'end_turn'});
    await chat.sees(LIT);
    chat.type('1');
    await chat.hasSeen(`request ${turn}: yes`);
    await untilTurnsEnd(chat, turn + 1);
  }
});

test.each([
  ['joins the turn of an agent that accepts that, after the answer', [], 'Cancelled'],
  ['is the next prompt if the rejection ended the turn', ['gone'], 'steered by use make clean'],
])('is rejected with a note that %s', async (_, args, unseen) => {
  const chat = await openReady({agent: fakeAgent('steers', ...args)});
  chat.type('ask\r');
  await chat.sees(LIT);
  chat.type('r');
  await chat.sees('Enter reject and send');
  chat.type('use make clean');
  await chat.sees('use make clean');
  chat.press('enter');
  await chat.hasSeen(/answered no[^]*▌ use make clean/);
  await chat.hasSeen(
    args.length === 0 ? /answered no\s+steered by use make clean/ : 'began with use make clean',
  );
  expect(chat.history()).not.toContain(unseen);
});

test('is queued behind others, with a count', async () => {
  const chat = await openPuppet();
  await chat.begin();
  chat.type('x');
  chat.report(askToRun('first', 'one'), askToRun('second', 'two'), askToRun('third', 'three'), {
    end: 'end_turn',
  });
  await chat.sees('1 of 3');
  chat.press('tab');
  for (const place of ['1 of 3', '1 of 2']) {
    await chat.sees(place);
    await chat.sees(LIT);
    chat.type('1');
    await chat.noLongerSees(place);
  }
  await chat.sees(LIT);
  chat.type('1');
  for (const name of ['one', 'two', 'three']) await chat.hasSeen(`${name}: yes`);
  await untilTurnsEnd(chat);
});

test('disappears when the agent cancels it, and the turn continues', async () => {
  const chat = await openPuppet();
  chat.type('go\r');
  chat.report(askToRun('rm -rf build'));
  await chat.sees(ASKS);
  chat.report({withdraw: 'request'}, {say: 'Never mind. '}, {end: 'end_turn'});
  await untilTurnsEnd(chat);
  await expect.poll(() => chat.screen()).not.toMatch(ASKS);
  await chat.hasSeen('the agent stopped waiting for it');
});

test('rings the bell and changes the title', async () => {
  const chat = await openPuppet();
  expect(chat.bells).toBe(0);
  chat.type('go\r');
  chat.report(askToRun('rm -rf build'), {end: 'end_turn'});
  await chat.sees(ASKS);
  await chat.until(() => chat.title.startsWith('Needs you'), 'for the title');
  expect(chat.bells).toBe(1);
});

test('of a session in the background rings, and the status line shows which key leads there', async () => {
  const chat = await openPuppet();
  await chat.begin();
  chat.press('ctrl+x');
  chat.type('n');
  await chat.sees('2/2 Fake agent');
  chat.report(askToRun('rm -rf build'), {end: 'end_turn'});
  await chat.sees('! Session 1 needs you (Ctrl+X 1)');
  await chat.until(() => chat.bells === 1, 'for the bell');
  chat.press('ctrl+x');
  chat.type('1');
  await chat.sees(ASKS);
  await chat.noLongerSees('needs you');
});

test('that an agent keeps changing can still be rejected', async () => {
  const chat = await openPuppet();
  await chat.begin();
  chat.type('x');
  chat.report(askToRun('rm -rf build'));
  await chat.sees(WAITS);
  chat.press('tab');
  await chat.sees(LIT);
  let count = 0;
  const change = () => {
    const command = `rm -rf other-${++count}`;
    const changed = {toolCallId: 'request', title: command, rawInput: {command}};
    chat.report({update: {sessionUpdate: 'tool_call_update', ...changed}});
  };
  // Each change is drawn, which lets the agent make the next.
  const refused = chat.doUntilItSees(change, 'request: no');
  change();
  await chat.sees('rm -rf other-3');
  chat.type('n');
  await refused;
});
