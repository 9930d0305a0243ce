import {arrivalCount} from '../../src/worker/arrivals.ts';
import type {Theme} from '../theme/theme.tsx';

/** What was made of a source. */
interface Cached<Made, Part> {
  readonly made: Made;
  readonly part: Part;
  theme: Theme;
  /** False if something in it was missing, which `Theme.lacks` says. */
  readonly isComplete: boolean;
  /** The number of arrivals before it. */
  readonly arrivals: number;
}

/**
 * Returns a function that makes the rows of a source once, and again if they look different: with another width or theme, another part, or once what they lack may
 * have arrived. `isAlike` compares what else they show.
 */
export function cacheRows<Source extends object, Made, Part = void>(
  rowsOf: (source: Source, theme: Theme, part: Part) => Made,
  isAlike: (source: Source, before: Theme, now: Theme) => boolean = () => true,
): typeof rowsOf {
  const known = new WeakMap<Source, Cached<Made, Part>>();
  return (source, theme, part) => {
    let cached = known.get(source);
    const isCurrent =
      cached !== undefined &&
      cached.part === part &&
      (cached.isComplete || cached.arrivals === arrivalCount()) &&
      (cached.theme === theme || (looksAlike(cached.theme, theme) && isAlike(source, cached.theme, theme)));
    if (cached === undefined || !isCurrent) {
      const state = {part, theme, isComplete: true, arrivals: arrivalCount()};
      const lacks = () => void (state.isComplete = false);
      cached = Object.assign(state, {made: rowsOf(source, {...theme, lacks}, part)});
      known.set(source, cached);
    }
    cached.theme = theme;
    if (!cached.isComplete) theme.lacks?.();
    return cached.made;
  };
}

/** The parts that change the looks of everything; `isAlike` compares the others. */
const IS_LOOK: {readonly [Part in keyof Theme]-?: boolean} = {
  columns: true,
  paint: true,
  symbols: true,
  isLinear: true,
  isBoxed: true,
  cwd: true,
  extent: true,
  terminals: false,
  subagents: false,
  asked: false,
  clock: false,
  keyOf: false,
  leaderKeyOf: false,
  lacks: false,
};
const LOOKS = (Object.keys(IS_LOOK) as (keyof Theme)[]).filter((part) => IS_LOOK[part]);

function looksAlike(before: Theme, now: Theme): boolean {
  return LOOKS.every((part) => before[part] === now[part]);
}
