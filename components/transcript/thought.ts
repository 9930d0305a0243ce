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
  const {paint, symbols, columns, extent} = theme;
  if (extent !== 'whole' && entry.complete) return [paint.thought(summaryOf(entry, theme, endedAt))];
  const text = messageText(entry).trim();
  // Where only the end is shown, only the end is wrapped.
  const shown = extent === 'whole' ? text : text.slice(-MAX_THOUGHT_LINES * 2 * columns);
  const lines = wrapHanging(symbols.thought, shown, theme);
  return lines.slice(extent === 'whole' ? 0 : -MAX_THOUGHT_LINES).map((line) => paint.thought(line));
}

/** "Thought for 3 s · first words"; `endedAt` in milliseconds since the epoch, undefined if unknown. */
function summaryOf(entry: AgentThoughtEntry, theme: Theme, endedAt: number | undefined): string {
  const {symbols, columns} = theme;
  const took = endedAt === undefined ? undefined : endedAt - entry.at;
  const label = took === undefined || took < 100 ? 'Thought' : `Thought for ${duration(took)}`;
  const words = firstWords(entry, theme);
  const line = `${symbols.thought} ${label}${words === '' ? '' : ` · ${words}`}`;
  return truncate(line.trimStart(), columns);
}
