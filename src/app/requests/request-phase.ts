import {combinationOf, type KeyEvent} from '../input/keys.ts';

/*
 * Which keys count for a request, so that none answers by accident: only those pressed after it was drawn and focused, and no repeats of a key that was pressed before.
 */

/** How long keys are ignored after a panel took the focus by itself, in milliseconds: less than a user needs to see it. */
export const GUARD_MS = 250;

/** The hint while keys do not count. */
export const KEYS_IGNORED = 'Keys count in a moment, so that none answers by mistake';

/** The same after the agent has changed a request: long enough to notice. */
const CHANGED_GUARD_MS = 1000;

/** Longer than any usual delay before a held-down key repeats: key presses further apart are separate. */
export const REPEAT_MS = 700;

/** The phase of a request, from its arrival to its answer. Times are on the window's clock; Infinity if no key counts. */
export type RequestPhase =
  /** Its newest version was not on the screen yet. `isGiven`: the user has focused it already. Earlier versions can be rejected. */
  | {readonly kind: 'unseen'; readonly isGiven: boolean; readonly rejectFrom: number}
  /** On the screen since `at`, while keys go elsewhere. */
  | {readonly kind: 'shown'; readonly at: number}
  | FocusedPhase
  /** Until it is resolved, or changed after all. */
  | {readonly kind: 'answered'; readonly rejectFrom: number};

/** On the screen, and keys go to it. */
interface FocusedPhase {
  readonly kind: 'focused';
  /** By the user, by itself in a pause in typing, or because what was there before had the focus. */
  readonly by: 'user' | 'itself' | 'previous';
  /** When this version was first drawn. */
  readonly shownAt: number;
  /** Only keys pressed after this time count. */
  readonly answerFrom: number;
  /** The same for rejecting keys, which later changes by the agent do not delay. */
  readonly rejectFrom: number;
  /** Set while keys are ignored, which the request shows: until a `tick` after this time. */
  readonly ignoresUntil: number | undefined;
  /** True once a key has unlocked the allowing answers of a request with hidden characters. */
  readonly isUnlocked: boolean;
}

/** How a request was focused. */
export interface Focusing extends Pick<FocusedPhase, 'by' | 'shownAt' | 'rejectFrom'> {
  /** When it had the focus and was on the screen. */
  readonly at: number;
  /** When the last key was pressed, which may be held down. */
  readonly keyAt: number;
  /** True if the agent or another program has changed it. */
  readonly isChanged: boolean;
  /** True if it has to be unlocked, with the key that also focuses it. */
  readonly isDeceptive: boolean;
}

/** Returns the phase of a request that was focused: keys count at once if the user did it, else a moment later. */
export function focusedPhase(focusing: Focusing): RequestPhase {
  const {by, at, shownAt, keyAt, isChanged, isDeceptive} = focusing;
  const isByUser = by === 'user';
  const noticed = isChanged ? (isByUser ? shownAt : at) + CHANGED_GUARD_MS : isByUser ? at : at + GUARD_MS;
  const answerFrom = Math.max(at, noticed);
  const ignoresUntil = Math.max(answerFrom, isByUser && !isDeceptive ? at : keyAt + REPEAT_MS);
  return {
    kind: 'focused',
    by,
    shownAt,
    answerFrom,
    rejectFrom: Math.min(focusing.rejectFrom, answerFrom),
    ignoresUntil: ignoresUntil > at ? ignoresUntil : undefined,
    isUnlocked: false,
  };
}

/** What a key does with a request: allow it, reject it, or fill it in, where repeats are harmless. */
export type KeyPurpose = 'allow' | 'reject' | 'fill';

/** The last key, as `combinationOf` writes it. */
export interface LastKey {
  readonly combination: string;
  readonly at: number;
}

