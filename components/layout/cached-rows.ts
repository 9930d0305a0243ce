import {arrivalCount} from '../../src/worker/arrivals.ts';
import type {Theme} from '../theme/theme.tsx';

/**
 * Returns a function that makes the rows of a source once, and again if they look different: with another width or theme, another part, or once what they lack may
 * have arrived. `isAlike` compares what else they show.
 */
export function cacheRows<Source extends object, Made, Part = void>(
  rowsOf: (source: Source, theme: Theme, part: Part) => Made,
  isAlike: (source: Source, before: Theme, now: Theme) => boolean = () => true,
): typeof rowsOf {
  /** `isComplete` is false if something was missing, which `Theme.lacks` says; `arrivals` is the number of arrivals before it was made. */
  const make = (source: Source, theme: Theme, part: Part) => {
    const state = {part, theme, isComplete: true, arrivals: arrivalCount()};
    const lacks = () => void (state.isComplete = false);
    return Object.assign(state, {made: rowsOf(source, {...theme, lacks}, part)});
  };
  const known = new WeakMap<Source, ReturnType<typeof make>>();
  return (source, theme, part) => {
    const before = known.get(source);
    const isCurrent =
      before !== undefined &&
      before.part === part &&
      (before.isComplete || before.arrivals === arrivalCount()) &&
      (before.theme === theme || (looksAlike(before.theme, theme) && isAlike(source, before.theme, theme)));
    const cached = isCurrent ? before : make(source, theme, part);
    if (cached !== before) known.set(source, cached);
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
  hints: false,
  keyOf: false,
  leaderKeyOf: false,
  lacks: false,
};
const LOOKS = (Object.keys(IS_LOOK) as (keyof Theme)[]).filter((part) => IS_LOOK[part]);

function looksAlike(before: Theme, now: Theme): boolean {
  return LOOKS.every((part) => before[part] === now[part]);
}
