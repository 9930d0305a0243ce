/** What turns used on a day, with one agent and model, in one folder. */
export interface UsageRow {
  /** `2026-11-29`, in local time. */
  readonly day: string;
  readonly agent: string;
  /** Empty if the agent does not report it. */
  readonly model: string;
  readonly folder: string;
  /** Of the cost; empty if it is not known. */
  readonly currency: string;
  readonly turns: number;
  readonly cost: number;
  readonly tokens: number;
  /** The turns whose tokens are not known. */
  readonly uncounted: number;
}

export type UsageGroup = 'day' | 'agent' | 'model' | 'folder';

/** What was used together. */
export interface UsageSum {
  readonly name: string;
  readonly turns: number;
  readonly tokens: number;
  /** By currency. */
  readonly costs: Readonly<Record<string, number>>;
  /** The turns whose cost is not known. */
  readonly unpriced: number;
  readonly uncounted: number;
}

/** Returns the day of a time, as it is here. */
export function dayOf(at: number): string {
  const date = new Date(at);
  const parts = [date.getFullYear(), date.getMonth() + 1, date.getDate()];
  return parts.map((part) => String(part).padStart(2, '0')).join('-');
}

export function sumOfUsage(rows: readonly UsageRow[], name = ''): UsageSum {
  const costs: Record<string, number> = {};
  let [turns, tokens, unpriced, uncounted] = [0, 0, 0, 0];
  for (const row of rows) {
    turns += row.turns;
    tokens += row.tokens;
    uncounted += row.uncounted;
    if (row.currency === '') unpriced += row.turns;
    else costs[row.currency] = (costs[row.currency] ?? 0) + row.cost;
  }
  return {name, turns, tokens, costs, unpriced, uncounted};
}

/** Days in order of time, everything else by what was used, most first. */
export function usageBy(rows: readonly UsageRow[], group: UsageGroup): readonly UsageSum[] {
  const groups = [...Map.groupBy(rows, (row) => row[group])];
  const sums = groups.map(([name, some]) => sumOfUsage(some, name));
  return group === 'day'
    ? sums.toSorted((one, other) => one.name.localeCompare(other.name))
    : sums.toSorted((one, other) => amountOf(other, sums) - amountOf(one, sums));
}

/** What sums are compared by: the cost if it is known of any, in any one currency, else tokens, else turns. */
export function amountOf(sum: UsageSum, all: readonly UsageSum[]): number {
  const currencies = new Set(all.flatMap(({costs}) => Object.keys(costs)));
  const [currency = ''] = currencies;
  if (currencies.size === 1) return sum.costs[currency] ?? 0;
  return all.some(({tokens}) => tokens > 0) ? sum.tokens : sum.turns;
}
