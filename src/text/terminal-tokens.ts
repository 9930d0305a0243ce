/** One step of a terminal's byte stream; `end` is where the next one begins. */
export type Token = {readonly end: number} & (
  | {readonly kind: 'text'; readonly text: string}
  | {readonly kind: 'control'; readonly character: string}
  | {readonly kind: 'csi'; readonly parameters: string; readonly final: string}
  | {readonly kind: 'ignored'}
  /** The input ends within a sequence; `carry` before the next input continues it. */
  | {readonly kind: 'incomplete'; readonly carry: string}
);

const TEXT = /[^\x00-\x1f\x7f-\x9f\u2028\u2029]+/y;
const CSI = /(?:\x1b\[|\x9b)([0-?]*)[ -/]*([@-~])?/y;
const ESCAPE = /\x1b[ -/]*([0-~])?/y;
/** OSC ends at a line feed too: a stray one must not swallow the rest of the output. */
const OSC = /(\x1b\]|\x9d)[^\x07\n\x18\x1a\x1b\x9c]*(\x1b\\|[\x07\x18\x1a\x9c])?/y;
const STRING = /(\x1b[PX^_]|[\x90\x98\x9e\x9f])[^\x18\x1a\x1b\x9c]*(\x1b\\|[\x18\x1a\x9c])?/y;

/** A longer sequence that is still not over is no sequence. */
const MAX_SEQUENCE = 256;

export function nextToken(input: string, at: number): Token {
  const text = match(TEXT, input, at);
  if (text) return textToken(text[0], at, input.length);
  const csi = match(CSI, input, at);
  if (csi) {
    const [sequence, parameters = '', final] = csi;
    if (final !== undefined) return {kind: 'csi', parameters, final, end: at + sequence.length};
    return unfinished(sequence, at, input.length);
  }
  const string = match(OSC, input, at) ?? match(STRING, input, at);
  if (string) {
    const [sequence, introducer = '', terminator] = string;
    return stringToken({introducer, terminated: terminator !== undefined, end: at + sequence.length}, input);
  }
  const escape = match(ESCAPE, input, at);
  if (escape) {
    if (escape[1] !== undefined) return {kind: 'ignored', end: at + escape[0].length};
    return unfinished(escape[0], at, input.length);
  }
  return {kind: 'control', character: input.charAt(at), end: at + 1};
}

/** Half of a surrogate pair at the end waits for its other half. */
function textToken(text: string, at: number, length: number): Token {
  const end = at + text.length;
  if (end < length || !/[\ud800-\udbff]$/.test(text)) return {kind: 'text', text, end};
  if (text.length === 1) return {kind: 'incomplete', carry: text, end};
  return {kind: 'text', text: text.slice(0, -1), end: end - 1};
}

function unfinished(sequence: string, at: number, length: number): Token {
  const end = at + sequence.length;
  if (end < length || sequence.length > MAX_SEQUENCE) return {kind: 'ignored', end};
  return {kind: 'incomplete', carry: sequence, end};
}

/** What a string says is of no interest, so only its introducer is carried. */
function stringToken(
  {introducer, terminated, end}: {introducer: string; terminated: boolean; end: number},
  input: string,
): Token {
  if (terminated) return {kind: 'ignored', end};
  if (end === input.length) return {kind: 'incomplete', carry: introducer, end};
  const splitTerminator = input.charAt(end) === '\x1b' && end + 1 === input.length;
  return splitTerminator
    ? {kind: 'incomplete', carry: `${introducer}\x1b`, end: end + 1}
    : {kind: 'ignored', end};
}

function match(pattern: RegExp, input: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at;
  return pattern.exec(input);
}
