import {
  amountOf,
  dayOf,
  sumOfUsage,
  usageBy,
  type UsageGroup,
  type UsageRow,
  type UsageSum,
} from '../../session/settings/usage.ts';
import {compactNumber, cost, pluralize} from '../../text/format.ts';
import {sanitizeLine} from '../../text/sanitize.ts';
import {truncate} from '../../text/truncate.ts';
import {padded, widest} from '../../text/width.ts';
import {page, type Page} from './pages.ts';
import {maxOf} from '../../text/lists.ts';

/** How many days are shown by default. */
export const DAYS = 30;

const HEADINGS: Readonly<Record<UsageGroup, string>> = {
  day: 'Day',
  agent: 'Agent',
  model: 'Model',
  folder: 'Folder',
};
const DAY_MS = 86_400_000;
const BAR = 20;
const NAME = 30;

/** Returns the first of so many days. */
export function sinceDay(days: number, now: number): string {
  return dayOf(now - (days - 1) * DAY_MS);
}

export function usageOverlay(rows: readonly UsageRow[], days: number): Page {
  return page('Usage', usageText(rows, days));
}

/** Returns what was used, as tables with bars. */
export function usageText(rows: readonly UsageRow[], days: number): string {
  const range = days === 1 ? 'today' : `in ${days} days`;
  if (rows.length === 0) return `No turns ${range}. Only sessions that are stored are counted.`;
  const all = sumOfUsage(rows);
  const groups = Object.keys(HEADINGS) as UsageGroup[];
  const tables = groups.map((group) => tableOf(HEADINGS[group], usageBy(rows, group)));
  const total = [pluralize(all.turns, 'turn'), `${tokensLabel(all)} tokens`, costLabel(all)].join(' · ');
  return [`${total} ${range}`, ...tables].join('\n\n');
}

function tableOf(heading: string, sums: readonly UsageSum[]): string {
  const most = maxOf(sums.map((sum) => amountOf(sum, sums)));
  const rows = sums.map((sum) => [
    truncate(sanitizeLine(sum.name) || 'unknown', NAME, {position: heading === 'Folder' ? 'start' : 'end'}),
    String(sum.turns),
    tokensLabel(sum),
    costLabel(sum),
    most > 0 ? '#'.repeat(Math.ceil((amountOf(sum, sums) / most) * BAR)) : '',
  ]);
  const lines = [[heading, 'Turns', 'Tokens', 'Cost', ''], ...rows];
  const widths = [0, 1, 2, 3].map((column) => widest(lines.map((line) => line[column] ?? '')));
  return lines
    .map((line) =>
      line
        .map((text, column) => padded(text, widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

function costLabel({costs, unpriced, turns}: UsageSum): string {
  const known = Object.entries(costs).map(([currency, amount]) => cost({amount, currency}));
  return [...known, ...missing(unpriced, turns)].join(' + ') || 'unknown';
}

function tokensLabel({tokens, uncounted, turns}: UsageSum): string {
  const known = uncounted < turns || tokens > 0 ? [compactNumber(tokens)] : [];
  return [...known, ...missing(uncounted, turns)].join(' + ') || '0';
}

function missing(count: number, turns: number): readonly string[] {
  if (count === 0) return [];
  return [count === turns ? 'unknown' : `unknown of ${pluralize(count, 'turn')}`];
}
