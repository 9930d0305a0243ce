import {existsSync, readFileSync} from 'node:fs';
import {constants} from 'node:os';
import path from 'node:path';
import {describe, expect, test} from 'vitest';
import {relatedProcesses} from '../../../src/shared/processes/process-tree.ts';
import {isProcessRunning} from '../../support/program/running.ts';
import {
  fakeAgent,
  openChat,
  openReady,
  openShell,
  PROGRAM,
  quoted,
  READY,
  temporaryFolder,
  type Chat,
} from '../../support/driver/chat.ts';
import {FAKE_AGENT} from '../../support/fake-agent.ts';
import {openPuppet} from '../../support/driver/puppet.ts';
import {processesOf} from '../../support/driver/processes.ts';
import {untouched} from '../../support/driver/modes.ts';

/** A module that throws when the process gets SIGUSR2. */
const crashOnSignal = `data:text/javascript,${encodeURIComponent(
  'process.on("SIGUSR2", () => { throw new Error("planted"); })',
)}`;

/** The process of acp-tui itself, and not one that it just forked, which has the same command line for a moment. */
function program(chat: Chat): number {
  const commands = new Map(processesOf(chat.home).map(({pid, command}) => [pid, command]));
  // Parents are before their children here. Elsewhere the order is that of the PIDs, which start again at 300.
  const found = relatedProcesses(chat.pid).find((pid) => commands.get(pid)?.includes(PROGRAM));
  if (found === undefined) throw new Error(`acp-tui does not run; the screen shows\n${chat.screen()}`);
  return found;
}

/** Waits until the agent runs, with this many processes of its own. */
async function agentRuns(chat: Chat, children: number): Promise<void> {
  const isThere = () =>
    processesOf(chat.home).some(
      // The program has the agent's command among its arguments.
      ({pid, command}) =>
        command.includes(FAKE_AGENT) && !command.includes(PROGRAM) && relatedProcesses(pid).length > children,
    );
  await chat.until(isThere, 'for the agent and its children');
}

async function tellsItsState(shell: Chat, code: number): Promise<void> {
  shell.type('echo "left with $?"; stty -a\r');
  await shell.hasSeen(`left with ${code}\n`);
  await shell.hasSeen(/[ -]echoke/);
  const settings = shell.history().slice(shell.history().indexOf('left with '));
  expect(settings).toMatch(/(?<!-)\bicanon\b/);
  expect(settings).toMatch(/(?<!-)\becho\b/);
  expect(settings).toMatch(/(?<!-)\bisig\b/);
}

const kill = (signal: NodeJS.Signals) => (chat: Chat) => {
  process.kill(program(chat), signal);
};

interface Way {
  readonly leave: (chat: Chat) => void | Promise<void>;
  readonly code: number;
  readonly agent: 'echo' | 'stubborn';
}

/** The other signals: exit-signals.test.ts. */
const ways: Readonly<Record<string, Way>> = {
  '/quit': {leave: (chat) => chat.type('/quit\r'), code: 0, agent: 'echo'},
  'Ctrl+D': {leave: (chat) => chat.press('ctrl+d'), code: 0, agent: 'stubborn'},
  'Ctrl+C twice': {
    async leave(chat) {
      chat.press('ctrl+c');
      await chat.sees('Press Ctrl+C again to quit');
      chat.press('ctrl+c');
    },
    code: 0,
    agent: 'echo',
  },
  SIGINT: {leave: kill('SIGINT'), code: 130, agent: 'echo'},
  SIGTERM: {leave: kill('SIGTERM'), code: 143, agent: 'stubborn'},
  SIGHUP: {leave: kill('SIGHUP'), code: 129, agent: 'echo'},
  SIGQUIT: {leave: kill('SIGQUIT'), code: 131, agent: 'stubborn'},
  SIGUSR1: {leave: kill('SIGUSR1'), code: 138, agent: 'echo'},
  'a crash of its own': {leave: kill('SIGUSR2'), code: 1, agent: 'stubborn'},
};

describe.each(Object.entries(ways))('quitting by %s', (_name, {leave, code, agent}) => {
  test('restores the terminal, exits with its code, and leaves no process behind', async () => {
    const shell = await openShell({kitty: true, env: {NODE_OPTIONS: `--import=${crashOnSignal}`}});
    shell.type(`${quoted([process.execPath, PROGRAM, '--agent', fakeAgent(agent)])}\r`);
    await shell.sees(READY);
    await shell.until(() => shell.modes.kittyLevels === 1, 'for the kitty keyboard');
    expect(shell.modes).toMatchObject({bracketedPaste: true, focusReports: true});
    await agentRuns(shell, agent === 'stubborn' ? 2 : 0);
    const own = relatedProcesses(program(shell));
    await leave(shell);
    await shell.sees(/\n(?:acp-tui crashed: planted\nSee the log: .*\n)?\$$/);
    expect(own.filter(isProcessRunning)).toEqual([]);
    // The shell's line editor has its own modes.
    expect(shell.modes).toEqual(untouched);
    await tellsItsState(shell, code);
  });
});

