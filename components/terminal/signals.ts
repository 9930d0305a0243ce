import {sanitizeLine} from '../../src/text/sanitize.ts';

/** The window's progress in the taskbar or tab. */
export type Progress = 'none' | 'working' | 'waiting';

export type TerminalSignals = ReturnType<typeof terminalSignals>;

type Environment = Readonly<Record<string, string | undefined>>;

/** Terminator of an OSC or DCS string. */
const STRING_END = '\x1b\\';

/** Variables that are inherited through tmux and screen, which set their own TERM and TERM_PROGRAM. */
const MARKS = {
  kitty: ['KITTY_WINDOW_ID'],
  iterm: ['ITERM_SESSION_ID'],
  wezterm: ['WEZTERM_PANE', 'WEZTERM_EXECUTABLE'],
  ghostty: ['GHOSTTY_RESOURCES_DIR'],
  windows: ['WT_SESSION'],
  conemu: ['ConEmuPID'],
  vte: ['VTE_VERSION'],
  konsole: ['KONSOLE_VERSION'],
} as const;

type Known = keyof typeof MARKS | 'vscode' | 'urxvt' | 'other';

/** Returns the sequences for notifications (OSC 9, 99 or 777) and progress (OSC 9;4) of the terminal in the environment; empty if it does not support them. */
export function terminalSignals(env: Environment) {
  const terminal = terminalIn(env);
  const wrap = throughMultiplexer(env);
  const showsProgress = SHOWS_PROGRESS.has(terminal) || (terminal === 'iterm' && isNewIterm(env));
  return {
    notify(text: string): string {
      const start = NOTIFICATIONS[terminal];
      const body = sanitizeLine(text).replaceAll(';', ',');
      return start === undefined ? '' : wrap(`\x1b]${start}${body}${STRING_END}`);
    },
    progress: (progress: Progress) =>
      showsProgress ? wrap(`\x1b]9;4;${PROGRESS[progress]}${STRING_END}`) : '',
  };
}

/** In other terminals, `9;4` would be the text of a notification. */
const SHOWS_PROGRESS = new Set<Known>(['windows', 'conemu', 'ghostty', 'wezterm', 'vte', 'vscode']);

/** Before version 3.6.6, iTerm2 notified of it. */
function isNewIterm({LC_TERMINAL_VERSION, TERM_PROGRAM_VERSION}: Environment): boolean {
  const version = LC_TERMINAL_VERSION ?? TERM_PROGRAM_VERSION ?? '';
  return version.localeCompare('3.6.6', 'en', {numeric: true}) >= 0;
}

/** No progress, indeterminate, and paused. */
const PROGRESS: Readonly<Record<Progress, string>> = {none: '0;0', working: '3;0', waiting: '4;50'};

function terminalIn(env: Environment): Known {
  const named = (Object.keys(MARKS) as (keyof typeof MARKS)[]).find((name) =>
    MARKS[name].some((variable) => Boolean(env[variable])),
  );
  if (named) return named;
  if (env['TERM_PROGRAM'] === 'vscode') return 'vscode';
  return /^(?:rxvt|foot)/.test(env['TERM'] ?? '') ? 'urxvt' : 'other';
}

/** What a notification begins with, in the terminals that show any. */
const NOTIFICATIONS: Readonly<Partial<Record<Known, string>>> = {
  kitty: '99;;',
  vscode: '99;;',
  iterm: '9;',
  wezterm: '9;',
  ghostty: '9;',
  urxvt: '777;notify;acp-tui;',
  vte: '777;notify;acp-tui;',
  konsole: '777;notify;acp-tui;',
};

/** Returns a function that wraps a sequence for the terminal outside of tmux (with `allow-passthrough`) or GNU screen; unchanged without them. */
function throughMultiplexer(env: Environment): (sequence: string) => string {
  if (env['TMUX']) return (sequence) => `\x1bPtmux;${sequence.replaceAll('\x1b', '\x1b\x1b')}${STRING_END}`;
  // The inner terminator would end the outer string: screen accepts a bell there.
  if (env['STY']) return (sequence) => `\x1bP${sequence.replaceAll(STRING_END, '\x07')}${STRING_END}`;
  return (sequence) => sequence;
}
