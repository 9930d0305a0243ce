import {describe, expect, test} from 'vitest';
import {detectCapabilities} from '../../../../components/terminal/capabilities.ts';
import {terminalSignals} from '../../../../components/terminal/signals.ts';

describe('a notification', () => {
  test.each([
    ['kitty', {KITTY_WINDOW_ID: '1'}, '\x1b]99;;Claude is done\x1b\\'],
    ['iTerm2', {ITERM_SESSION_ID: 'w0'}, '\x1b]9;Claude is done\x1b\\'],
    ['Ghostty', {GHOSTTY_RESOURCES_DIR: '/g'}, '\x1b]9;Claude is done\x1b\\'],
    ['foot', {TERM: 'foot'}, '\x1b]777;notify;acp-tui;Claude is done\x1b\\'],
    ['GNOME Terminal', {VTE_VERSION: '8000'}, '\x1b]777;notify;acp-tui;Claude is done\x1b\\'],
    ['Konsole', {KONSOLE_VERSION: '240800'}, '\x1b]777;notify;acp-tui;Claude is done\x1b\\'],
    ['VS Code', {TERM_PROGRAM: 'vscode'}, '\x1b]99;;Claude is done\x1b\\'],
    ['an unknown terminal', {TERM: 'xterm-256color'}, ''],
    [
      'kitty around tmux',
      {KITTY_WINDOW_ID: '1', TMUX: '/tmp/tmux', TERM: 'tmux-256color'},
      '\x1bPtmux;\x1b\x1b]99;;Claude is done\x1b\x1b\\\x1b\\',
    ],
    ['iTerm2 around screen', {ITERM_SESSION_ID: 'w0', STY: '1.x'}, '\x1bP\x1b]9;Claude is done\x07\x1b\\'],
  ])('reaches %s', (_, env, sequence) => {
    expect(terminalSignals(env).notify('Claude is done')).toBe(sequence);
  });

  test('cannot end its own sequence or start another field', () => {
    const reported = terminalSignals({KITTY_WINDOW_ID: '1'}).notify('a\x1b\\b\x07;c');
    expect(reported.slice(6, -2)).not.toMatch(/[\x07\x1b;]/);
  });
});

const ITERM = {ITERM_SESSION_ID: 'x'};

test.each<[string, Readonly<Record<string, string>>, boolean]>([
  ['Windows Terminal', {WT_SESSION: 'x'}, true],
  ['GNOME Terminal', {VTE_VERSION: '8000'}, true],
  ['VS Code', {TERM_PROGRAM: 'vscode'}, true],
  ['Konsole', {KONSOLE_VERSION: '240800'}, false],
  ['iTerm2', {...ITERM, TERM_PROGRAM_VERSION: '3.6.10'}, true],
  ['an older iTerm2', {...ITERM, TERM_PROGRAM_VERSION: '3.5.14'}, false],
  ['an iTerm2 of unknown version', ITERM, false],
  ['an unknown terminal', {}, false],
])('progress is shown in %s only where OSC 9;4 is not a notification', (_, env, isShown) => {
  expect(terminalSignals(env).progress('working')).toBe(isShown ? '\x1b]9;4;3;0\x1b\\' : '');
  expect(terminalSignals(env).progress('none')).toBe(isShown ? '\x1b]9;4;0;0\x1b\\' : '');
});

test('a screen reader gets lines without escape sequences, and the configured glyphs', () => {
  const env = {TERM: 'xterm-256color', LANG: 'C.UTF-8', FORCE_COLOR: '1'};
  expect(detectCapabilities(env, 3, {screenReader: true})).toMatchObject({
    isLinear: true,
    colors: 0,
    emphasis: false,
    hyperlinks: false,
    animations: false,
  });
  expect(detectCapabilities(env, 3, {glyphs: 'ascii'}).charset).toBe('ascii');
  expect(detectCapabilities({LANG: 'C'}, 3, {glyphs: 'unicode'}).charset).toBe('unicode');
});
