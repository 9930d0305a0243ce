import {maxOf} from './lists.ts';

/** Formats a duration in milliseconds: `850 ms`, `3.2 s`, `42 s`, `1 min 5 s`, `2 h 3 min`. */
export function duration(ms: number): string {
  if (ms < 999.5) return `${Math.max(0, Math.round(ms))} ms`;
  if (ms < 9_950) return `${(ms / 1000).toFixed(1)} s`;
  const seconds = Math.round(ms / 1000);
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return joined([minutes, 'min'], [seconds % 60, 's']);
  return joined([Math.floor(minutes / 60), 'h'], [minutes % 60, 'min']);
}

/** Returns the local time of day: `14:05`. */
export function timeOfDay(at: number): string {
  return new Date(at).toLocaleTimeString('sv', {hour: '2-digit', minute: '2-digit'});
}

/** Returns a duration in whole seconds: `12 s`. */
export function wholeSeconds(ms: number): string {
  return duration(Math.floor(ms / 1000) * 1000).replace('.0', '');
}

function joined(large: [number, string], small: [number, string]): string {
  return small[0] === 0 ? large.join(' ') : `${large.join(' ')} ${small.join(' ')}`;
}

/** Formats a count: `999`, `12.3k`, `123k`, `4.5M`. */
export function compactNumber(value: number): string {
  return scaled(value, {base: 1000, units: ['', 'k', 'M', 'G', 'T']});
}

/** Formats a number of bytes in powers of 1024: `512 B`, `1.5 KiB`, `32 MiB`. */
export function bytes(count: number): string {
  return scaled(count, {base: 1024, units: [' B', ' KiB', ' MiB', ' GiB', ' TiB']});
}

function scaled(value: number, scale: {base: number; units: readonly string[]}): string {
  let unit = 0;
  let rest = Math.abs(value);
  // Just below the next unit, rounding would show a full base ("1000k").
  while (unit < scale.units.length - 1 && (unit === 0 ? Math.round(rest) : rounded(rest)) >= scale.base) {
    rest /= scale.base;
    unit++;
  }
  const digits = unit === 0 ? Math.round(rest) : rounded(rest);
  return `${value < 0 ? '-' : ''}${digits}${scale.units[unit] ?? ''}`;
}

/** One decimal below 100, none above. */
function rounded(value: number): number {
  return value < 99.95 ? Math.round(value * 10) / 10 : Math.round(value);
}

/** Formats an amount of money: `$0.042`, `1.20 EUR`. Small amounts keep enough digits. */
export function cost({amount, currency}: {readonly amount: number; readonly currency: string}): string {
  const size = Math.abs(amount);
  const digits = size === 0 || size >= 1 ? 2 : Math.min(6, Math.max(2, 1 - Math.floor(Math.log10(size))));
  const value = size.toFixed(digits);
  const sign = amount < 0 ? '-' : '';
  return currency === 'USD' ? `${sign}$${value}` : `${sign}${value} ${currency}`;
}

const AGE_UNITS = [
  [60, 'min'],
  [24, 'h'],
  [30, 'd'],
  [12, 'month'],
] as const;

/** Returns a text without any white space, to compare what may be wrapped or indented otherwise. */
export function withoutSpaces(text: string): string {
  return text.replaceAll(/\s+/g, '');
}

/** Formats an age as one number: `now`, `5 min`, `3 h`, `12 d`, `2 months`, `3 years`. */
export function age(ms: number): string {
  let amount = Math.floor(Math.max(0, ms) / 60_000);
  if (amount === 0) return 'now';
  for (const [size, unit] of AGE_UNITS) {
    if (amount < size) return pluralize(amount, unit);
    amount = Math.floor(amount / size);
  }
  return pluralize(amount, 'year');
}

/** Adds the plural to whole words: `1 month`, `2 lines`; but `5 min`. */
export function pluralize(amount: number, unit: string): string {
  return `${amount} ${unit}${unit.length > 3 && amount !== 1 ? 's' : ''}`;
}

/** Returns an age for a sentence: `just now`, `5 min ago`. */
export function ago(ms: number): string {
  const relative = age(ms);
  return relative === 'now' ? 'just now' : `${relative} ago`;
}

/** Returns a path for display: relative to the working folder if it lies inside, otherwise unchanged. */
export function shownPath(path: string, cwd: string): string {
  if (path === cwd) return '.';
  if (cwd === '') return path;
  const base = cwd.endsWith('/') || cwd.endsWith('\\') ? cwd : undefined;
  if (base !== undefined) return path.startsWith(base) ? path.slice(base.length) : path;
  const separator = path.charAt(cwd.length);
  const isInside = path.startsWith(cwd) && (separator === '/' || separator === '\\');
  return isInside ? path.slice(cwd.length + 1) : path;
}

/** Returns a location for display: `src/a.ts:12`. */
export function shownLocation(
  {path, line}: {readonly path: string; readonly line?: number | null},
  cwd: string,
): string {
  const shown = shownPath(path, cwd);
  return line === undefined || line === null ? shown : `${shown}:${line}`;
}

/** Returns text in a Markdown fence that it cannot close, without blank lines at its end. */
export function codeFence(text: string, language = ''): string {
  const runs = Array.from(text.matchAll(/`+/g), ([run]) => run.length);
  const fence = '`'.repeat(maxOf(runs, 2) + 1);
  return `${fence}${language}\n${text.replace(/(?<!\n)\n+$/, '')}\n${fence}`;
}

/** Returns "a, b or c". */
export function orList(values: readonly string[]): string {
  return `${values.slice(0, -1).join(', ')} or ${values.at(-1) ?? ''}`;
}
