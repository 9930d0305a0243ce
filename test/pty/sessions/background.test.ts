import {execFileSync} from 'node:child_process';
import {join} from 'node:path';
import {expect, onTestFinished, test} from 'vitest';
import {isInstalled} from '../../support/driver/multiplexer.ts';
import {missingSsh, sshServer} from '../../support/servers/ssh-server.ts';
import {
  environment,
  fakeAgent,
  openChat,
  openShell,
  PROGRAM,
  promptWith,
  quoted,
  READY,
  untilTurnsEnd,
  writeSettings,
} from '../../support/driver/chat.ts';

const says = (text: string) => ({
  update: {sessionUpdate: 'agent_message_chunk', content: {type: 'text', text}},
});

const ASKS = {
  initialize: {agentCapabilities: {loadSession: true}},
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

const acpTui = (...args: readonly string[]) => `${quoted([process.execPath, PROGRAM, ...args])}\r`;

test('a session in the background is shown by any window, and outlives all of them', async () => {
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
  await second.sees('why am I asked');
  second.type('1');
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
  await second.sees('move this session to the background');
  second.type('d');
  expect(await second.ended()).toBe(0);
  await expect.poll(() => second.history()).toContain(`acp-tui attach ${id}`);
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

/** The shell of a home with this configuration, whose background service ends with the test. */
async function shellWith(config: object) {
  const shell = await openShell({columns: 100});
  writeSettings(shell.home, config);
  onTestFinished(
    () => void execFileSync(process.execPath, [PROGRAM, 'service', 'stop'], {env: environment(shell.home)}),
  );
  const where = {home: shell.home, cwd: shell.cwd, columns: 100, rows: 30, ownProcess: true};
  return {
    shell,
    where,
    open: (...args: readonly string[]) =>
      openChat({...where, agent: fakeAgent('script', JSON.stringify(ASKS)), args}),
    attach: () => openChat({...where, args: ['attach']}),
  };
}

test('with "background": "on" a killed window interrupts nothing, and the next one lists what is open', async () => {
  const {open, attach} = await shellWith({background: 'on', mouse: 7});
  const first = open();
  first.type('first task\r');
  await first.sees('why am I asked');
  await expect.poll(() => first.history().match(/"mouse" in /g)).toHaveLength(1);
  first.signal('SIGKILL');
  await first.ended();
  const second = open();
  // The sessions have one agent, which is in its second turn now.
  second.type('second task\r');
  await untilTurnsEnd(second);
  second.press('ctrl+d');
  expect(await second.ended()).toBe(0);

  const third = attach();
  await third.sees('Sessions · needs you 1');
  await third.sees(/Needs you\n❯ ! first task/);
  await third.sees(/Idle\n {2}· second task/);
  third.press('down', 'enter');
  await third.sees('2/2');
  await third.hasSeen('Second answer.');
  third.press('ctrl+x');
  await third.sees('open sessions of all folders');
  third.type('b');
  await third.sees(/Needs you\n❯ ! first task/);
  third.press('enter');
  await third.sees('why am I asked');
  third.type('1');
  await untilTurnsEnd(third);
  await third.hasSeen('"mouse" in ');
});

test('a window starts the agent that the last one used in the background, too', async () => {
  const {shell, where, open} = await shellWith({background: 'on'});
  const first = open();
  first.type('first\r');
  await first.sees('why am I asked');
  first.signal('SIGHUP');
  await first.ended();
  const second = openChat({...where, env: {ACP_TUI_AGENT: ''}});
  second.type('second\r');
  await second.sees('why am I asked');
  shell.type(acpTui('service', 'status'));
  await shell.sees(/ needs you +first /);
  await shell.sees(/ needs you +second /);
});

test('in a session whose service has ended, /restart resumes it, with what was typed', async () => {
  const {shell, open} = await shellWith({background: 'on'});
  const window = open('--approve', 'edits');
  await window.sees('auto-approve edits');
  window.type('go\r');
  await window.sees('why am I asked');
  window.press('escape');
  await window.noLongerSees('why am I asked');
  window.type('not sent yet\r');
  await window.sees('then  ');
  shell.type(acpTui('service', 'stop'));
  await window.sees('This session has ended: /restart opens it again');
  window.type('kept');
  await window.sees(promptWith('kept'));
  window.press('ctrl+s');
  await window.sees('This session has ended: /restart opens it again');
  window.type('/restart\r');
  // The stashed prompt is back after the command.
  await window.hasSeen('Session: go');
  await window.sees(promptWith('kept'));
  await window.sees('paused  not sent yet');
  await window.sees('auto-approve edits');
  window.press('enter');
  await window.sees('why am I asked');
  shell.type(acpTui('service', 'status'));
  await shell.sees(/^[\da-z]{10} +needs you +go /m);
});

test('a session of a window is detached when its turn has ended, and goes on where it was', async () => {
  const {open, attach} = await shellWith({});
  const first = open();
  first.type('go\r');
  await first.sees('why am I asked');
  first.press('ctrl+x');
  await first.sees('move this session to the background');
  first.type('d');
  await first.sees('Possible once its turn has ended');
  first.press('tab');
  await first.sees('why am I asked');
  first.type('1');
  await untilTurnsEnd(first);
  first.press('ctrl+x');
  await first.sees('move this session to the background');
  first.type('n');
  await first.sees('2/2');
  first.press('ctrl+x');
  await first.sees('move this session to the background');
  first.type('1');
  await first.sees('1/2');
  first.type('a draft');
  await first.sees(promptWith('a draft'));
  first.press('ctrl+x');
  await first.sees('move this session to the background');
  first.type('d');
  await first.sees('Send or clear the draft first.');
  first.press('ctrl+u');
  await first.noLongerSees(promptWith('a draft'));
  first.press('ctrl+x');
  await first.sees('move this session to the background');
  first.type('d');
  await first.sees('shows it again');
  first.signal('SIGHUP');
  await first.ended();

  const second = attach();
  await second.hasSeen('After the answer.');
  second.type('more\r');
  await second.sees('why am I asked');
});

const missingTmux = !isInstalled('tmux');
if (missingTmux) console.warn('NOT TESTED: tmux is not installed (apt-get install tmux).');

test.skipIf(missingTmux)(
  'of two windows in tmux, one is killed with its terminal, and the other goes on with the session',
  async () => {
    const shell = await openShell({columns: 100});
    shell.type(acpTui('--agent', fakeAgent('script', JSON.stringify(ASKS)), '--background', 'go'));
    await shell.sees(/^acp-tui attach [\da-z]{10} shows it\.$/m);
    const {open, run, isAt} = tmuxOf(shell.home);
    const [first, second] = [open('attach'), open('attach')];
    await isAt(first, 'why am I asked');
    await isAt(second, 'why am I asked');
    run('kill-pane', '-t', first);
    run('send-keys', '-t', second, '1');
    await isAt(second, 'After the answer.');
    run('send-keys', '-t', second, 'more', 'Enter');
    await isAt(second, 'Second answer.');
    run('kill-server');
    shell.type(acpTui('service', 'status'));
    await shell.sees(/^[\da-z]{10} +idle +go /m);
    shell.type(acpTui('service', 'stop'));
    await shell.sees(/\$$/);
  },
);

/** A tmux of its own, each of whose panes runs acp-tui. */
function tmuxOf(home: string) {
  const run = (...args: readonly string[]) =>
    execFileSync('tmux', ['-S', join(home, 'tmux'), '-f', '/dev/null', ...args], {
      env: environment(home),
      encoding: 'utf8',
      stdio: 'pipe',
    });
  run('new-session', '-d', '-x', '100', '-y', '30', 'cat');
  return {
    run,
    open: (...args: readonly string[]) =>
      run('new-window', '-dP', '-F', '#{pane_id}', quoted([process.execPath, PROGRAM, ...args])).trim(),
    isAt: async (pane: string, text: string) => {
      await expect.poll(() => run('capture-pane', '-p', '-t', pane), {timeout: 20_000}).toContain(text);
    },
  };
}

test.skipIf(missingSsh() !== undefined)(
  'over ssh it is shown like here, and a connection that is lost interrupts nothing',
  async () => {
    const {shell, open, attach} = await shellWith({background: 'on'});
    const window = open();
    window.type('go\r');
    await window.sees('why am I asked');
    const elsewhere = await openShell({columns: 100, rows: 30});
    const variables = Object.entries(environment(shell.home)).map(([name, value]) => `${name}=${value}`);
    const remote = quoted(['env', ...variables, process.execPath, PROGRAM, 'attach']);
    elsewhere.type(`exec ${await sshServer()} -t ${quoted([remote])}\r`);
    await elsewhere.sees('Tidy up');
    elsewhere.signal('SIGKILL');
    await elsewhere.ended();
    await window.sees('why am I asked');
    window.type('1');
    await untilTurnsEnd(window);
    window.signal('SIGHUP');
    await window.ended();
    await attach().hasSeen('After the answer.');
  },
);

test('a request is answered on the board, in its own session, and a window that shows it is told', async () => {
  const {shell, where} = await shellWith({});
  shell.type(acpTui('--agent', fakeAgent('script', JSON.stringify(ASKS)), '--background', 'go'));
  await shell.sees(/^acp-tui attach [\da-z]{10} shows it\.$/m);
  const [, id = ''] = /attach ([\da-z]{10}) shows/.exec(shell.screen()) ?? [];
  const other = openChat({...where, args: ['attach', id]});
  await other.sees('why am I asked');
  const window = openChat({...where, agent: 'demo'});
  await window.sees(READY);
  window.press('left');
  await window.sees(/Needs you\n❯ ! go/);
  await window.sees('Tab answer');
  await window.sees('1  y  Allow');
  // Nobody has gone to the request: it is text.
  window.type('y');
  await window.sees(promptWith('y'));
  window.press('ctrl+u', 'tab');
  await window.sees('why am I asked');
  window.type('y');
  await other.sees('Answered in another window: Allow.');
  await untilTurnsEnd(other);
  await other.hasSeen('After the answer.');
  await window.sees(/(?:Done|Idle)\n❯ [●·] go/);
});
