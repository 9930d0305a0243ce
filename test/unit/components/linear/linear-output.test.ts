import {expect, test} from 'vitest';
import type {LinearFrame} from '../../../../components/linear/linear-window.tsx';
import {createLinearOutput} from '../../../../components/linear/linear-output.ts';
import {createGatedOutput} from '../../../../components/terminal/output.ts';

function linear() {
  let written = '';
  const terminal = {columns: 80, rows: 24, write: (data: string) => Boolean((written += data))};
  const where = {terminal, charset: 'unicode'} as const;
  const output = createLinearOutput(where, createGatedOutput(where));
  const show = (frame: Partial<LinearFrame>) =>
    output.show({lines: [], working: undefined, draft: '', ...frame});
  return {output, show, written: () => written};
}

test('typed text continues after the prompt, and is written again after a deletion', () => {
  const {show, written} = linear();
  for (const draft of ['h', 'hi', 'h', 'ho', '']) show({draft});
  expect(written()).toBe('> hi\n> ho\n');
});

test('lines of the frame are written when they are new', () => {
  const {show, written} = linear();
  show({lines: ['A list', '❯ one', '  two']});
  show({lines: ['A list', '  one', '❯ two']});
  show({lines: ['A list', '  one', '❯ two'], working: 'Working…'});
  show({working: 'Working…'});
  expect(written()).toBe('A list\n❯ one\n  two\n  one\n❯ two\nWorking…\n');
});

test('of a list only the newly selected item is written', () => {
  const {show, written} = linear();
  show({lines: ['Selected: one', '  two']});
  show({lines: ['  one', 'Selected: two']});
  show({lines: ['Selected: one', '  two']});
  expect(written()).toBe('Selected: one\n  two\nSelected: two\nSelected: one\n');
});

test('output starts a line, and the draft follows it again', () => {
  const {output, show, written} = linear();
  show({draft: 'half'});
  output.print(['An answer.']);
  show({draft: 'half'});
  expect(written()).toBe('> half\nAn answer.\n> half');
});

test('nothing that Ink draws is written', () => {
  const {output, written} = linear();
  output.stream.write('\x1b[2K\x1b[1Aframe\n');
  output.settle();
  output.open();
  output.stream.write('frame\n');
  expect(written()).toBe('');
});
