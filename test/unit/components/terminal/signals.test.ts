import {describe, expect, test} from 'vitest';
import {detectCapabilities} from '../../../../components/terminal/capabilities.ts';
import {terminalSignals} from '../../../../components/terminal/signals.ts';

describe('a notification', () => {
  test.each([
    ['kitty', {KITTY_WINDOW_ID: '1'}, '\x1b]99;;Claude is done\x1b\\'],
    ['iTerm2', {ITERM_SESSION_ID: 'w0'}, '\x1b]9;Claude is done\x1b\\'],
    ['Ghostty', {GHOSTTY_RESOURCES_DIR: '/g'}, '\x1b]9;Claude is done\x1b\\'],
    ['foot', {TERM: 'foot'}, '\x1b]777;notify;acp-tui;Claude is done\x1b\\'],
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

test('progress is shown only where OSC 9;4 is not a notification', () => {
  expect(terminalSignals({WT_SESSION: 'x'}).progress('working')).toBe('\x1b]9;4;3;0\x1b\\');
  expect(terminalSignals({WT_SESSION: 'x'}).progress('none')).toBe('\x1b]9;4;0;0\x1b\\');
  expect(terminalSignals({ITERM_SESSION_ID: 'x'}).progress('working')).toBe('');
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
