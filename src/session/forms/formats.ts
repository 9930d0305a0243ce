import type {TextFormat} from './fields.ts';

interface Format {
  readonly fits: (text: string) => boolean;
  /** What has to be typed, in words. */
  readonly words: string;
}

/** The formats of texts ("Elicitation", string schema). None of these expressions can take more than linear time. */
export const formats: Readonly<Record<TextFormat, Format>> = {
  email: {fits: isEmail, words: 'an email address'},
  uri: {fits: isUri, words: 'an address with its scheme, as https://example.com'},
  date: {fits: isDate, words: 'a date, as 2026-01-31'},
  'date-time': {fits: isDateTime, words: 'a date and time, as 2026-01-31T18:30:00Z'},
};

const LOCAL_PART = /^[\w!#$%&'*+/=?^`{|}~.-]{1,64}$/;
const LABEL = /^[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?$/i;

function isEmail(text: string): boolean {
  const at = text.lastIndexOf('@');
  const [local, host] = [text.slice(0, Math.max(0, at)), text.slice(at + 1)];
  if (!LOCAL_PART.test(local) || local.split('.').includes('')) return false;
  return host.includes('.') && host.split('.').every((label) => LABEL.test(label));
}

/** RFC 3986: absolute, and of its characters alone. */
function isUri(text: string): boolean {
  return (
    /^[a-z][a-z\d+.-]*:[\w!$%&'()*+,./:;=?@~#[\]-]+$/i.test(text) &&
    !/%(?![\da-f]{2})/i.test(text) &&
    URL.canParse(text)
  );
}

const DATE = /^(\d{4})-(\d\d)-(\d\d)$/;

function isDate(text: string): boolean {
  const [, year = '', month = '', day = ''] = DATE.exec(text) ?? [];
  const date = new Date(0);
  date.setUTCFullYear(Number(year), Number(month) - 1, Number(day));
  return (
    year !== '' &&
    Number(month) >= 1 &&
    date.getUTCMonth() === Number(month) - 1 &&
    date.getUTCDate() === Number(day)
  );
}

const DATE_TIME = /^([\d-]{10})t(\d\d):(\d\d):(\d\d)(?:\.\d+)?(?:z|([+-])(\d\d):(\d\d))$/i;

/** RFC 3339. A leap second is the last one of a day of UTC. */
function isDateTime(text: string): boolean {
  const [, date = '', ...rest] = DATE_TIME.exec(text) ?? [];
  const [hour = 0, minute = 0, second = 0, , zoneHour = 0, zoneMinute = 0] = rest.map((part) =>
    Number(part ?? 0),
  );
  if (!isDate(date) || hour > 23 || minute > 59 || second > 60 || zoneHour > 23 || zoneMinute > 59)
    return false;
  const sign = rest[3] === '-' ? -1 : 1;
  const utc = (hour * 60 + minute - sign * (zoneHour * 60 + zoneMinute) + 2 * 1440) % 1440;
  return second < 60 || utc === 1439;
}
