import {hintsOf, type Hint} from '../keymap/hints.ts';
import {keyNames} from '../keymap/key-names.ts';
import type {Keymap} from '../keymap/keymap.ts';

/** The state of a replay, in which nothing can be typed. */
export interface ReplayView {
  /** Number of lines shown so far. */
  readonly position: number;
  readonly total: number;
  /** A factor of the recorded speed; `MAX_SPEED` and more never wait. */
  readonly speed: number;
  readonly isPaused: boolean;
}

export type ReplayStep = 'pause' | 'step' | 'next_turn' | 'faster' | 'slower';

export const MAX_SPEED = 1024;

/** Returns the position of the replay: `replay 12 of 80, 4×, paused`. */
export function replayText({position, total, speed, isPaused}: ReplayView): string {
  const pace = speed >= MAX_SPEED ? ['max'] : speed === 1 ? [] : [`${speed}×`];
  const rest = position >= total ? ['at the end'] : isPaused ? ['paused'] : [];
  return [`replay ${position} of ${total}`, ...pace, ...rest].join(', ');
}

/** Returns the key hints of the replay. */
export function replayHints(keymap: Keymap): readonly Hint[] {
  const hint = hintsOf(keyNames(keymap));
  return [
    hint('replay_pause', 'pause'),
    hint('replay_step', 'step'),
    hint('replay_next_turn', 'next turn'),
    hint(['replay_faster', 'replay_slower'], 'speed'),
    hint('inspect_wire', 'protocol log'),
    hint('leave_replay', 'quit'),
  ];
}
