import {expect, test} from 'vitest';
import {commandIn} from '../../../../src/session/labels/command-label.ts';

test.each([
  [{command: 'rm -rf x'}, 'rm -rf x'],
  [{cmd: ['rm', '-rf', 'a b']}, "rm -rf 'a b'"],
  [{command: 'rm', args: ['-rf', 'x']}, 'rm -rf x'],
  [{command: 'ls -la', args: []}, 'ls -la'],
  [{command: 'ls', args: null}, 'ls'],
  [{command: 'rm', args: '-rf /'}, undefined],
  [{command: ['rm'], args: ['-rf', 1]}, undefined],
  [{args: ['-rf']}, undefined],
  ['rm', undefined],
])('%j is the command %s: never one without its arguments', (input, command) => {
  expect(commandIn(input)).toBe(command);
});
