import {describe, expect, test} from 'vitest';
import type {KeyEvent} from '../../../src/app/input/keys.ts';
import {
  afterClosing,
  afterEarlyKey,
  answered,
  focusedPhase,
  judgeKey,
  type Focusing,
  type KeyPurpose,
  type RequestPhase,
} from '../../../src/app/requests/request-phase.ts';

const press = (text: string, at: number): KeyEvent => ({
  kind: 'key',
  name: text === '' ? 'enter' : text,
  text,
  ctrl: false,
  alt: false,
  shift: false,
  at,
});

/** Focused at 1000; it was drawn then, or before. */
const focused = (how: Partial<Focusing>): RequestPhase =>
  focusedPhase({
    by: 'user',
    at: 1000,
    shownAt: 1000,
    rejectFrom: Infinity,
    keyAt: 0,
    isChanged: false,
    isDeceptive: false,
    ...how,
  });

const unseen: RequestPhase = {kind: 'unseen', isGiven: true, rejectFrom: Infinity};
const phases = {
  unseen,
  'changed since it had the focus': {...unseen, rejectFrom: 900},
  shown: {kind: 'shown', at: 1000},
  'focused by the user': focused({}),
  'focused by the user while it was drawn': focused({shownAt: 10, rejectFrom: 1000}),
  'changed and focused by the user': focused({isChanged: true, rejectFrom: 1000}),
  'changed, and focused by the user later': focused({isChanged: true, shownAt: 600, rejectFrom: 1000}),
  'focused by itself': focused({by: 'itself'}),
  'next with the focus': focused({by: 'previous'}),
  'drawn again after a change': focused({by: 'previous', isChanged: true, rejectFrom: 900}),
  'focused, and something closed over it': afterClosing(focused({}), 1000),
  'focused, and a key was too soon': afterEarlyKey(focused({by: 'previous'}), 'allow', 1100),
  'focused, and a rejecting key was too soon': afterEarlyKey(focused({by: 'previous'}), 'reject', 1300),
  answered: answered(focused({})),
} as const satisfies Record<string, RequestPhase>;

describe('a key counts for a request', () => {
  /** The first time at which a key counts: Infinity if it never does. */
  const countsFrom = (phase: RequestPhase, purpose: KeyPurpose) =>
    Array.from({length: 3000}, (_, at) => at).find(
      (at) => judgeKey(phase, {purpose, key: press('y', at), lastKey: undefined}) === 'counts',
    ) ?? Infinity;

  test.each([
    ['unseen', Infinity, Infinity],
    ['changed since it had the focus', Infinity, 901],
    ['shown', Infinity, Infinity],
    ['focused by the user', 1001, 1001],
    ['focused by the user while it was drawn', 1001, 1001],
    ['changed and focused by the user', 2001, 1001],
    ['changed, and focused by the user later', 1601, 1001],
    ['focused by itself', 1251, 1251],
    ['next with the focus', 1251, 1251],
    ['drawn again after a change', 2001, 901],
    ['focused, and something closed over it', 1251, 1251],
    ['focused, and a key was too soon', 1251, 1251],
    ['focused, and a rejecting key was too soon', 1251, 1301],
    ['answered', Infinity, Infinity],
  ] as const)('%s: an allowing one from %d, a rejecting one from %d', (name, allow, reject) => {
    const phase = phases[name];
    expect(['allow', 'fill', 'reject'].map((purpose) => countsFrom(phase, purpose as KeyPurpose))).toEqual([
      allow,
      allow,
      reject,
    ]);
  });

  test.each([
    ['allow', 'too_soon'],
    ['reject', 'too_soon'],
    ['fill', 'counts'],
  ] as const)('unless it is held down since before: %s', (purpose, verdict) => {
    const judged = (at: number, lastAt: number) =>
      judgeKey(phases['focused by the user'], {
        purpose,
        key: press('', at),
        lastKey: {combination: 'enter', at: lastAt},
      });
    expect([judged(1600, 1000), judged(1600, 900), judged(1600, 1001), judged(1601, 800)]).toEqual([
      verdict,
      'counts',
      'counts',
      'counts',
    ]);
  });
});

describe('a key that does not count', () => {
  test.each([
    ['unseen', 'ignored', 'ignored'],
    ['changed since it had the focus', 'ignored', 'ignored'],
    ['shown', 'ignored', 'ignored'],
    ['focused by the user', 'too_soon', 'too_soon'],
    ['focused by itself', 'for_prompt', 'too_soon'],
    ['next with the focus', 'too_soon', 'too_soon'],
    ['answered', 'ignored', 'ignored'],
  ] as const)('while it is %s: a letter is %s, Enter %s', (name, letter, enter) => {
    const judged = ['y', ''].map((text) =>
      judgeKey(phases[name], {purpose: 'allow', key: press(text, 800), lastKey: undefined}),
    );
    expect(judged).toEqual([letter, enter]);
  });
});
