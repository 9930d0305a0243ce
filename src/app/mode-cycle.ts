import type {Choice} from '../session/options.ts';
import {stopsAsking} from '../session/unattended.ts';

/** The mode that the key for the next mode sets, and the modes that it steps over. */
export interface ModeStep {
  /** Undefined where every other mode keeps the agent from asking, or there is none. */
  readonly next: Choice | undefined;
  readonly skipped: readonly Choice[];
}

/** Returns the next mode in which the agent still asks, going round. */
export function modeAfter(modes: readonly Choice[], currentId: string | undefined): ModeStep {
  const current = modes.findIndex(({id}) => id === currentId);
  const others = [...modes.slice(current + 1), ...modes.slice(0, Math.max(0, current))];
  const at = others.findIndex((mode) => !stopsAsking(mode));
  return {next: others[at], skipped: at === -1 ? others : others.slice(0, at)};
}

export function skippedText(skipped: readonly Choice[]): string {
  if (skipped.length === 0) return 'This agent has no other mode.';
  return `Skipped ${skipped.map(({name}) => name).join(', ')}: /mode has ${skipped.length === 1 ? 'it' : 'them'}.`;
}
