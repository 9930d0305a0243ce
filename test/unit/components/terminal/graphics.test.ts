import {expect, test} from 'vitest';
import {graphicsIn} from '../../../../components/terminal/graphics.ts';

const asks = {ask: '\x1b_Gi=1,a=q,s=1,v=1,f=24;AAAA\x1b\\'};

test.each([
  ['kitty, which is asked', '\x1bP>|kitty(0.35.2)\x1b\\', asks],
  ['a kitty without placeholders', '\x1bP>|kitty(0.26.5)\x1b\\', undefined],
  ['Ghostty, which is asked', '\x1bP>|ghostty 1.2.0\x1b\\', asks],
  ['iTerm2', '\x1bP>|iTerm2 3.5.10\x1b\\', {found: 'iterm2'}],
  ['WezTerm', '\x1bP>|WezTerm 20240203-110809-5046fc22\x1b\\', {found: 'iterm2'}],
  ['foot, which is asked for its cells', '\x1bP>|foot(1.13.1)\x1b\\', {ask: '\x1b[16t'}],
  ['xterm, which is asked for sixels', '\x1bP>|XTerm(379)\x1b\\', {ask: '\x1b[?2;1;0S'}],
  ['foot with its cells', '\x1b[6;20;10t', {found: {cell: {width: 10, height: 20}}}],
  ['an xterm with sixels', '\x1b[?2;0;480;312S', {found: {cell: {width: 6, height: 13}}}],
  ['an xterm without', '\x1b[?2;3S', undefined],
  ['a terminal with cells of no size', '\x1b[6;0;0t', undefined],
  ['tmux, whatever is around it', '\x1bP>|tmux 3.5a\x1b\\', undefined],
  ['Konsole, whose text does not erase the pictures below it', '\x1bP>|Konsole 25.04.2\x1b\\', undefined],
  ['another terminal', '\x1bP>|VTE(7600)\x1b\\', undefined],
  ['a terminal that accepts the picture', '\x1b_Gi=1;OK\x1b\\', {found: 'kitty'}],
  ['a terminal that does not', '\x1b_Gi=1;ENOTSUPPORTED:no\x1b\\', undefined],
  ['something else', '\x1b[?1u', undefined],
])('the graphics of %s', (_, report, expected) => {
  expect(graphicsIn(report, {columns: 80, rows: 24})).toEqual(expected);
});
