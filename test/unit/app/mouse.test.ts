import {expect, test} from 'vitest';
import {mouseEventIn} from '../../../src/app/input/mouse.ts';

test.each([
  ['\x1b[<0;1;1M', {kind: 'press', column: 0, row: 0}],
  ['\x1b[<32;12;3M', {kind: 'drag', column: 11, row: 2}],
  ['\x1b[<0;12;3m', {kind: 'release', column: 11, row: 2}],
  ['\x1b[<64;200;40M', {kind: 'wheel_up', column: 199, row: 39}],
  ['\x1b[<69;2;2M', {kind: 'wheel_down', column: 1, row: 1}],
  ['\x1b[<2;1;1M', undefined],
  ['\x1b[<35;1;1M', undefined],
  ['\x1b[I', undefined],
])('of %j the left button and the wheel are parsed', (sequence, event) => {
  expect(mouseEventIn(sequence)).toEqual(event);
});
