import type {CharacterSearch} from './vim-state.ts';

export type Operator = 'd' | 'c' | 'y';

/** A motion; `f` and similar keys with their target character. */
export interface MotionKey {
  readonly key: string;
  readonly character?: string;
}

/** `iw`, `a"` etc.; `around` includes the delimiters. */
export interface ObjectKey {
  readonly key: string;
  readonly extent: 'inner' | 'around';
}

export type OperatorTarget =
  | {readonly kind: 'lines'}
  | {readonly kind: 'motion'; readonly motion: MotionKey}
  | {readonly kind: 'object'; readonly object: ObjectKey};

/** A complete command; `count` is undefined if none was typed. */
export type VimCommand = {readonly count: number | undefined} & (
  | {readonly kind: 'operate'; readonly operator: Operator; readonly target: OperatorTarget}
  | {readonly kind: 'motion'; readonly motion: MotionKey}
  /** Only in visual modes. */
  | {readonly kind: 'select'; readonly object: ObjectKey}
  | {readonly kind: 'simple'; readonly key: string; readonly character?: string}
);

type Parsed = VimCommand | 'incomplete' | 'unknown';

const motions = new Set('hljkwbeWBE0^$G;,%{}');
const seeking = new Set<string>(['f', 'F', 't', 'T'] satisfies CharacterSearch['key'][]);
const objects = new Set('wWp"\'`()b[]{}B<>');
const operators = new Set<string>(['d', 'c', 'y'] satisfies Operator[]);
const simple = new Set('iaIAoOpPuJ~.vV');
const simpleInVisual = new Set('dxcsyopPJ~vVDXCSYuU');

/** The operator and target of a shorthand key. */
const short: Readonly<Record<string, readonly [Operator, MotionKey | undefined]>> = {
  x: ['d', {key: 'l'}],
  X: ['d', {key: 'h'}],
  D: ['d', {key: '$'}],
  C: ['c', {key: '$'}],
  s: ['c', {key: 'l'}],
  S: ['c', undefined],
  Y: ['y', undefined],
};

/** Maximum count: no draft has more, and a typo must not take long. */
const MAX_COUNT = 9999;

/** Parses the keys of a command, one character each. */
export function parse(keys: readonly string[], mode: 'normal' | 'visual'): Parsed {
  const [first, rest] = takeCount(keys);
  const [key] = rest;
  if (key === undefined) return 'incomplete';
  const count = first;
  const motion = readMotion(rest);
  if (motion !== 'unknown') return motion === 'incomplete' ? motion : {kind: 'motion', motion, count};
  if (key === 'r') return withCharacter(rest, count);
  if (mode === 'visual') return inVisual(rest, count);
  if (operators.has(key)) return operation(key as Operator, rest.slice(1), count);
  const shorthand = short[key];
  if (shorthand) {
    const [operator, motion] = shorthand;
    return {kind: 'operate', operator, count, target: motion ? {kind: 'motion', motion} : {kind: 'lines'}};
  }
  return simple.has(key) ? {kind: 'simple', key, count} : 'unknown';
}

function takeCount(keys: readonly string[]): [number | undefined, readonly string[]] {
  let end = 0;
  while (/^\d$/.test(keys[end] ?? '') && (end > 0 || keys[end] !== '0')) end++;
  return end === 0
    ? [undefined, keys]
    : [Math.min(MAX_COUNT, Number(keys.slice(0, end).join(''))), keys.slice(end)];
}

function readMotion([key = '', next]: readonly string[]): MotionKey | 'incomplete' | 'unknown' {
  if (motions.has(key)) return {key};
  if (key === 'g') return next === undefined ? 'incomplete' : next === 'g' ? {key: 'gg'} : 'unknown';
  if (!seeking.has(key)) return 'unknown';
  return next === undefined ? 'incomplete' : {key, character: next};
}

function withCharacter([key = '', character]: readonly string[], count: number | undefined): Parsed {
  return character === undefined ? 'incomplete' : {kind: 'simple', key, character, count};
}

function inVisual(keys: readonly string[], count: number | undefined): Parsed {
  const [key = ''] = keys;
  if (key === 'i' || key === 'a') {
    const object = readObject(keys);
    return typeof object === 'string' ? object : {kind: 'select', object, count};
  }
  return simpleInVisual.has(key) ? {kind: 'simple', key, count} : 'unknown';
}

function operation(operator: Operator, keys: readonly string[], first: number | undefined): Parsed {
  const [second, rest] = takeCount(keys);
  const [key] = rest;
  if (key === undefined) return 'incomplete';
  const count =
    first === undefined && second === undefined
      ? undefined
      : Math.min(MAX_COUNT, (first ?? 1) * (second ?? 1));
  if (key === operator) return {kind: 'operate', operator, count, target: {kind: 'lines'}};
  const motion = readMotion(rest);
  if (motion === 'incomplete') return motion;
  if (motion !== 'unknown') return {kind: 'operate', operator, count, target: {kind: 'motion', motion}};
  const object = readObject(rest);
  return typeof object === 'string'
    ? object
    : {kind: 'operate', operator, count, target: {kind: 'object', object}};
}

function readObject([key, name]: readonly string[]): ObjectKey | 'incomplete' | 'unknown' {
  if (key !== 'i' && key !== 'a') return 'unknown';
  if (name === undefined) return 'incomplete';
  return objects.has(name) ? {key: name, extent: key === 'i' ? 'inner' : 'around'} : 'unknown';
}