describe.each<NodeJS.Signals>(['SIGTERM', 'SIGUSR2'])('%s', (signal) => {
  test('to a subcommand that asks restores the terminal', async () => {
    const shell = await openShell();
    const run = quoted([process.execPath, PROGRAM]);
    shell.type(`${run} -p hello --agent demo > /dev/null && echo "is over"\r`);
    await shell.sees(/^is over\n\$$/m);
    shell.type(`${run} sessions delete $(basename ~/.local/state/acp-tui/sessions/*.ndjson .ndjson)\r`);
    await shell.sees('[y/N]');
    process.kill(program(shell), signal);
    await shell.sees(/\$$/);
    await tellsItsState(shell, 128 + constants.signals[signal]);
  });

  test('to config edit stops the editor, too', async () => {
    const script = "stty -echo -icanon; trap 'stty sane; exit 1' TERM; echo editing; read -r line";
    const shell = await openShell({env: {EDITOR: `sh -c "${script}" --`}});
    shell.type(`${quoted([process.execPath, PROGRAM])} config edit\r`);
    await shell.sees(/^editing$/m);
    process.kill(program(shell), signal);
    await shell.sees(/\$$/);
    expect(processesOf(shell.home).map(({pid}) => pid)).toEqual([shell.pid]);
    await tellsItsState(shell, 128 + constants.signals[signal]);
  });
});

test('closing the terminal stops the program, the agent and all of its children', async () => {
  const chat = await openReady({agent: fakeAgent('stubborn')});
  await agentRuns(chat, 2);
  chat.hangUp();
  await chat.until(() => processesOf(chat.home).length === 0, 'for every process to end');
});

test('an agent that is starting is stopped as well', async () => {
  const chat = openChat({agent: fakeAgent('silent')});
  await chat.sees('Waiting for fake-agent.js to answer');
  chat.press('ctrl+d');
  expect(await chat.ended()).toBe(0);
  expect(processesOf(chat.home)).toEqual([]);
});

test('a second signal does not wait for the agent', async () => {
  const mark = path.join(temporaryFolder('mark'), 'tidied-up');
  const chat = await openReady({agent: fakeAgent('lingers', mark)});
  chat.signal('SIGTERM');
  await chat.until(() => !chat.modes.focusReports, 'to leave');
  chat.signal('SIGTERM');
  expect(await chat.ended()).toBe(143);
  await chat.until(() => processesOf(chat.home).length === 0, 'for every process to end');
  expect(existsSync(mark)).toBe(false);
  expect(chat.modes).toEqual(untouched);
});

test('the conversation stays on the screen after quitting', async () => {
  const chat = await openReady({agent: fakeAgent('echo')});
  chat.type('remember me\r');
  await chat.hasSeen(/▌ remember me\n\n {2}remember me/);
  chat.press('ctrl+d');
  expect(await chat.ended()).toBe(0);
  await chat.sees(/▌ remember me\n\n {2}remember me/);
});

test.each([300, 3000])(
  'of an answer of %s lines nothing is lost when it is quit while it is printed',
  async (count) => {
    const chat = await openPuppet();
    await chat.begin();
    const rows = Array.from({length: count}, (_, index) => `row ${index} ends`);
    chat.report({say: `${rows.join('\n\n')}\n\n`}, {end: 'end_turn'});
    await chat.hasSeen('row 0 ends');
    chat.press('ctrl+d');
    expect(await chat.ended()).toBe(0);
    const printed = chat.history().match(/row \d+ ends/g);
    expect(printed).toEqual(rows);
  },
);

test.each<NodeJS.Signals>(['SIGTERM', 'SIGHUP'])(
  'after %s the agent has time to clean up',
  async (signal) => {
    const mark = path.join(temporaryFolder('mark'), 'tidied-up');
    const chat = await openReady({agent: fakeAgent('lingers', mark)});
    chat.signal(signal);
    await chat.ended();
    expect(existsSync(mark)).toBe(true);
  },
);

test('a crash is reported below the conversation', async () => {
  const chat = await openReady({agent: fakeAgent('echo'), env: {NODE_OPTIONS: `--import=${crashOnSignal}`}});
  chat.signal('SIGUSR2');
  expect(await chat.ended()).toBe(1);
  const [said, log] = chat.screen().split('\nSee the log: ');
  expect(said).toBe('acp-tui crashed: planted');
  expect(readFileSync(log ?? '', 'utf8')).toContain('Error: planted');
});

/** A module with an unhandled rejection on a signal. */
const rejectOnSignal = `data:text/javascript,${encodeURIComponent(
  'process.on("SIGCONT", () => void Promise.reject(new Error("planted")))',
)}`;

test('an unhandled rejection is reported, and the window keeps working', async () => {
  const chat = await openReady({
    agent: fakeAgent('echo'),
    env: {NODE_OPTIONS: `--import=${rejectOnSignal}`},
  });
  chat.signal('SIGCONT');
  await chat.sees('Internal error: planted.');
  chat.type('still here\r');
  await chat.hasSeen(/▌ still here\n\n {2}still here/);
});

test('a prompt right after /close goes to the session that is shown next, whose agent may be the same', async () => {
  const mark = path.join(temporaryFolder('mark'), 'tidied-up');
  const chat = await openReady({agent: fakeAgent('lingers', mark)});
  chat.type('one\r');
  await chat.hasSeen(/▌ one\n\n {2}one/);
  chat.type('/close');
  await chat.sees('❯ /close');
  chat.press('enter');
  await chat.noLongerSees('❯ /close');
  chat.type('two\r');
  await chat.hasSeen(/▌ two\n\n {2}two/);
  expect(existsSync(mark)).toBe(false);
  chat.press('ctrl+d');
  expect(await chat.ended()).toBe(0);
  expect(existsSync(mark)).toBe(true);
  expect(processesOf(chat.home)).toEqual([]);
});
