import {arrivalCount} from '../../src/worker/arrivals.ts';
import type {Theme} from '../theme/theme.tsx';

/** A drawing, and whether something in it was missing, which was then said by `Theme.lacks`. */
export interface Late<Drawing> {
  readonly drawing: Drawing;
  readonly isComplete: boolean;
  /** The number of arrivals before it. */
  readonly arrivals: number;
}

/** Draws, or returns the drawing from before if nothing that it lacks can have arrived since. */
export function drawLate<Drawing>(
  before: Late<Drawing> | undefined,
  theme: Theme,
  drawAnew: (theme: Theme) => Drawing,
): Late<Drawing> {
  const arrivals = arrivalCount();
  let late = before;
  if (late === undefined || (!late.isComplete && late.arrivals !== arrivals)) {
    const known = {isComplete: true, arrivals};
    const lacks = () => void (known.isComplete = false);
    late = Object.assign(known, {drawing: drawAnew({...theme, lacks})});
  }
  if (!late.isComplete) theme.lacks?.();
  return late;
}

/** Draws a source with an optional extra part. */
type DrawWith<Source, Part, Drawing> = (source: Source, part: Part, theme: Theme) => Drawing;

/** Caches the drawing of a large source per width: a request is redrawn with each key and each scroll. */
export function cacheDrawing<Source extends object, Part, Drawing>(
  drawAnew: DrawWith<Source, Part, Drawing>,
): DrawWith<Source, Part, Drawing> {
  const known = new WeakMap<
    Source,
    {part: Part; columns: number; paint: Theme['paint']; late: Late<Drawing>}
  >();
  return (source, part, theme) => {
    const before = known.get(source);
    const {columns, paint} = theme;
    const isSame = before?.part === part && before?.columns === columns && before.paint === paint;
    const late = drawLate(isSame ? before.late : undefined, theme, (theme) => drawAnew(source, part, theme));
    known.set(source, {part, columns, paint, late});
    return late.drawing;
  };
}
