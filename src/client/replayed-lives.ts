import {isStart, livesOf, type RecordingLine} from '../recording/format.ts';
import type {SessionState} from '../session/state.ts';
import {createReplayedEvents, type ReplayedEvent} from './replayed-events.ts';

/** What is played of a recording. */
export interface ReplayedLives {
  /** In the order in which they are shown. */
  readonly lines: readonly RecordingLine[];
  /** What a line leads to; each is to be asked for once, in order. `shown` is the session so far. */
  readonly eventsOf: (line: RecordingLine, shown: SessionState) => readonly ReplayedEvent[];
}

/**
 * The agent processes of a recording one after the other, each told before it begins where there are several; with `run`, from 1, only
 * that one. Undefined where the recording has none of that number.
 */
export function replayedLives(
  recording: readonly RecordingLine[],
  run: number | undefined,
): ReplayedLives | undefined {
  const lives = livesOf(recording);
  const chosen = run === undefined ? lives : lives.slice(run - 1, run);
  if (chosen.length === 0) return undefined;
  const beginnings = new Map(chosen.map((life) => [life[0], life]));
  let events = createReplayedEvents();
  return {
    lines: chosen.flat(),
    eventsOf(line, {lastTurn}) {
      const life = beginnings.get(line);
      if (!life) return events(line);
      // Ids and turns of one process say nothing of another's.
      events = createReplayedEvents(lastTurn?.turn);
      const number = lives.indexOf(life) + 1;
      const told = lives.length > 1 ? [notice(life, `${number} of ${lives.length}`)] : [];
      return [...told, ...events(line)];
    },
  };
}

function notice(life: readonly RecordingLine[], place: string): ReplayedEvent {
  const start = life.find(isStart);
  const who = start ? `: ${start.agent.label}, in ${start.cwd}` : '';
  return {type: 'notice', level: 'info', text: `Agent process ${place}${who}`};
}
