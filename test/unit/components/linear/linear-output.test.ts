import * as fc from 'fast-check';
import {expect, test} from 'vitest';
import {spokenOf} from '../../../../components/layout/spoken.ts';
import {scrolledRows} from '../../../../components/panels/panel-rows.tsx';
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

test('the same lines are written again when they belong to something else', () => {
  const {show, written} = linear();
  show({lines: [...spokenOf('one', ['Allow this?', '| rm -rf ~']), 'Type here']});
  show({lines: [...spokenOf('two', ['Allow this?', '| rm -rf ~']), 'Type here']});
  show({lines: [...spokenOf('two', ['Allow this?', '| rm -rf ~']), 'Type here']});
  expect(written()).toBe('Allow this?\n| rm -rf ~\nType here\nAllow this?\n| rm -rf ~\n');
});

test('whatever is shown in turn, each row was written since its request appeared', () => {
  const WORDS = ['a', 'b', '', 'c'];
  const requests = fc.array(fc.array(fc.constantFrom(...WORDS), {minLength: 1, maxLength: 8}), {
    minLength: 1,
    maxLength: 3,
  });
  const steps = fc.array(fc.tuple(fc.nat(), fc.nat(), fc.nat({max: 8})), {maxLength: 12});
  fc.assert(
    fc.property(requests, steps, (all, order) => {
      const {show, written} = linear();
      let [last, from] = [-1, 0];
      for (const [request, first, height] of order) {
        const id = request % all.length;
        if (id !== last) from = written().length;
        last = id;
        const rows = all[id] ?? [];
        const start = first % rows.length;
        const visible = rows.slice(start, start + height);
        const spoken = scrolledRows(visible, start).map((row) => row.spoken);
        show({lines: spokenOf(String(id), ['Title', ...spoken])});
        const got = written().slice(from).split('\n');
        for (const word of WORDS) {
          const count = (lines: readonly string[]) => lines.filter((line) => line === word).length;
          expect(count(got)).toBeGreaterThanOrEqual(count(visible));
        }
      }
    }),
  );
});
