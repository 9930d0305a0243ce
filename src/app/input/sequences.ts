/**
 * A token of raw terminal input. Reports of the terminal (answers, mouse, focus) are separated from keys here, because Ink would pass some of them on as typed
 * text.
 */
export type Token =
  /** Text, line feeds, carriage returns and tabs. */
  | {readonly kind: 'text'; readonly text: string}
  /** Exactly one key, in a form that Ink parses at once and correctly. */
  | {readonly kind: 'key'; readonly sequence: string}
  /** A report of the terminal: answers to queries, focus, mouse. */
  | {readonly kind: 'report'; readonly sequence: string}
  | {readonly kind: 'paste_start'}
  /** Incomplete at the end of the input: more is needed to identify it. */
  | {readonly kind: 'incomplete'; readonly sequence: string};

export const PASTE_START = '\x1b[200~';
export const PASTE_END = '\x1b[201~';
/** Escape as an explicit sequence: after a bare ESC byte Ink would wait for more. */
const ESCAPE_KEY = '\x1b[27u';

const control = /[\0-\x08\x0b\x0c\x0e-\x1f\x7f]/g;
/** Fewer characters if something else has interrupted it. */
const mouse = /\x1b\[M[^\0-\x1f\x7f]{0,3}/y;
const csi = /\x1b{1,2}\[(?:\[[A-E]|\[[56]~|[235678]\$|[0-?]*[ -/]*[@-Z\\-~])/y;
const ss3 = /\x1b{1,2}O[0-9;]*[A-FHMP-Sa-ej-y]/y;
/** Complete strings: answers, and those that no terminal sends yet. */
const string = /\x1b(?:\][0-9]+;|[PX^_])[^\0-\x1f\x7f]*(?:\x07|\x1b\\)/y;
/** Not with Ctrl+C, which was pressed after Escape while the program was busy. */
const altKey = /\x1b[^\x1b\x03]/uy;

/** Starts of sequences that fingers type, too: Escape, Alt with a character. */
const typable = String.raw`\x1b{1,2}(?:\[\[?|O[0-9;]*)?|\x1b(?:[\]PX^_]|[\ud800-\udbff])`;
/** Starts that only terminals send. Strings only if they look like an answer, since Alt+] and Alt+P start the same way. */
const sent = String.raw`\x1b{1,2}\[(?![235678]\$)[0-?]+[ -/]*|\x1b(?:\[\[5|\[M[^\0-\x1f\x7f]{0,2}|(?:\][0-9]+(?:;[^\0-\x1f\x7f]*)?|(?:P[0-9>$+|!]|_G|[X^][^\0-\x1f\x7f])[^\0-\x1f\x7f]*)\x1b?)`;
const incomplete = new RegExp(`(?:${typable}|${sent})$`, 'y');
const onlySent = new RegExp(`^(?:${sent})$`);
/** The start of a sequence that something else has interrupted. */
const interrupted =
  /\x1b(?:\x1b?\[[0-?]+[ -/]*|(?:\][0-9]+(?:;|(?=[\0-\x1f\x7f]))|P[0-9>$+|!]|_G)[^\0-\x1f\x7f]*)/y;

/** Splits input into tokens. After `paste_start` the rest is one text token: the caller finds the end of the paste. */
export function* tokens(input: string): Generator<Token> {
  let at = 0;
  while (at < input.length) {
    control.lastIndex = at;
    const next = control.exec(input)?.index ?? input.length;
    const text = input.slice(at, next);
    if (next === input.length) {
      yield* lastText(text);
      return;
    }
    if (text !== '') yield {kind: 'text', text};
    const {token, length} = input.charAt(next) === '\x1b' ? escaped(input, next) : plainControl(input, next);
    yield token;
    at = next + length;
    if (token.kind !== 'paste_start') continue;
    if (at < input.length) yield {kind: 'text', text: input.slice(at)};
    return;
  }
}

/** Text at the end of the input may be cut inside a character. */
function* lastText(text: string): Generator<Token> {
  const end = /[\ud800-\udbff]$/.test(text) ? text.length - 1 : text.length;
  if (end > 0) yield {kind: 'text', text: text.slice(0, end)};
  if (end < text.length) yield {kind: 'incomplete', sequence: text.slice(end)};
}

interface Cut {
  readonly token: Token;
  readonly length: number;
}

function plainControl(input: string, at: number): Cut {
  return {token: {kind: 'key', sequence: input.charAt(at)}, length: 1};
}

function escaped(input: string, at: number): Cut {
  const cut = match(incomplete, input, at);
  if (cut !== undefined) return {token: {kind: 'incomplete', sequence: cut}, length: cut.length};
  const report = match(mouse, input, at) ?? match(string, input, at);
  if (report !== undefined) return {token: {kind: 'report', sequence: report}, length: report.length};
  const sequence = match(csi, input, at) ?? match(ss3, input, at);
  if (sequence !== undefined) return {token: known(sequence), length: sequence.length};
  const lost = match(interrupted, input, at);
  if (lost !== undefined) return {token: {kind: 'text', text: ''}, length: lost.length};
  const alt = match(altKey, input, at);
  if (alt !== undefined) return {token: {kind: 'key', sequence: altSequence(alt)}, length: alt.length};
  return {token: {kind: 'key', sequence: ESCAPE_KEY}, length: 1};
}

function match(pattern: RegExp, input: string, at: number): string | undefined {
  pattern.lastIndex = at;
  return pattern.exec(input)?.[0];
}

/** True if no finger types this start of a sequence. */
export function isOnlySent(start: string): boolean {
  return onlySent.test(start);
}

/** Returns the keys of a start of a sequence after which no more input arrived. */
export function keysOf(start: string): readonly string[] {
  if (isOnlySent(start) || /[\ud800-\udbff]$/.test(start)) return [];
  const [, escapes = '', alt, text = ''] = /^(\x1b*?)(\x1b[^\x1b])?([^\x1b]*)$/.exec(start) ?? [];
  return [
    ...Array.from(escapes, () => ESCAPE_KEY),
    ...(alt === undefined ? [] : [altSequence(alt)]),
    ...(text === '' ? [] : [text]),
  ];
}

/** How the answers of terminals start, with more than a finger types after what starts a key as well. */
const ANSWER = /^\x1b(?:\[(?:[<>?]\d|\d+;)|\]\d+;|P(?:[!>]\||[01][$+])|_Gi=)/;

/** True if the input continues a sequence whose start was taken for a key and some typed text, or given up, with more than a finger types after it. */
export function isRest(start: string, typed: string, input: string): boolean {
  // Another sequence begins: an arrow key after Escape is not Alt with an arrow key.
  if (input.startsWith('\x1b')) return false;
  const before = start + typed;
  const sequence = before + input;
  const {token, length} = escaped(sequence, 0);
  if (token.kind === 'paste_start') return true;
  if (token.kind === 'incomplete') return input.length > 1 && ANSWER.test(sequence) && !ANSWER.test(before);
  const isWhole = length === sequence.length || sequence.charAt(length) === '\x1b';
  if (!isWhole) return false;
  if (length > before.length + 1) return true;
  return typed === '' && (FOCUS.test(sequence) || (input === '\x07' && ANSWER.test(start)));
}

/** True if an answer may start like this, although a finger may have typed it. */
export function mayBeAnswer(start: string): boolean {
  return /^\x1b(?:\[(?:[<>?]|\d{0,4})|\]\d{0,4}|P[!>01]?|_(?:Gi?)?)$/.test(start);
}

/** Alt with a character; the two that start sequences are spelled out, or Ink would wait for more. */
function altSequence(sequence: string): string {
  const character = sequence.slice(1);
  return /^[[O]$/.test(character) ? `\x1b[${character.codePointAt(0)};3u` : sequence;
}

const FOCUS = /^\x1b\[[IO]/;
const navigation = /^\x1b{1,2}\[(?:1;\d+(?::\d+)?)?[A-FHPQS]$/;
const numbered = /^\x1b{1,2}\[(?:[1-8]|1[1-57-9]|2[0134])(?:;\d+(?::\d+)?)?[~^$]$/;
const old = /^\x1b{1,2}\[(?:Z|[a-e]|\[[A-E]|\[[56]~)$/;
const kitty = /^\x1b\[(\d+)((?::\d*){0,2})((?:;[\d:]*){0,2})u$/;
const otherKeys = /^\x1b\[27;(\d+);(\d+)~$/;

/** Distinguishes keys from reports among complete CSI and SS3 sequences, and encodes keys as Ink understands them. */
function known(sequence: string): Token {
  if (sequence === PASTE_START) return {kind: 'paste_start'};
  const [, modifiers, code] = otherKeys.exec(sequence) ?? [];
  if (modifiers !== undefined) return {kind: 'key', sequence: `\x1b[${code};${modifiers}u`};
  const key = kitty.exec(sequence);
  if (key) return {kind: 'key', sequence: asBound(sequence, key)};
  const isKey = [navigation, numbered, old].some((pattern) => pattern.test(sequence));
  return {kind: isKey || /^\x1b+O/.test(sequence) ? 'key' : 'report', sequence};
}

/**
 * Returns the key for matching bindings, from the alternate keys that a terminal reports: with a Cyrillic layout Ctrl+C is Ctrl+С, and Shift combinations
 * depend on the layout.
 */
function asBound(sequence: string, [, code, alternates = '', rest = '']: RegExpExecArray): string {
  if (alternates === '') return sequence;
  const [, shifted, base] = alternates.split(':');
  const modifiers = Number.parseInt(rest.slice(1) || '1', 10) - 1;
  const isCombination = (modifiers & 0b110) !== 0;
  if (isCombination && shifted && isSign(Number(shifted))) return `\x1b[${shifted};${(modifiers & ~1) + 1}u`;
  return `\x1b[${isCombination && base && Number(code) > 0x7f ? base : code}${rest}u`;
}

function isSign(code: number): boolean {
  return /^[!-/:-@[-`{-~]$/.test(String.fromCodePoint(code));
}
