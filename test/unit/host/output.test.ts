import * as fc from 'fast-check';
import {afterEach, beforeEach, describe, expect, test, vi} from 'vitest';
import {commandLine, toArgv} from '../../../src/host/terminals/command.ts';
import {createOutputThrottle, MAX_PIECE_SIZE, createOutputTail} from '../../../src/host/terminals/output.ts';

const text = fc.string({
  unit: fc.constantFrom('a', 'é', '€', '😀', '\r', '\n', '\r\n', '\uFEFF'),
  maxLength: 60,
});

describe('the tail of an output', () => {
  test('is the longest end within the limit that starts at a character', () => {
    fc.assert(
      fc.property(fc.array(text), text, fc.nat(50), (texts, line, limit) => {
        const tail = createOutputTail(limit);
        for (const each of texts) tail.push(each);
        const whole = texts.join('') + line;
        const {output, truncated} = tail.read(line);
        const longer = Array.from(whole)
          .slice(-Array.from(output).length - 1)
          .join('');
        expect(whole.endsWith(output)).toBe(true);
        expect(Buffer.byteLength(output)).toBeLessThanOrEqual(limit);
        expect(truncated).toBe(Buffer.byteLength(whole) > limit);
        expect(output === whole || Buffer.byteLength(longer) > limit).toBe(true);
      }),
    );
  });
});

describe('pacing', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  function setUp() {
    const delivered: string[] = [];
    const calls: string[] = [];
    const pace = createOutputThrottle({
      deliver: (piece) => delivered.push(piece),
      pause: () => calls.push('pause'),
      resume: () => calls.push('resume'),
    });
    return {pace, delivered, calls};
  }

  test('passes on the first chunk at once and the rest together', () => {
    const {pace, delivered} = setUp();
    for (const piece of ['a', 'b', 'c']) pace.push(piece);
    expect(delivered).toEqual(['a']);
    vi.advanceTimersByTime(40);
    expect(delivered).toEqual(['a', 'bc']);
    vi.advanceTimersByTime(1000);
    pace.push('d');
    expect(delivered).toEqual(['a', 'bc', 'd']);
  });

  test('passes on thirty chunks a second of endless output', () => {
    const {pace, delivered} = setUp();
    for (let millisecond = 0; millisecond < 1000; millisecond++) {
      pace.push('x');
      vi.advanceTimersByTime(1);
    }
    expect(delivered.length).toBeGreaterThan(25);
    expect(delivered.length).toBeLessThanOrEqual(31);
  });

  test('loses nothing when it is flushed', () => {
    const {pace, delivered} = setUp();
    for (const piece of ['a', 'b']) pace.push(piece);
    pace.flush();
    vi.advanceTimersByTime(1000);
    expect(delivered.join('')).toBe('ab');
  });

  test('keeps the end of too much output, in whole characters', () => {
    const {pace, delivered} = setUp();
    pace.push('a');
    pace.push(`${'😀'.repeat(MAX_PIECE_SIZE)}b`);
    vi.advanceTimersByTime(40);
    expect(delivered[1]).toHaveLength(MAX_PIECE_SIZE - 1);
    expect(delivered[1]).toMatch(/^😀.*😀b$/su);
  });

  test('pauses a flood and resumes it', () => {
    const {pace, calls} = setUp();
    for (let round = 0; round < 100; round += 1) pace.push('x'.repeat(64 * 1024));
    expect(calls).toEqual(['pause']);
    vi.advanceTimersByTime(40);
    expect(calls).toEqual(['pause', 'resume']);
  });
});

describe('a command line', () => {
  test('is for the shell if it has no arguments and contains spaces or shell syntax', () => {
    for (const command of [
      'ls -la',
      'a|b',
      'a&',
      'a;b',
      '~/bin/x',
      '$X',
      'a>b',
      '*.sh',
      'A=1',
      "'a'",
      'a\nb',
    ])
      expect(toArgv({command})).toEqual(['/bin/sh', '-c', command]);
  });

  test('is a program otherwise', () => {
    expect(toArgv({command: '/usr/bin/some-tool_2.0', args: []})).toEqual(['/usr/bin/some-tool_2.0']);
    expect(toArgv({command: 'a b', args: ['$c']})).toEqual(['a b', '$c']);
  });

  test('is shown as it would be typed', () => {
    expect(commandLine({command: 'cd x && ls'})).toBe('cd x && ls');
    expect(commandLine({command: 'git', args: ['commit', '-m', "it's $5", '']})).toBe(
      String.raw`git commit -m 'it'\''s $5' ''`,
    );
  });
});
