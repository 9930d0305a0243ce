import {execFileSync, spawnSync} from 'node:child_process';
import {readFileSync, writeFileSync} from 'node:fs';
import path from 'node:path';
import {onTestFinished} from 'vitest';
import {environment, PROGRAM, writeSettings, temporaryFolder} from './chat.ts';
import {endProcesses} from './processes.ts';
import {TerminalDriver} from './terminal.ts';

export type MultiplexerName = 'tmux' | 'screen';

export interface Multiplexed extends TerminalDriver {
  /** What the multiplexer kept of the program: its scrollback and the screen. */
  readonly kept: () => string;
}

interface Multiplexer {
  /** The command line that opens a window of it with the program inside, in `folder`. */
  readonly around: (program: readonly string[], folder: string) => readonly string[];
  readonly kept: (folder: string, env: NodeJS.ProcessEnv) => string;
}

const multiplexers: Readonly<Record<MultiplexerName, Multiplexer>> = {
  tmux: {
    around: (program, folder) => ['tmux', '-S', socketIn(folder), '-f', '/dev/null', 'new', ...program],
    kept: (folder, env) =>
      execFileSync('tmux', ['-S', socketIn(folder), 'capture-pane', '-p', '-S', '-'], {
        env,
        encoding: 'utf8',
      }),
  },
  screen: {
    around(program, folder) {
      const settings = path.join(folder, 'screenrc');
      writeFileSync(settings, 'startup_message off\ndefscrollback 5000\ndefutf8 on\n');
      return ['screen', '-U', '-c', settings, '-S', path.basename(folder), ...program];
    },
    kept(folder, env) {
      const copy = path.join(folder, 'hardcopy');
      const session = path.basename(folder);
      execFileSync('screen', ['-S', session, '-p', '0', '-X', 'hardcopy', '-h', copy], {env});
      return read(copy);
    },
  },
};

/** True if the multiplexer is installed. */
export function isInstalled(name: MultiplexerName): boolean {
  return spawnSync(name, [name === 'tmux' ? '-V' : '--version']).error === undefined;
}

export interface WindowSize {
  readonly columns: number;
  readonly rows: number;
}

/** Starts acp-tui as the first and only program of a new window of the multiplexer; stopped when the test ends. */
export function openIn(
  name: MultiplexerName,
  agent: string,
  size: WindowSize = {columns: 80, rows: 24},
): Multiplexed {
  const folder = temporaryFolder(name);
  writeSettings(folder);
  const env = environment(folder, {SCREENDIR: path.join(folder, 'sockets')});
  const {around, kept} = multiplexers[name];
  const [file = '', ...args] = around([process.execPath, PROGRAM, '--agent', agent], folder);
  const terminal = new TerminalDriver(file, args, {cwd: folder, env, ...size});
  onTestFinished(async () => {
    await terminal.dispose();
    endProcesses(folder);
  });
  return Object.assign(terminal, {kept: () => kept(folder, env).trimEnd()});
}

function socketIn(folder: string): string {
  return path.join(folder, 'socket');
}

/** Empty if it was not written yet. */
function read(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}
