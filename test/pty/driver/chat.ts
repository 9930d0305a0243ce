import {mkdtempSync, mkdirSync, realpathSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import path from 'node:path';
import {fileURLToPath} from 'node:url';
import {onTestFinished} from 'vitest';
import {TerminalDriver} from './terminal.ts';

const root = fileURLToPath(new URL('../../../', import.meta.url));

/** The built program, as a user starts it. */
export const PROGRAM = path.join(root, 'bin/acp-tui.js');

/** The command line of a scripted agent; its scenarios are in fixtures/fake-agent. */
export function fakeAgent(scenario: string, ...args: readonly string[]): string {
  const script = path.join(root, 'fixtures/fake-agent/main.ts');
  return [process.execPath, script, scenario, ...args].map((word) => `'${word}'`).join(' ');
}

export interface ChatOptions {
  /** An agent's command line, or `demo`. */
  readonly agent?: string;
  readonly args?: readonly string[];
  readonly columns?: number;
  readonly rows?: number;
  readonly env?: Readonly<Record<string, string>>;
  /** A folder to work in, and a home: made for the test when not given, so that a second chat can find the first one's. */
  readonly home?: string;
  readonly cwd?: string;
}

export interface Chat extends TerminalDriver {
  readonly home: string;
  readonly cwd: string;
}

/** A new folder that is removed when the test ends. */
export function temporaryFolder(name: string): string {
  const folder = realpathSync(mkdtempSync(path.join(tmpdir(), `acp-tui-${name}-`)));
  onTestFinished(() => rmSync(folder, {recursive: true, force: true}));
  return folder;
}

/** Starts acp-tui in a pseudo-terminal, with a home of its own; ended when the test ends. */
export function openChat(options: ChatOptions = {}): Chat {
  const home = options.home ?? temporaryFolder('home');
  const cwd = options.cwd ?? path.join(home, 'project');
  mkdirSync(cwd, {recursive: true});
  const args = [
    PROGRAM,
    ...(options.agent === undefined ? [] : ['--agent', options.agent]),
    ...(options.args ?? []),
  ];
  const terminal = new TerminalDriver(process.execPath, args, {
    cwd,
    env: environment(home, options.env),
    ...(options.columns !== undefined && {columns: options.columns}),
    ...(options.rows !== undefined && {rows: options.rows}),
  });
  onTestFinished(() => terminal.dispose());
  return Object.assign(terminal, {home, cwd});
}

/** Nothing of the machine that runs the tests may decide: a fixed terminal, language and home. */
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
    ...extra,
  };
}
