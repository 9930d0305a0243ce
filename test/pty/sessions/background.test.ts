import {expect, test} from 'vitest';
import {
  fakeAgent,
  openChat,
  openShell,
  PROGRAM,
  promptWith,
  quoted,
  untilTurnsEnd,
} from '../../support/driver/chat.ts';

const says = (text: string) => ({
  update: {sessionUpdate: 'agent_message_chunk', content: {type: 'text', text}},
});

const ASKS = {
  turns: [
    [
      says('Before the question.'),
      {
        ask: 'one',
        method: 'session/request_permission',
        params: {
          sessionId: '$session',
          toolCall: {toolCallId: 'c', title: 'Tidy up', kind: 'other'},
          options: [
            {optionId: 'yes', name: 'Allow', kind: 'allow_once'},
            {optionId: 'no', name: 'Reject', kind: 'reject_once'},
          ],
        },
      },
      {answered: 'one'},
      says(' After the answer.'),
    ],
    [says('Second answer.')],
  ],
};

test('a session in the background is shown by any window, and outlives all of them', async () => {
  const acpTui = (...args: readonly string[]) => `${quoted([process.execPath, PROGRAM, ...args])}\r`;
  const shell = await openShell({columns: 100});
  const where = {home: shell.home, cwd: shell.cwd, columns: 100, rows: 30, ownProcess: true};
  shell.type(acpTui('--agent', fakeAgent('script', JSON.stringify(ASKS)), '--background', 'go'));
  await shell.sees(/^acp-tui attach [\da-z]{10} shows it\.$/m);
  const [, id = ''] = /attach ([\da-z]{10}) shows/.exec(shell.screen()) ?? [];

  const [first, second] = [
    openChat({...where, args: ['attach']}),
    openChat({...where, args: ['attach', id]}),
  ];
  await Promise.all([first, second].map((window) => window.sees('Tidy up')));
  // Like a lost ssh connection.
  first.signal('SIGHUP');
  await first.ended();
  await second.sees('Enter or number select');
  await second.typeWhileItSees('1', 'Enter or number select');
  await untilTurnsEnd(second);
  await second.hasSeen('After the answer.');

  const third = openChat({...where, args: ['attach', id.slice(0, 6)]});
  await third.hasSeen('After the answer.');
  third.type('more\r');
  await Promise.all([second, third].map((window) => window.hasSeen('Second answer.')));
  third.type('a draft of this window');
  await third.sees(promptWith('a draft of this window'));
  await second.sees(promptWith('Ask anything… / commands · @ files · ! shell · ? help'));
  second.press('ctrl+x');
  await second.sees('close the window');
  second.type('d');
  expect(await second.ended()).toBe(0);
  expect(second.history()).toContain(`acp-tui attach ${id}`);
  third.signal('SIGKILL');
  await third.ended();

  shell.type(acpTui('service', 'status'));
  await shell.sees(new RegExp(`^${id} +idle +go `, 'm'));
  shell.type(acpTui('service', 'stop'));
  await shell.sees(/\$$/);
  shell.type(acpTui('service', 'status'));
  await shell.sees('Nothing runs in the background.');
  shell.type(acpTui('sessions', 'show', id));
  await shell.hasSeen('Second answer.');
});
