import type {Failure} from '../../shared/failure.ts';
import {timeOfDay} from '../../text/format.ts';
import {isJsonObject} from '../../text/json.ts';
import type {TurnSummary} from '../entries.ts';
import type {QueuedPrompt} from './queued-prompt.ts';

/** A limit of the agent's provider, at which a prompt failed. In milliseconds since the epoch. */
export interface ProviderLimit {
  /** When the prompt failed. */
  readonly since: number;
  /** When the limit ends. */
  readonly until: number;
  /** True if the prompt is sent again then, and nothing is sent before. */
  readonly isAwaited: boolean;
  /** Undefined for a prompt that did not come from the queue, which nothing sends again. */
  readonly prompt: QueuedPrompt | undefined;
}

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
/** A limit that lasts longer is not offered to be waited for. */
const LONGEST = 7 * DAY;
/** How much of a text is read, at its beginning and its end: it may have megabytes. */
const READ = 2000;

/** Returns when the limit ends that a prompt failed at; undefined if it was none, or if that is not known. `reported`: as the agent had said before. */
export function limitEnd(failure: Failure, at: number, reported?: number): number | undefined {
  if (failure.kind !== 'agent_error') return undefined;
  const {message, detail = '', retrySeconds} = failure;
  const ends = [
    reported,
    retrySeconds === undefined ? undefined : endAfter(at, retrySeconds * SECOND),
    endNamedIn(message, at),
    endNamedIn(detail, at),
  ];
  return ends.find((end) => end !== undefined && end > at && end - at <= LONGEST);
}

/** Returns when the limit ends that an update of Claude's adapter reports; null for no limit, and undefined if it says nothing of one. */
export function reportedLimit(meta: Record<string, unknown> | null | undefined): number | null | undefined {
  const info = meta?.['_claude/rateLimit'];
  if (!isJsonObject(info)) return undefined;
  const {status, resetsAt, isUsingOverage} = info;
  const isReached = status === 'rejected' && isUsingOverage !== true;
  return isReached && typeof resetsAt === 'number' ? resetsAt * SECOND : null;
}

/** Returns when it ends, on the day that it began without the day: `15:00`, `Tue 15:00`, `15:00:20`. */
export function limitTime({since, until}: Pick<ProviderLimit, 'since' | 'until'>): string {
  const seconds = Math.floor((until % MINUTE) / SECOND);
  const time = `${timeOfDay(until)}${seconds === 0 ? '' : `:${String(seconds).padStart(2, '0')}`}`;
  const isSameDay = new Date(since).toDateString() === new Date(until).toDateString();
  return isSameDay ? time : `${new Date(until).toLocaleDateString('en', {weekday: 'short'})} ${time}`;
}

/** Returns what is waited for, without its end: `Waiting until 15:00 to send the prompt again`. */
export function limitWait(limit: Pick<ProviderLimit, 'since' | 'until'>): string {
  return `Waiting until ${limitTime(limit)} to send the prompt again`;
}

/** Returns whether the end of a limit is waited for without asking, where that is wished: not if the prompt had been sent again after another one, and fails in its first minute. */
export function waitsUnasked(
  turn: Pick<TurnSummary, 'durationMs'> | undefined,
  isSentAgain: boolean,
): boolean {
  return !isSentAgain || (turn !== undefined && turn.durationMs >= MINUTE);
}

/** Without one of these, a time is none of a limit. */
const LIMIT = /limit|quota|usage|capacity|\b429\b|too many requests|resource.exhausted/i;

function endNamedIn(text: string, at: number): number | undefined {
  const read = text.length <= 2 * READ ? text : `${text.slice(0, READ)}\n${text.slice(-READ)}`;
  if (!LIMIT.test(read)) return undefined;
  for (const {pattern, end} of TIMES) {
    const {groups} = pattern.exec(read) ?? {};
    const found = groups && end(groups, at);
    if (found !== undefined) return found;
  }
  return undefined;
}

type Groups = Readonly<Record<string, string | undefined>>;

interface TimeInText {
  readonly pattern: RegExp;
  readonly end: (groups: Groups, at: number) => number | undefined;
}

const AGAIN_AT = String.raw`(?:again at|resets?(?: at| on)?)`;
const CLOCK = String.raw`(?<hour>\d{1,2})(?::(?<minute>\d{2}))?\s?(?<half>[ap]m)?(?![\w:])(?: \((?<zone>[\w/+-]{1,40})\))?`;

