import {type ReplayStep, type ReplayView, MAX_SPEED} from '../app/pages/replay.ts';
import type {RecordingLine} from '../recording/format.ts';
import {messageOf, methodOf} from '../recording/exchanges.ts';

export interface PlayerOptions {
  readonly lines: readonly RecordingLine[];
  /** Shows a line; false if it changes nothing visible. */
  readonly show: (line: RecordingLine) => boolean;
  readonly changed: (view: ReplayView) => void;
  readonly speed: number;
  readonly isPaused: boolean;
}

interface Player {
  readonly start: () => void;
  readonly do: (step: ReplayStep) => void;
  readonly stop: () => void;
}

/** Maximum number of lines shown at once. */
const AT_ONCE = 100;
/** Longer pauses are cut, in milliseconds of the recording. */
const MAX_PAUSE_MS = 10_000;

/** Plays the lines of a recording at their recorded pace, or step by step. */
export function createPlayer({lines, show, changed, ...start}: PlayerOptions): Player {
  let {speed, isPaused} = start;
  let position = 0;
  let timer: NodeJS.Timeout | undefined;

  /** Shows the next line. */
  function next(): boolean {
    const line = lines[position++];
    return line !== undefined && show(line);
  }

  function notify(): void {
    changed({position, total: lines.length, speed, isPaused});
  }

  function schedule(): void {
    clearTimeout(timer);
    notify();
    if (isPaused || position >= lines.length) return;
    timer = setTimeout(play, pauseBefore(position) / speed);
  }

  function pauseBefore(index: number): number {
    const [before, line] = [lines[index - 1], lines[index]];
    return Math.min(MAX_PAUSE_MS, Math.max(0, (line?.t ?? 0) - (before?.t ?? 0)));
  }

  function play(): void {
    next();
    // Lines that were received together are shown together.
    for (let shown = 1; shown < AT_ONCE && position < lines.length; shown++) {
      if (pauseBefore(position) / speed >= 1) break;
      next();
    }
    schedule();
  }

  function step(): void {
    isPaused = true;
    while (position < lines.length && !next());
  }

  function nextTurn(): void {
    next();
    while (position < lines.length && !isPrompt(lines[position])) next();
  }

  return {
    start: schedule,
    stop: () => clearTimeout(timer),
    do(wanted) {
      if (wanted === 'pause') isPaused = !isPaused;
      if (wanted === 'faster') speed = Math.min(MAX_SPEED, speed * 2);
      if (wanted === 'slower') speed = Math.max(1 / 8, Math.min(speed, 64) / 2);
      if (wanted === 'step') step();
      if (wanted === 'next_turn') nextTurn();
      schedule();
    },
  };
}

function isPrompt(line: RecordingLine | undefined): boolean {
  return line?.d === '>' && methodOf(messageOf(line)) === 'session/prompt';
}
