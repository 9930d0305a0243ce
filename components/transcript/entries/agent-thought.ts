import {messageText} from '../../../src/session/selectors.ts';
import type {AgentThoughtEntry} from '../../../src/session/entries.ts';
import {duration} from '../../../src/text/format.ts';
import {truncate} from '../../../src/text/truncate.ts';
import type {Draw} from '../../draw/draw.ts';
import {hanging} from '../../draw/lines.ts';

/** How many lines of a thought are shown while it goes on. */
const MOST_LINES = 5;

/** A thought: its last lines while it goes on, one line once it is over; in the transcript viewer all of it. */
export function drawAgentThought(entry: AgentThoughtEntry, draw: Draw): string[] {
  if (draw.extent === 'whole') return drawWhole(entry, draw);
  return entry.complete ? drawThoughtSummary(entry, undefined, draw) : drawOngoing(entry, draw);
}

/** "Thought for 3 s · first words"; `endedAt` in milliseconds since the epoch, undefined when nobody knows. */
export function drawThoughtSummary(
  entry: AgentThoughtEntry,
  endedAt: number | undefined,
  draw: Draw,
): string[] {
  const {paint, signs} = draw;
  const took = endedAt === undefined ? undefined : endedAt - entry.at;
  const label = took === undefined || took < 100 ? 'Thought' : `Thought for ${duration(took)}`;
  const words = firstWords(messageText(entry), draw.columns);
  const line = `${signs.thought} ${label}${words === '' ? '' : ` ${signs.dot} ${words}`}`;
  return [paint.dim(truncate(line, draw.columns))];
}

function drawWhole(entry: AgentThoughtEntry, draw: Draw): string[] {
  return hanging(draw.signs.thought, messageText(entry).trim(), draw).map((line) => draw.paint.dim(line));
}

function drawOngoing(entry: AgentThoughtEntry, draw: Draw): string[] {
  const {paint, signs, columns} = draw;
  // Only the end is shown, so only the end is wrapped; cut at a line break where there is one.
  const tail = messageText(entry)
    .trim()
    .slice(-MOST_LINES * 2 * columns);
  const lines = hanging(signs.thought, tail, draw);
  const shown = lines.slice(-MOST_LINES);
  return shown.map((line) => paint.dim(line));
}

function firstWords(text: string, columns: number): string {
  return text
    .slice(0, columns * 4)
    .replace(/[#*`_>]+/g, '')
    .replace(/\s+/g, ' ')
    .trim();
}
