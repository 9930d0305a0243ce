import {existsSync, mkdirSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync} from 'node:fs';
import {basename, join} from 'node:path';
import {describe, expect, test} from 'vitest';
import type {Script} from '../../../fixtures/fake-agent/scenarios/script.ts';
import {FAKE_AGENT} from '../../support/fake-agent.ts';
import {environment, openChat, READY, runCommand, type Chat} from '../../support/driver/chat.ts';
import {temporaryFolder} from '../../support/folders/temporary-folder.ts';
import {runHere, runProgram} from '../../support/program/run-program.ts';
import {quoteWords} from '../../../src/text/shell-quote.ts';
import {hasNoSandbox} from './sandboxes.ts';

/** Where an agent that was started is. */
type Where = 'inside' | 'outside' | 'not started';

/** What says that a session is confined. */
const BY = {
  nothing: {settings: {}},
  option: {settings: {}, option: '--sandbox'},
  setting: {settings: {sandbox: 'on'}},
  'setting of the agent': {settings: {}, ofAgent: {sandbox: 'on'}},
  'stored session': {settings: {}, isStored: true},
  'the setting, and not the option': {settings: {sandbox: 'on'}, option: '--no-sandbox'},
  'the stored session, and not the option': {settings: {}, isStored: true, option: '--no-sandbox'},
} satisfies Record<string, By>;

interface By {
  readonly settings: object;
  readonly ofAgent?: object;
  readonly option?: string;
  readonly isStored?: boolean;
}

/** A home with an agent that leaves marks when it starts: one in a folder that its sandbox lets it write, and one outside if it can. */
function place({settings, ofAgent}: By) {
  const home = realpathSync(temporaryFolder());
  const cwd = join(home, 'project');
  const config = join(home, '.config/acp-tui');
  const marks = join(home, 'marks');
  const [started, outside] = [join(marks, 'started'), join(home, 'outside')];
  for (const folder of [cwd, config, marks]) mkdirSync(folder, {recursive: true});
  const listed = {sessionId: 'one', cwd, title: 'Spied', updatedAt: '2026-01-01T00:00:00Z'};
  const script: Script = {
    initialize: {
      agentInfo: {name: 'Spy', version: '1.0.0'},
      agentCapabilities: {loadSession: true, sessionCapabilities: {list: {}}},
    },
    results: {'session/list': {sessions: [listed]}},
    turns: [[]],
  };
  const node = quoteWords([process.execPath, FAKE_AGENT, 'script', JSON.stringify(script)]);
  const file = join(home, 'agent.sh');
  writeFileSync(file, `echo >> ${started}; echo 2>/dev/null >> ${outside}; exec ${node}`);
  const spy = {command: quoteWords(['sh', file]), sandboxFolders: [marks], ...ofAgent};
  writeFileSync(
    join(config, 'config.json'),
    JSON.stringify({snapshots: {take: false}, ...settings, agents: {spy}}),
  );
  const where = (): Where => {
    if (!existsSync(started)) return 'not started';
    return existsSync(outside) && readFileSync(outside, 'utf8') !== '' ? 'outside' : 'inside';
  };
  const forget = () => [started, outside].forEach((file) => rmSync(file, {force: true}));
  const folders = {
    ACP_TUI_CONFIG_DIR: config,
    ACP_TUI_STATE_DIR: join(home, '.local/state/acp-tui'),
    ACP_TUI_DATA_DIR: join(home, '.local/share/acp-tui'),
    ACP_TUI_CACHE_DIR: join(home, '.cache/acp-tui'),
  };
  return {home, cwd, where, forget, env: environment(home, folders)};
}

type Place = ReturnType<typeof place>;

const here = ({cwd, env}: Place, ...args: string[]) => runHere(args, {cwd, env});

async function inWindow({home, cwd}: Place, args: readonly string[], agent?: string): Promise<Chat> {
  const chat = openChat({home, cwd, columns: 100, args, ...(agent !== undefined && {agent})});
  await chat.sees(READY);
  return chat;
}

function storedId({home}: Place): string {
  const [file = ''] = readdirSync(join(home, '.local/state/acp-tui/sessions'));
  return basename(file, '.ndjson');
}

