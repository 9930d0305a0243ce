import {describe, expect, test} from 'vitest';
import {detectCapabilities} from '../../../../components/terminal/capabilities.ts';

const of = (env: Record<string, string>, detected: 0 | 1 | 2 | 3 = 3) =>
  detectCapabilities({TERM: 'xterm-256color', LANG: 'en_US.UTF-8', ...env}, detected);

describe('colors', () => {
  test('are those that were detected', () => {
    expect(of({}, 2).colors).toBe(2);
  });

  test('are off with NO_COLOR, whatever its value, unless empty', () => {
    expect(of({NO_COLOR: '1'}).colors).toBe(0);
    expect(of({NO_COLOR: '0'}).colors).toBe(0);
    expect(of({NO_COLOR: ''}).colors).toBe(3);
  });

  test('are on with FORCE_COLOR even with NO_COLOR or a dumb terminal', () => {
    expect(of({NO_COLOR: '1', FORCE_COLOR: '1'}, 1).colors).toBe(1);
    expect(of({TERM: 'dumb', FORCE_COLOR: '3'}).colors).toBe(3);
  });

  test('are off in a dumb terminal', () => {
    expect(of({TERM: 'dumb'}).colors).toBe(0);
  });
});

test('emphasis is no color: NO_COLOR keeps it, a dumb terminal has none', () => {
  expect(of({NO_COLOR: '1'}, 0).emphasis).toBe(true);
  expect(of({TERM: 'dumb'}).emphasis).toBe(false);
});

describe('glyphs', () => {
  test('are ASCII if the locale is not UTF-8, with LC_ALL first', () => {
    expect(of({LC_ALL: 'C'}).charset).toBe('ascii');
    expect(of({LC_ALL: 'C', LANG: 'de_DE.UTF-8'}).charset).toBe('ascii');
    expect(of({LC_ALL: '', LC_CTYPE: 'C.utf8', LANG: 'C'}).charset).toBe('unicode');
  });

  test('are Unicode without a locale', () => {
    expect(of({LANG: ''}).charset).toBe('unicode');
  });
});

test('a dumb terminal has no animation', () => {
  expect(of({TERM: 'dumb'}).animations).toBe(false);
  expect(of({}).animations).toBe(true);
});

test('tmux rewraps lines; xterm, screen and the Linux console do not', () => {
  expect(of({XTERM_VERSION: 'XTerm(390)'}).reflows).toBe(false);
  expect(of({TERM: 'linux'}).reflows).toBe(false);
  expect(of({STY: '1.x'}).reflows).toBe(false);
  expect(of({STY: '1.x', TMUX: '/tmp/t'}).reflows).toBe(true);
  expect(of({}).reflows).toBe(true);
});
