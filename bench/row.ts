/** One line of the report: the measured value, beside the baseline from the same run. */
export interface Row {
  readonly what: string;
  readonly unit: string;
  readonly value: number;
  /** The value of the baseline, in the same unit. */
  readonly baseline?: number;
  /** The maximum of `value`, of its ratio to the baseline or of its difference from it, depending on `of`. */
  readonly target: number;
  readonly of?: 'ratio' | 'difference';
}

export interface Measure {
  readonly name: string;
  run(scale: number): Promise<Row[]>;
}

export function median(values: readonly number[]): number {
  return quantile(values, 0.5);
}

export function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? Number.NaN;
}

/** Twice the work may cost 2.2 times as much. */
export const MAX_EXPONENT = 1.15;

/** Returns how a cost grows with the work, each a pair of both: an exponent of 1 is twice the cost for twice the work. */
export function exponentOf(
  [few, less]: readonly [work: number, cost: number],
  [many, more]: readonly [work: number, cost: number],
): number {
  return Math.log(more / less) / Math.log(many / few);
}

/** How a target is compared and written. */
const TARGETS = {
  value: {measured: ({value}: Row) => value, written: (target: number) => `≤ ${target}`},
  ratio: {
    measured: ({value, baseline = 0}: Row) => value / baseline,
    written: (target: number) => `≤ ${target}×`,
  },
  difference: {
    measured: ({value, baseline = Number.NaN}: Row) => value - baseline,
    written: (target: number) => `≤ +${target}`,
  },
};

/** A row as text: value, baseline, ratio, target and whether it is met. */
export function format(row: Row): string {
  const kind = row.of ?? 'value';
  const ratio = row.baseline === undefined || row.baseline === 0 ? undefined : row.value / row.baseline;
  const number = (value: number | undefined) =>
    value === undefined ? '–' : value.toFixed(value < 10 ? 2 : 0);
  return [
    row.what.padEnd(58),
    `${number(row.value)} ${row.unit}`.padStart(12),
    number(row.baseline).padStart(10),
    (ratio === undefined ? '' : `${ratio.toFixed(2)}×`).padStart(8),
    TARGETS[kind].written(row.target).padStart(10),
    TARGETS[kind].measured(row) <= row.target ? 'met' : 'MISSED',
  ].join('  ');
}