/** True for a repeat of the last key, if that was pressed before a time. */
export function isRepeat(lastKey: LastKey | undefined, from: number, key: KeyEvent): boolean {
  return (
    key.kind === 'key' &&
    lastKey !== undefined &&
    lastKey.at <= from &&
    lastKey.combination === combinationOf(key) &&
    key.at - lastKey.at < REPEAT_MS
  );
}

/** A key that was pressed while a request has the focus. */
interface PurposefulKey {
  readonly purpose: KeyPurpose;
  readonly key: KeyEvent;
  /** The key before it. */
  readonly lastKey: LastKey | undefined;
}

/** Whether a key counts; else it was meant for the prompt, was pressed too soon or is held down, or does nothing. */
type KeyVerdict = 'counts' | 'for_prompt' | 'too_soon' | 'ignored';

/** Returns whether a key counts for a request. */
export function judgeKey(phase: RequestPhase, {purpose, key, lastKey}: PurposefulKey): KeyVerdict {
  if (phase.kind === 'answered') return 'ignored';
  const from = countsFrom(phase, purpose);
  if (key.at > from && (purpose === 'fill' || !isRepeat(lastKey, from, key))) return 'counts';
  if (phase.kind === 'focused' && phase.by === 'itself' && key.text !== '') return 'for_prompt';
  return from === Infinity ? 'ignored' : 'too_soon';
}

function countsFrom(phase: RequestPhase, purpose: KeyPurpose): number {
  if (purpose === 'reject') return rejectFromOf(phase);
  return phase.kind === 'focused' ? phase.answerFrom : Infinity;
}

/** Returns the time from which rejecting keys count. */
export function rejectFromOf(phase: RequestPhase): number {
  return phase.kind === 'shown' ? Infinity : phase.rejectFrom;
}

/** Returns the phase after a key that was pressed too soon: it and its repeats are ignored. */
export function afterEarlyKey(phase: RequestPhase, purpose: KeyPurpose, at: number): RequestPhase {
  return delayed(
    phase,
    {answer: purpose === 'reject' ? -Infinity : at, reject: purpose === 'reject' ? at : -Infinity},
    at,
  );
}

/** Returns the phase after a key that closed something over the request, which must not answer it. */
export function afterClosing(phase: RequestPhase, at: number): RequestPhase {
  const until = at + GUARD_MS;
  return delayed(phase, {answer: until, reject: until}, at);
}

interface Until {
  readonly answer: number;
  readonly reject: number;
}

function delayed(phase: RequestPhase, until: Until, keyAt: number): RequestPhase {
  if (phase.kind === 'shown') return phase;
  const rejectFrom = Math.max(phase.rejectFrom, until.reject);
  if (phase.kind !== 'focused') return {...phase, rejectFrom};
  const answerFrom = Math.max(phase.answerFrom, until.answer);
  return {...phase, answerFrom, rejectFrom, ignoresUntil: Math.max(answerFrom, keyAt + REPEAT_MS)};
}

/** Returns the phase at a time: keys may count again. */
export function atTick(phase: RequestPhase, at: number): RequestPhase {
  const isOver = phase.kind === 'focused' && phase.ignoresUntil !== undefined && at > phase.ignoresUntil;
  return isOver ? {...phase, ignoresUntil: undefined} : phase;
}

export function unlocked(phase: RequestPhase): RequestPhase {
  return phase.kind === 'focused' ? {...phase, isUnlocked: true} : phase;
}

export function answered(phase: RequestPhase): RequestPhase {
  return {kind: 'answered', rejectFrom: rejectFromOf(phase)};
}

/** True if keys answer a request, as far as it shows. */
export function takesKeys(phase: RequestPhase): boolean {
  return phase.kind === 'focused' && phase.ignoresUntil === undefined;
}

/** True while a request shows that keys are ignored although it has the focus. */
export function ignoresKeys(phase: RequestPhase): boolean {
  return phase.kind === 'focused' && phase.ignoresUntil !== undefined;
}

export function isUnlocked(phase: RequestPhase): boolean {
  return phase.kind === 'focused' && phase.isUnlocked;
}
