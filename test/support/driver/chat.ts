import {mkdtempSync, mkdirSync, realpathSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import path from 'node:path';
import {expect, onTestFinished} from 'vitest';
import {PROGRAM} from './lend-process.ts';
import {endProcesses} from './processes.ts';
import {spawnProgram} from './program.ts';
import {TerminalDriver, type TerminalOptions} from './terminal.ts';
import {FAKE_AGENT} from '../fake-agent.ts';

export {PROGRAM};

/** The command line of a scripted agent; its scenarios are in fixtures/fake-agent. */
export function fakeAgent(scenario: string, ...args: readonly string[]): string {
  return quoted([process.execPath, FAKE_AGENT, scenario, ...args]);
}

export interface ChatOptions {
  /** An agent's command line, or `demo`. */
  readonly agent?: string;
  readonly args?: readonly string[];
  readonly columns?: number;
  readonly rows?: number;
  readonly env?: Readonly<Record<string, string>>;
  /** True for a terminal that supports the kitty keyboard protocol. */
  readonly kitty?: boolean;
  /** See `TerminalOptions`. */
  readonly background?: string;
  /** True for a process of its own, which can be killed. */
  readonly ownProcess?: boolean;
  /** True if snapshots are taken around turns. By default none are: each starts a dozen processes of git. */
  readonly snapshots?: boolean;
  /** A working folder, and a home: created for the test by default, so that a second chat can reuse them. */
  readonly home?: string;
  readonly cwd?: string;
}

export interface Chat extends TerminalDriver {
  readonly home: string;
  readonly cwd: string;
}

let startProgram: NonNullable<TerminalOptions['start']> = spawnProgram;

/** Sets how acp-tui is started. */
export function useProgram(start: typeof startProgram): void {
  startProgram = start;
}

/** A new folder that is removed when the test ends. */
export function temporaryFolder(name: string): string {
  const folder = realpathSync(mkdtempSync(path.join(tmpdir(), `acp-tui-${name}-`)));
  // A process that just exited may still be writing.
  onTestFinished(() => rmSync(folder, {recursive: true, force: true, maxRetries: 5}));
  return folder;
}

/** Starts acp-tui in a terminal, with its own home; stopped when the test ends. */
export function openChat(options: ChatOptions = {}): Chat {
  const {agent, args = [], ownProcess = false} = options;
  const start = ownProcess ? spawnProgram : startProgram;
  const {home, cwd} = foldersFor(options);
  const line = [PROGRAM, ...(agent === undefined ? [] : ['--agent', agent]), ...args];
  return openTerminal([process.execPath, ...line], {
    ...options,
    home,
    cwd,
    start,
  });
}

/** Opens a chat, and waits until its session is open. */
export async function openReady(options: ChatOptions = {}): Promise<Chat> {
  const chat = openChat(options);
  await chat.sees(READY);
  return chat;
}

/** Waits until the agent `waits` has its prompt: before that, Esc sends the prompt without a snapshot. */
export async function untilWaiting(chat: Chat): Promise<void> {
  await chat.hasSeen('waiting');
  await chat.sees('Esc cancel');
}

/** Selects the highlighted item of a list, whose hint says from when keys count: it may have opened by itself. */
export async function selectHighlighted(chat: TerminalDriver, item: string | RegExp): Promise<void> {
  await chat.sees(item);
  await chat.sees('Enter select');
  chat.press('enter');
}

/** The text of an empty prompt once a session is open. */
export const READY = 'Ask anything';

/** Matches a prompt that contains exactly this text, with or without its box. A field of a form looks alike. */
export function promptWith(text: string): RegExp {
  const rows = text
    .split('\n')
    .map((row) => `(?:│ [❯ ] )?${row.replaceAll(/[[\]{}()*+?.|^$\\]/g, '\\$&')} *│?`);
  return new RegExp(`^${rows.join('\n')}$`, 'm');
}

/** A shell in which a test types as a user does; its prompt is `$ `. */
export async function openShell(options: ChatOptions = {}): Promise<Chat> {
  const env = {...options.env, PS1: '$ ', HISTFILE: ''};
  const shell = openTerminal(['/bin/sh', '-i'], {...options, ...foldersFor(options), env});
  await shell.sees(/\$$/);
  return shell;
}

/** Words quoted for a shell. */
export function quoted(words: readonly string[]): string {
  return words.map((word) => `'${word.replaceAll("'", "'\\''")}'`).join(' ');
}

type Folders = Required<Pick<ChatOptions, 'home' | 'cwd'>>;

function foldersFor({
  snapshots = false,
  home = snapshots ? temporaryFolder('home') : newHome(),
  cwd = path.join(home, 'project'),
}: ChatOptions): Folders {
  mkdirSync(cwd, {recursive: true});
  return {home, cwd};
}

/** A home with these settings, for chats that share one; no snapshots are taken unless they say so. */
export function newHome(settings: object = {}): string {
  const home = temporaryFolder('home');
  writeSettings(home, settings);
  return home;
}

/** Writes the settings of a home. */
export function writeSettings(home: string, settings: object = {}): void {
  const file = path.join(home, '.config/acp-tui/config.json');
  mkdirSync(path.dirname(file), {recursive: true});
  writeFileSync(file, JSON.stringify({snapshots: {take: false}, ...settings}));
}

function openTerminal(
  [file = '', ...args]: readonly string[],
  options: ChatOptions & Folders & Pick<TerminalOptions, 'start'>,
): Chat {
  const {home, cwd, columns, rows, kitty, background, start} = options;
  const terminal = new TerminalDriver(file, args, {
    cwd,
    env: environment(home, options.env),
    ...(columns !== undefined && {columns}),
    ...(rows !== undefined && {rows}),
    ...(kitty !== undefined && {kitty}),
    ...(background !== undefined && {background}),
    ...(start && {start}),
  });
  onTestFinished(async () => {
    await terminal.dispose();
    endProcesses(home);
    expect(terminal.clears, 'the screen was cleared').toBe(0);
    expect(terminal.clipboard, 'the clipboard was written').toEqual([]);
  });
  return Object.assign(terminal, {home, cwd});
}

/** Independent of the machine: a fixed terminal, language and home. */
export function environment(
  home: string,
  extra: Readonly<Record<string, string>> = {},
): Record<string, string> {
  return {
    PATH: process.env['PATH'] ?? '',
    HOME: home,
    XDG_CONFIG_HOME: path.join(home, '.config'),
    XDG_STATE_HOME: path.join(home, '.local/state'),
    XDG_DATA_HOME: path.join(home, '.local/share'),
    XDG_CACHE_HOME: path.join(home, '.cache'),
    TERM: 'xterm-256color',
    COLORTERM: 'truecolor',
    LANG: 'C.UTF-8',
    TZ: 'UTC',
    // A user who has selected an agent before.
    ACP_TUI_AGENT: 'demo',
    // Without the pauses of a model that thinks.
    ACP_TUI_DEMO_PACE: '0',
    ...extra,
  };
}

/** The number of turns that have ended: each leaves a line with its duration. */
export function endedTurns(chat: TerminalDriver): number {
  return chat.history().match(/^ *\d+(?:\.\d+)? (?:ms|s|min)\b/gm)?.length ?? 0;
}

/** Waits until this many turns have ended. */
export async function untilTurnsEnd(chat: TerminalDriver, count = 1): Promise<void> {
  await chat.until(() => endedTurns(chat) >= count, `for ${count} turns to end`);
}

/** Sends a prompt, and waits until this many turns have ended. */
export async function say(chat: TerminalDriver, text: string, turns = 1): Promise<void> {
  chat.type(`${text}\r`);
  await untilTurnsEnd(chat, turns);
}

/** Runs a command by its name, once the menu shows it. */
export async function runCommand(chat: TerminalDriver, command: string): Promise<void> {
  chat.type(command);
  await chat.sees(`❯ ${command}`);
  chat.press('enter');
}