/** A way in which an agent is started; `resumes`: that of a stored session. */
interface Way {
  readonly resumes?: boolean;
  /** True for one that gets no option: the session is neither the first of a window nor of a command. */
  readonly isLater?: boolean;
  /** True for one that takes neither option, and starts nothing then. */
  readonly refusesOption?: boolean;
  readonly start: (place: Place, option: readonly string[]) => Promise<unknown>;
}

const agent = ['--agent', 'spy'];

const WAYS: Readonly<Record<string, Way>> = {
  '-p': {start: (place, option) => here(place, '-p', 'go', ...agent, ...option)},
  '-p -c': {resumes: true, start: (place, option) => here(place, '-p', 'go', '-c', ...option)},
  'a window with -r': {
    resumes: true,
    start: (place, option) => inWindow(place, ['-r', storedId(place), ...option]),
  },
  '-b': {start: (place, option) => inBackground(place, 'go', ...agent, ...option)},
  '-b -c': {resumes: true, start: (place, option) => inBackground(place, 'go', '-c', ...option)},
  doctor: {
    refusesOption: true,
    start: (place, option) => here(place, 'doctor', ...agent, ...option),
  },
  'a window': {start: (place, option) => inWindow(place, [...option], 'spy')},
  'a window with -c': {resumes: true, start: (place, option) => inWindow(place, ['-c', ...option])},
  '/restart': {
    async start(place, option) {
      const chat = await inWindow(place, [...option], 'spy');
      place.forget();
      await runCommand(chat, '/restart');
      await expect.poll(place.where).not.toBe('not started');
      await chat.sees(READY);
    },
  },
  "a session of the list in another agent's window": {
    resumes: true,
    isLater: true,
    async start(place, option) {
      const chat = await inWindow(place, [...option], 'demo');
      await runCommand(chat, '/resume');
      // Runs of print mode are hidden.
      await chat.sees('Ctrl+R show');
      chat.press('ctrl+r');
      await chat.sees('❯ go');
      chat.press('enter');
      await expect.poll(place.where).not.toBe('not started');
    },
  },
  'Ctrl+A in the list': {
    isLater: true,
    async start(place, option) {
      const chat = await inWindow(place, [...option], 'demo');
      await runCommand(chat, '/resume');
      await chat.sees('Ctrl+A all agents');
      chat.press('ctrl+a');
      await chat.sees('Spy: 1');
    },
  },
};

/** Runs a command and stops the service that it has started. */
async function inBackground({cwd, env, where}: Place, ...args: string[]): Promise<void> {
  await runProgram(['-b', ...args], {cwd, env, input: ''});
  await expect.poll(where).not.toBe('not started');
  await runProgram(['service', 'stop'], {cwd, env, input: ''});
}

/** Every cell of the table in docs/sandbox.md. */
const CELLS = Object.keys(WAYS).flatMap((way) =>
  Object.entries<By>(BY)
    .filter(([, {isStored}]) => !isStored || WAYS[way]?.resumes)
    .map(([by, {option}]): readonly [string, string, Where] => {
      if (option !== undefined && WAYS[way]?.refusesOption) return [way, by, 'not started'];
      // Those that begin later follow --sandbox, but not --no-sandbox.
      const isOff = option === '--no-sandbox' && !WAYS[way]?.isLater;
      return [way, by, by === 'nothing' || isOff ? 'outside' : 'inside'];
    }),
);

describe.skipIf(hasNoSandbox)('an agent', () => {
  test.each(CELLS)('that is started by %s, confined by %s, is %s', async (name, named, expected) => {
    const by = (BY as Readonly<Record<string, By>>)[named]!;
    const at = place(by);
    const {resumes, start} = WAYS[name]!;
    if (resumes) await here(at, '-p', 'go', ...agent, by.isStored ? '--sandbox' : '--no-sandbox');
    const before = by.isStored ? 'inside' : 'outside';
    expect(at.where()).toBe(resumes ? before : 'not started');
    at.forget();
    await start(at, by.option === undefined ? [] : [by.option]);
    expect(at.where()).toBe(expected);
  });
});