/** How agents and their providers name the time; the first that is there counts. */
const TIMES: readonly TimeInText[] = [
  // Claude AI usage limit reached|1714503600
  {pattern: /limit reached\|(?<epoch>\d{10})(?!\d)/, end: ({epoch}) => Number(epoch) * SECOND},
  // Try again in 4 days 3 hours 5 minutes. Please retry in 34.07s. Your quota will reset after 18h31m2s.
  {
    pattern: /\b(?:again|retry|resets?) (?:in|after) (?<wait>\d[\w. ,]{0,60})/i,
    end({wait = ''}, at) {
      const ms = waitIn(wait);
      return ms === undefined ? undefined : endAfter(at, ms);
    },
  },
  // "retryDelay": "34s", in JSON that is the text of an error
  {
    pattern: /\bretry-?(?:delay|after)"?[:=] ?"?(?<seconds>\d{1,9}(?:\.\d+)?)s?\b/i,
    end: ({seconds}, at) => endAfter(at, Number(seconds) * SECOND),
  },
  // Try again at Nov 5th, 2025 3:05 PM. · resets Nov 5, 3pm (Europe/Berlin)
  {
    pattern: new RegExp(
      String.raw`${AGAIN_AT} (?<month>[a-z]{3}) (?<day>\d{1,2})(?:st|nd|rd|th)?(?:, (?<year>\d{4}))?,? (?:at )?${CLOCK}`,
      'i',
    ),
    end: (groups, at) => firstAfter(at, groups, ({year}) => datesIn(groups, year)),
  },
  // Try again at 3:05 PM. · resets 3pm (Europe/Berlin)
  {
    pattern: new RegExp(`${AGAIN_AT} ${CLOCK}`, 'i'),
    end: (groups, at) => firstAfter(at, groups, (today) => [today, {...today, day: today.day + 1}]),
  },
];

/** Not before the full second, and with a longer wait the full minute. */
function endAfter(at: number, wait: number): number {
  const unit = wait < 2 * MINUTE ? SECOND : MINUTE;
  return Math.ceil((at + wait) / unit) * unit;
}

const PART =
  /[ ,]*(?<amount>\d+(?:\.\d+)?) ?(?<unit>ms|milliseconds?|s|secs?|seconds?|m|mins?|minutes?|h|hrs?|hours?|d|days?)(?![a-z])/giy;
const UNITS: Readonly<Record<string, number>> = {s: SECOND, m: MINUTE, h: HOUR, d: DAY};

/** Returns the sum of `4 days 3 hours`, `1h23m45s` or `34.07s` in milliseconds; undefined if it does not begin like that. */
function waitIn(text: string): number | undefined {
  const parts = Array.from(text.matchAll(PART), ({groups}) => {
    const name = groups?.['unit']?.toLowerCase() ?? '';
    return Number(groups?.['amount']) * (/^(?:ms|mil)/.test(name) ? 1 : (UNITS[name.charAt(0)] ?? 0));
  });
  return parts.length === 0 ? undefined : parts.reduce((sum, part) => sum + part, 0);
}

interface LocalDate {
  readonly year: number;
  /** From 0. */
  readonly month: number;
  readonly day: number;
}

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];

/** A date without a year is of this one or the next. */
function datesIn({month = '', day, year}: Groups, thisYear: number): readonly LocalDate[] {
  const index = MONTHS.indexOf(month.toLowerCase());
  if (index === -1) return [];
  const years = year === undefined ? [thisYear, thisYear + 1] : [Number(year)];
  return years.map((each) => ({year: each, month: index, day: Number(day)}));
}

/** Returns the first of the dates at which the clock shows the time after `at`, in the zone that is named or else here. */
function firstAfter(
  at: number,
  groups: Groups,
  datesOf: (today: LocalDate) => readonly LocalDate[],
): number | undefined {
  const time = timeIn(groups);
  const offset = offsetsOf(groups['zone']);
  if (!time || !offset) return undefined;
  const now = new Date(at + offset(at));
  const today = {year: now.getUTCFullYear(), month: now.getUTCMonth(), day: now.getUTCDate()};
  return datesOf(today)
    .map(({year, month, day}) => {
      const wall = Date.UTC(year, month, day, time.hour, time.minute);
      // The offset of that time, as it is about then.
      const near = wall - offset(wall);
      return wall - offset(near);
    })
    .find((end) => end > at);
}

function timeIn({hour, minute, half}: Groups): {readonly hour: number; readonly minute: number} | undefined {
  if (half === undefined && minute === undefined) return undefined;
  const given = Number(hour);
  const isInClock = half === undefined ? given < 24 : given >= 1 && given <= 12;
  if (!isInClock || Number(minute ?? 0) > 59) return undefined;
  const from = half?.toLowerCase() === 'pm' ? 12 : 0;
  return {hour: half === undefined ? given : (given % 12) + from, minute: Number(minute ?? 0)};
}

/** Returns how far the clocks of a zone are ahead of UTC, in milliseconds; undefined for an unknown zone. */
function offsetsOf(zone: string | undefined): ((at: number) => number) | undefined {
  if (zone === undefined) return (at) => -new Date(at).getTimezoneOffset() * MINUTE;
  try {
    const format = new Intl.DateTimeFormat('sv', {timeZone: zone, dateStyle: 'short', timeStyle: 'medium'});
    return (at) => Date.parse(`${format.format(at).replace(' ', 'T')}Z`) - Math.floor(at / SECOND) * SECOND;
  } catch {
    return undefined;
  }
}
