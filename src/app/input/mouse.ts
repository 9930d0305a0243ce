/** A mouse event, in cells from 0. */
export interface MouseEvent {
  readonly kind: 'press' | 'drag' | 'release' | 'wheel_up' | 'wheel_down';
  readonly column: number;
  readonly row: number;
}

const REPORT = /^\x1b\[<(\d+);(\d+);(\d+)([Mm])$/;
const DRAG = 32;
const WHEEL = 64;
/** Shift, Alt and Ctrl. */
const MODIFIERS = 4 + 8 + 16;

/** Returns the event in a terminal's mouse report (SGR mode, 1006) of the wheel or the left button; undefined for any other sequence. */
export function mouseEventIn(sequence: string): MouseEvent | undefined {
  const [, code, x, y, end] = REPORT.exec(sequence) ?? [];
  if (code === undefined) return undefined;
  const button = Number(code) & ~MODIFIERS;
  const kind = button === 0 ? (end === 'M' ? 'press' : 'release') : KINDS[button];
  return kind && {kind: end === 'm' ? 'release' : kind, column: Number(x) - 1, row: Number(y) - 1};
}

const KINDS: Readonly<Record<number, MouseEvent['kind']>> = {
  [DRAG]: 'drag',
  [WHEEL]: 'wheel_up',
  [WHEEL + 1]: 'wheel_down',
};
