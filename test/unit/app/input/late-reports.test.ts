import {describe, expect, it} from 'vitest';
import {createInputFilter} from '../../../../src/app/input/input-filter.ts';
import {joinText, paste} from './ink-input.ts';

const REPORTS: Readonly<Record<string, string>> = {
  'the cursor position': '\x1b[12;40R',
  'primary device attributes': '\x1b[?62;4;6;22c',
  'secondary device attributes': '\x1b[>1;10;0c',
  'tertiary device attributes': '\x1bP!|7E565445\x1b\\',
  'the kitty keyboard flags': '\x1b[?1u',
  'a palette color': '\x1b]4;1;rgb:cdcd/0000/0000\x1b\\',
  'the text color': '\x1b]10;rgb:ffff/ffff/ffff\x07',
  'the background color': '\x1b]11;rgb:1e1e/1e1e/1e1e\x07',
  'the terminal name': '\x1bP>|XTerm(390)\x1b\\',
  'a private mode': '\x1b[?2026;2$y',
  'an ANSI mode': '\x1b[4;1$y',
  'a setting': '\x1bP1$r0 q\x1b\\',
  'a capability': '\x1bP1+r544e=787465726d\x1b\\',
  'a size': '\x1b[48;24;80;480;800t',
  'the size of a cell': '\x1b[6;20;10t',
  'sixel graphics': '\x1b[?2;0;800;480S',
  'kitty graphics': '\x1b_Gi=1;OK\x1b\\',
  focus: '\x1b[I',
  'lost focus': '\x1b[O',
  'the mouse': '\x1b[<0;12;7M',
  'the mouse, released': '\x1b[<0;12;7m',
  'the mouse of urxvt': '\x1b[35;10;20M',
  'the mouse of X10': '\x1b[M !!',
  'a privacy message': '\x1b^hello\x1b\\',
  'a start of string': '\x1bXhello\x1b\\',
};

/** How long a slow link may pause inside a sequence, in milliseconds. */
const PAUSES = [0, 101, 400, 900];

/** Ink's input and the reports for chunks with pauses before them, in milliseconds, as the owner of the timer gets them. */
function received(...chunks: readonly (readonly [pause: number, chunk: string])[]) {
  const reports: string[] = [];
  const filter = createInputFilter({onReport: (report) => reports.push(report)});
  const keys: string[] = [];
  function pass(time: number): void {
    let left = time;
    for (let delay = filter.flushDelay(); delay !== undefined && delay <= left; delay = filter.flushDelay()) {
      left -= delay;
      keys.push(...filter.flush());
    }
  }
  for (const [pause, chunk] of chunks) {
    pass(pause);
    keys.push(...filter.push(chunk));
  }
  pass(Infinity);
  return {keys: joinText(keys), reports};
}

const splitsOf = (text: string) =>
  Array.from(
    {length: text.length - 1},
    (_, index) => [text.slice(0, index + 1), text.slice(index + 1)] as const,
  );

describe.each(Object.entries(REPORTS))('a report of %s', (_, report) => {
  it.each(PAUSES)('is waited for when it arrives in two parts, %i ms apart', (pause) => {
    for (const [start, rest] of splitsOf(report)) {
      const {keys, reports} = received([0, 'ab'], [0, start], [pause, rest], [1000, 'cd']);
      // What starts it may be a key that is pressed, and is one once nothing has followed.
      expect(keys.filter((key) => !key.startsWith('\x1b')).join('')).toBe('abcd');
      expect(keys.filter((key) => key.startsWith('\x1b')).length).toBeLessThanOrEqual(
        start.length > 2 ? 0 : 1,
      );
      expect(reports).toEqual([report]);
    }
  });

  it('is never taken for a key once more than its start has arrived', () => {
    const start = /^\x1b[[\]P_^X](?=[^])/.exec(report)?.[0] ?? '';
    for (const [first, rest] of splitsOf(report).slice(start.length)) {
      expect(received([0, first], [4000, rest])).toEqual({keys: [], reports: [report]});
    }
  });

  it('is dropped without its end, after a while', () => {
    for (const [start] of splitsOf(report).slice(2)) {
      expect(received([0, start], [60_000, 'typed'])).toEqual({keys: ['typed'], reports: []});
    }
  });
});

