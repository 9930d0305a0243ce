import type {AgentThoughtEntry} from '../../src/session/entries.ts';
import {messageText} from '../../src/session/selectors.ts';
import {duration} from '../../src/text/format.ts';
import {truncate} from '../../src/text/truncate.ts';
import type {Theme} from '../theme/theme.tsx';
import {wrapHanging} from '../layout/lines.ts';
import {firstWords} from './message.ts';

/** Maximum lines of a streaming thought. */
const MAX_THOUGHT_LINES = 3;

/** Returns the rows of a thought: its last lines while it streams, one line when finished; everything in the transcript viewer. */
export function rowsOfThought(entry: AgentThoughtEntry, theme: Theme, endedAt?: number): string[] {
  if (theme.extent === 'whole') return rowsOfWholeThought(entry, theme);
  return entry.complete ? rowsOfThoughtSummary(entry, theme, endedAt) : rowsOfOngoingThought(entry, theme);
}

/** "Thought for 3 s · first words"; `endedAt` in milliseconds since the epoch, undefined if unknown. */
function rowsOfThoughtSummary(entry: AgentThoughtEntry, theme: Theme, endedAt?: number): string[] {
  const {paint, symbols} = theme;
  const took = endedAt === undefined ? undefined : endedAt - entry.at;
  const label = took === undefined || took < 100 ? 'Thought' : `Thought for ${duration(took)}`;
  const words = firstWords(entry, theme);
  const line = `${symbols.thought} ${label}${words === '' ? '' : ` ${symbols.dot} ${words}`}`;
  return [paint.thought(truncate(line.trimStart(), theme.columns))];
}

function rowsOfWholeThought(entry: AgentThoughtEntry, theme: Theme): string[] {
  return wrapHanging(theme.symbols.thought, messageText(entry).trim(), theme).map((line) =>
    theme.paint.thought(line),
  );
}

function rowsOfOngoingThought(entry: AgentThoughtEntry, theme: Theme): string[] {
  const {paint, symbols, columns} = theme;
  // Only the end is shown, so only the end is wrapped; cut at a line break if there is one.
  const tail = messageText(entry)
    .trim()
    .slice(-MAX_THOUGHT_LINES * 2 * columns);
  const lines = wrapHanging(symbols.thought, tail, theme);
  const shown = lines.slice(-MAX_THOUGHT_LINES);
  return shown.map((line) => paint.thought(line));
}
