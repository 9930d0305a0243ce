import {expect, test} from 'vitest';
import {keyBytes} from '../../../../src/app/input/keys.ts';
import {press} from '../../../support/window/app-window.ts';

test.each([
  ['a', 'a'],
  ['A', 'A'],
  ['é', 'é'],
  ['space', ' '],
  ['enter', '\r'],
  ['tab', '\t'],
  ['shift+tab', '\x1b[Z'],
  ['escape', '\x1b'],
  ['backspace', '\x7f'],
  ['ctrl+backspace', '\b'],
  ['delete', '\x1b[3~'],
  ['up', '\x1b[A'],
  ['ctrl+right', '\x1b[1;5C'],
  ['shift+end', '\x1b[1;2F'],
  ['pageup', '\x1b[5~'],
  ['ctrl+c', '\x03'],
  ['ctrl+d', '\x04'],
  ['ctrl+space', '\0'],
  ['ctrl+_', '\x1f'],
  ['ctrl+[', '\x1b'],
  ['alt+b', '\x1bb'],
  ['alt+enter', '\x1b\r'],
  ['ctrl+enter', '\r'],
])('%s is sent as a terminal sends it', (combination, bytes) => {
  expect(keyBytes(press(combination, 0))).toBe(bytes);
});

test('text that arrived at once, and a paste, are sent unchanged', () => {
  const text = {
    kind: 'key',
    name: undefined,
    text: 'hello',
    ctrl: false,
    alt: false,
    shift: false,
    at: 0,
  } as const;
  expect(keyBytes(text)).toBe('hello');
  expect(keyBytes({kind: 'paste', text: 'a\rb', at: 0})).toBe('a\rb');
});