// What starts with Alt+^ or Alt+X was typed then.
const answers = Object.entries(REPORTS).filter(([, report]) => !/^\x1b[X^]/.test(report));

/** What a finger may have typed of an answer, in one read. */
const TYPABLE = /^\x1b(?:\[[<>?]?|\[\d+|\]\d*|P[!>01]?|_(?:Gi?)?)$/;

const threePartsOf = (text: string) =>
  splitsOf(text).flatMap(([start, last]) =>
    splitsOf(start).map(([first, middle]) => [first, middle, last] as const),
  );

// Focus in three parts is three keys, and nothing enables the mouse of X10, whose reports are text.
describe.each(answers.filter(([, report]) => !/^\x1b\[[IOM]/.test(report)))('a report of %s', (_, report) => {
  it.each([0, 101, 900, 3000])('is waited for when it arrives in three parts, %i ms apart', (pause) => {
    for (const [first, middle, last] of threePartsOf(report)) {
      const {keys, reports} = received([0, 'ab'], [0, first], [pause, middle], [pause, last], [1000, 'cd']);
      const isTyped = pause > 0 && first.length <= 2 && TYPABLE.test(first + middle);
      const text = keys.filter((key) => !key.startsWith('\x1b')).join('');
      expect(text).toBe(isTyped ? `ab${middle}cd` : 'abcd');
      expect(keys.filter((key) => key.startsWith('\x1b')).length).toBeLessThanOrEqual(
        first.length > 2 ? 0 : 1,
      );
      expect(reports).toEqual([report]);
    }
  });

  it('has an end that presses no key, some seconds after its start was given up', () => {
    const start = /^\x1b[[\]P_](?=[^])/.exec(report)?.[0] ?? '';
    for (const [first, rest] of splitsOf(report).slice(start.length)) {
      // A key of its own as well.
      if (/^(?:[^\x07]|\x1b\\)$/.test(rest)) continue;
      expect(received([0, first], [8000, rest])).toEqual({keys: [], reports: [report]});
    }
  });
});

it.each(answers)('a report of %s gives way to keys that no report contains', (_, report) => {
  const starts = splitsOf(report.replace(/\x1b\\$/, ' ')).slice(2);
  for (const key of ['\r', '\x03', '\x7f', '\x1b[A']) {
    for (const [start] of starts)
      expect(received([0, start], [500, key], [500, 'x']).keys).toEqual([key, 'x']);
  }
});

describe('what a finger types', () => {
  it.each([
    ['Escape', '\x1b', '\x1b[27u', 25],
    ['Escape twice', '\x1b\x1b', '\x1b[27u', 25],
    ['Alt+[', '\x1b[', '\x1b[91;3u', 100],
    ['Alt+]', '\x1b]', '\x1b]', 100],
    ['Alt+P', '\x1bP', '\x1bP', 100],
    ['Alt+_', '\x1b_', '\x1b_', 100],
    ['Alt+^', '\x1b^', '\x1b^', 100],
    ['Alt+X', '\x1bX', '\x1bX', 100],
    ['Alt+b', '\x1bb', '\x1bb', 0],
  ])('answers within moments: %s', (_, bytes, key, delay) => {
    const filter = createInputFilter();
    const atOnce = filter.push(bytes);
    expect(filter.flushDelay() ?? 0).toBe(delay);
    expect([...atOnce, ...filter.flush()][0]).toBe(key);
  });

  it.each([
    ['\x1b', '[', ['\x1b[27u', '[']],
    ['\x1b', '[x] done', ['\x1b[27u', '[x] done']],
    ['\x1b', '[A note', ['\x1b[27u', '[A note']],
    ['\x1b', ']1', ['\x1b[27u', ']1']],
    ['\x1b', '[12', ['\x1b[27u', '[12']],
    ['\x1b', 'P1 is', ['\x1b[27u', 'P1 is']],
    ['\x1b', 'Please', ['\x1b[27u', 'Please']],
    ['\x1b[', 'A', ['\x1b[91;3u', 'A']],
    ['\x1b[', 'h', ['\x1b[91;3u', 'h']],
    ['\x1b[', '1', ['\x1b[91;3u', '1']],
    ['\x1b]', '11', ['\x1b]', '11']],
    ['\x1b_', 'Good', ['\x1b_', 'Good']],
    ['\x1b^', 'he', ['\x1b^', 'he']],
  ])('stays what it is, with more typed a moment later: %j, %j', (first, next, keys) => {
    expect(received([0, first], [200, next])).toEqual({keys, reports: []});
  });

  it.each(Object.values(REPORTS))('stays what it is, key by key: %j', (report) => {
    const text = report.replace(/\x1b\\|\x07/, '').slice(1);
    const typed = Array.from(text, (key) => [200, key] as const);
    expect(received([0, '\x1b'], ...typed).keys.join('')).toBe(`\x1b[27u${text}`);
  });

  it('is an arrow key whose Escape arrived too early', () => {
    expect(received([0, '\x1b'], [200, '[A'])).toEqual({keys: ['\x1b[27u', '\x1b[A'], reports: []});
  });

  it('is a key of rxvt that looks like the start of an answer', () => {
    expect(received([0, '\x1b[7$'], [0, 'x']).keys).toEqual(['\x1b[7$', 'x']);
  });
});

describe('a key right after Escape', () => {
  // Only both at once are Alt with the key.
  it.each(['\x1b[B', '\x1b[6~', '\x1bOB', '\x1b[1;5C', '\x1b[I', '\x1bx'])('is itself: %j', (key) => {
    const alone = received([0, key]);
    const {keys, reports} = received([0, '\x1b'], [400, key]);
    expect({keys, reports}).toEqual({keys: ['\x1b[27u', ...alone.keys], reports: alone.reports});
  });
});

describe('a sequence without bounds', () => {
  it.each([
    ['\x1b]52;c;', '\x07'],
    ['\x1b]52;c;', '\x1b\\'],
    ['\x1bP1+r', '\x1b\\'],
    ['\x1b_G', '\x1b\\'],
    ['\x1b^', '\x1b\\'],
    ['\x1b[?', 'c'],
  ])('is neither kept nor typed: %j … %j', (start, end) => {
    const pieces = Array.from({length: 300}, () => [50, '1'.repeat(1000)] as const);
    const {keys, reports} = received([0, `${start}1`], ...pieces, [200, end], [200, 'typed']);
    expect(keys).toEqual(['typed']);
    expect(reports.join('').length).toBeLessThan(20);
  });
});

describe('a paste that arrives in two parts', () => {
  const pasted = 'one\rtwo [12;40R three\r';
  const {length} = '\x1b[200~';

  it.each([...PAUSES, 2500])('never submits, nor shows its marks, %i ms apart', (pause) => {
    for (const [start, rest] of splitsOf(paste(pasted))) {
      const {keys, reports} = received([0, start], [pause, rest], [500, 'typed']);
      const pastes = keys.filter((key) => key.startsWith('\x1b[200~'));
      expect(pastes.map((key) => key.slice(length, -length)).join('')).toBe(pasted);
      expect(keys.at(-1)).toBe('typed');
      // Only an Escape that was long alone is a key.
      expect(keys.length - pastes.length - 1).toBeLessThanOrEqual(start.length > 2 ? 0 : 1);
      expect(reports).toEqual([]);
    }
  });

  it('shows what has arrived after a second, and ends some seconds later', () => {
    const filter = createInputFilter();
    expect(filter.push('\x1b[200~one\rtwo\x1b[20')).toEqual([]);
    expect(filter.flushDelay()).toBe(1000);
    expect(filter.flush()).toEqual([paste('one\rtwo')]);
    expect(filter.flushDelay()).toBe(5000);
    expect(filter.flush()).toEqual([]);
    expect(filter.push('x')).toEqual(['x']);
  });

  it.each(['\x03', '\x1b[A', '\x1b[99;5u'])('ends with the key %j', (key) => {
    expect(received([0, '\x1b[200~one'], [2000, key], [0, '\r']).keys).toEqual([paste('one'), key, '\r']);
  });
});
