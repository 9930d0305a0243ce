import {expect, test} from 'vitest';
import {isProcessRunning} from '../../../support/program/running.ts';
import {
  fakeAgent,
  openChat,
  openReady,
  untilTurnsEnd,
  type Chat,
  promptWith,
  say,
} from '../../../support/driver/chat.ts';
import {openPuppet} from '../../../support/driver/puppet.ts';
import {storedUnsentText} from '../../../support/driver/stored.ts';

/** Types a line for the shell and runs it, once the prompt is in shell mode. */
async function run(chat: Chat, command: string): Promise<void> {
  chat.type(`!${command}`);
  await chat.sees(/^╭─ your shell/m);
  await chat.sees(command.slice(-20));
  chat.press('enter');
  await chat.noLongerSees(/^╭─ your shell/m);
}

test('a shell command runs while the agent works, and its output is attached to the next prompt', async () => {
  const chat = await openPuppet();
  await chat.begin();
  await run(chat, 'mkdir sub; cd sub; export WORD=kept');
  await chat.hasSeen(/● ! mkdir sub.*exit code 0/);
  await run(chat, 'echo "$WORD in $(basename $PWD)"; exit 4');
  await chat.hasSeen(/● ! echo .*exit code 4/);
  await chat.hasSeen(/^ +│ kept in sub$/m);
  await chat.sees(/Attached: output of echo .*, exit code 4, 1 line/);
  chat.report({end: 'end_turn'});
  await untilTurnsEnd(chat, 1);
  chat.press('up');
  await chat.sees(/❯ !echo "\$WORD/);
  chat.press('escape');
  await chat.sees(/❯ echo "\$WORD/);
});

test("the agent gets a command's output; Backspace detaches it", async () => {
  const chat = await openReady({agent: fakeAgent('echo')});
  await run(chat, 'echo for the agent');
  await chat.sees('Attached: output of echo for the agent, 1 line');
  await say(chat, 'see', 1);
  await chat.hasSeen(/▌ see\n▌ \[output of echo for the agent, 1 line\]\n/);
  await expect.poll(() => chat.history().replaceAll(/\s+/g, ' ')).toContain('$ echo for the agent');
  await run(chat, 'echo not this');
  await chat.sees('Attached: output of echo not this');
  chat.press('backspace');
  await chat.noLongerSees('Attached: output of');
});

test('Ctrl+C interrupts a shell command, and none survives quitting', async () => {
  const chat = await openReady({agent: fakeAgent('echo')});
  await run(chat, 'echo one; sleep 300');
  await chat.sees(/^ +│ one$/m);
  chat.press('ctrl+c');
  await chat.hasSeen(/! echo one; sleep 300 · killed by SIGINT/);
  await run(chat, 'setsid sleep 300 & echo "pid $! end"; sleep 300');
  await chat.sees(/pid \d+ end/);
  const pid = Number(/pid (\d+) end/.exec(chat.screen())?.[1]);
  expect(isProcessRunning(pid)).toBe(true);
  chat.press('ctrl+d');
  expect(await chat.ended()).toBe(0);
  await chat.until(() => !isProcessRunning(pid), 'everything to end');
});

test('after kill -9 the attached output is restored with the draft', async () => {
  const first = await openReady({agent: fakeAgent('echo'), ownProcess: true});
  await run(first, 'echo precious');
  await first.sees('Attached: output of echo precious');
  first.type('half a thought');
  await first.until(() => storedUnsentText(first).includes('half a thought'), 'for the draft to be stored');
  first.signal('SIGKILL');
  await first.ended();
  const {home, cwd} = first;
  const second = openChat({agent: fakeAgent('echo'), home, cwd});
  await second.sees(promptWith('half a thought'));
  await second.sees('Attached: output of echo precious, 1 line');
});
