/** How long input must pause before held-back input is interpreted as it is, in milliseconds. */
const QUIET = {escape: 25, sequence: 100, burst: 12, paste: 1000} as const;

/** As a byte, and in the kitty protocol. */
const ctrlC = /^(?:\x03|\x1b\[99;5u)$/;

/**
 * Filters terminal input for Ink, which reads `hello` + Enter in one read as text, waits forever for the end of a paste, and passes on parts of terminals'
 * answers as typed text. Pure: the caller owns the stream and the timer (`createInput` in components/start.tsx).
 *
 * - Text followed by a line end is typed text, then Enter. It is held briefly: if more follows, it was a paste.
 * - A line end followed by text is a paste, even without brackets; so it never submits.
 * - A bracketed paste is emitted as a whole, however it was split; one that stalls without its end is emitted as it is.
 *
 * `onReport` is called with reports of the terminal (answers to queries, focus, mouse), which never reach Ink.
 */
export function createInputFilter(options: {onReport?: (sequence: string) => void} = {}) {
  const decoder = new TextDecoder('utf-8', {ignoreBOM: true});
  const burst = createBurst();
  /** The start of a sequence, or of a surrogate pair, that is incomplete. */
  let held = '';
  let paste: PasteCollector | undefined;

  function take(input: string): readonly string[] {
    const all = [...tokens(input)];
    return all.flatMap((token, index) => takeToken(token, index === all.length - 1));
  }

  function takeToken(token: Token, isLast: boolean): readonly string[] {
    switch (token.kind) {
      case 'text':
        return paste ? takePaste(paste, token.text) : burst.add(token.text, isLast ? 'continues' : 'ended');
      case 'report':
        options.onReport?.(token.sequence);
        return [];
      case 'key':
        return [...burst.take(), token.sequence];
      case 'paste_start':
        paste = createPasteCollector();
        return burst.take();
      case 'incomplete':
        held = token.sequence;
        return burst.take();
    }
  }

  function takePaste(collector: PasteCollector, text: string): readonly string[] {
    const rest = collector.add(text);
    if (rest === undefined) return [];
    paste = undefined;
    return [bracketed(collector.text()), ...take(rest)];
  }

  function flush(): readonly string[] {
    const released = [...burst.take(), ...flushed(held), ...(paste ? [bracketed(paste.text())] : [])];
    held = '';
    paste = undefined;
    return released;
  }

  return {
    /**
     * Takes input from the terminal, split anywhere, and returns strings for Ink, each of which must reach it as a separate read: one key, text without control
     * characters, or one bracketed paste.
     */
    push(chunk: string | Uint8Array) {
      const text = typeof chunk === 'string' ? chunk : decoder.decode(chunk, {stream: true});
      // Ctrl+C must work while waiting for the end of a paste.
      if (paste && ctrlC.test(text)) return [...flush(), text];
      if (paste) return takePaste(paste, text);
      if (text === '\r' && held === '' && !burst.isLong()) return [...burst.take(), text];
      const input = held + text;
      held = '';
      return take(input);
    },
    /** Milliseconds after the last `push` at which `flush` is due; undefined if nothing is held back. */
    flushDelay() {
      if (paste) return QUIET.paste;
      if (burst.isOpen()) return QUIET.burst;
      if (held === '') return undefined;
      return /^\x1b+$/.test(held) ? QUIET.escape : QUIET.sequence;
    },
    /** Returns the held-back input, since no more of it has arrived. */
    flush,
  };
}

/** A burst of this length was probably split by a read buffer, so that a line end after it still belongs to it. */
const LONG_BURST = 1000;

/** Distinguishes typed text and Enter from unbracketed pastes; see `createInputFilter` for the rules. */
function createBurst() {
  let held = '';

  function take(): readonly string[] {
    const text = held;
    held = '';
    if (text === '') return [];
    // A held-down key, read late: a paste is hardly ever only carriage returns, or only tabs.
    if (/^(?:\r+|\t+)$/.test(text)) return text.split('');
    return [/^(?:\r\n|[\n\t])$/.test(text) ? text.charAt(0) : bracketed(text)];
  }

  function start(text: string): readonly string[] {
    const [, typed, end = ''] = /^([^\r\n\t]*)(\r\n|[\r\n\t])?$/.exec(text) ?? [];
    if (typed === undefined) {
      held = text;
      return [];
    }
    held = end;
    const isKeyAlone = typed === '' || end === '\t';
    return [...(typed === '' ? [] : [typed]), ...(isKeyAlone ? take() : [])];
  }

  function resume(text: string): readonly string[] {
    held += text;
    return [];
  }

  return {
    /** Adds text without control characters other than tabs and line ends. Returns what is certain already. */
    add(text: string, end: 'continues' | 'ended') {
      const certain = held === '' ? start(text) : resume(text);
      return end === 'ended' ? [...certain, ...take()] : certain;
    },
    /** Returns the held-back text: nothing more belongs to it. */
    take,
    isOpen: () => held !== '',
    isLong: () => held.length >= LONG_BURST,
  };
}

/** Returns the text as a bracketed paste. */
function bracketed(text: string): string {
  return PASTE_START + text + PASTE_END;
}

type PasteCollector = ReturnType<typeof createPasteCollector>;

/** Collects a paste whose end marker may be split anywhere, in linear time. */
function createPasteCollector() {
  const pieces: string[] = [];
  /** Possibly the start of the end marker. */
  let tail = '';
  return {
    /** Adds a piece; returns the text after the paste's end once that has arrived. */
    add(text: string) {
      const piece = tail + text;
      const end = piece.indexOf(PASTE_END);
      tail = '';
      if (end !== -1) {
        pieces.push(piece.slice(0, end));
        return piece.slice(end + PASTE_END.length);
      }
      const begun = piece.lastIndexOf('\x1b');
      if (begun !== -1 && PASTE_END.startsWith(piece.slice(begun))) tail = piece.slice(begun);
      pieces.push(piece.slice(0, piece.length - tail.length));
      return undefined;
    },
    /** Returns the text so far. */
    text: () => pieces.join('') + tail,
  };
}

/**
 * A token of raw terminal input. Reports of the terminal (answers, mouse, focus) are separated from keys here, because Ink would pass some of them on as typed
 * text.
 */
type Token =
  /** Text, line feeds, carriage returns and tabs. */
  | {readonly kind: 'text'; readonly text: string}
  /** Exactly one key, in a form that Ink parses at once and correctly. */
  | {readonly kind: 'key'; readonly sequence: string}
  /** A report of the terminal: answers to queries, focus, mouse. */
  | {readonly kind: 'report'; readonly sequence: string}
  | {readonly kind: 'paste_start'}
  /** Incomplete at the end of the input: more is needed to identify it. */
  | {readonly kind: 'incomplete'; readonly sequence: string};

const PASTE_START = '\x1b[200~';
const PASTE_END = '\x1b[201~';
/** Escape as an explicit sequence: after a bare ESC byte Ink would wait for more. */
const ESCAPE_KEY = '\x1b[27u';

const control = /[\0-\x08\x0b\x0c\x0e-\x1f\x7f]/g;
const mouse = /\x1b\[M[^]{3}/y;
const csi = /\x1b{1,2}\[(?:\[[A-E]|\[[56]~|[235678]\$|[0-?]*[ -/]*[@-Z\\-~])/y;
const ss3 = /\x1b{1,2}O[0-9;]*[A-FHMP-Sa-ej-y]/y;
/** String sequences, only if they look like an answer, since Alt+] and Alt+P start the same way. */
const answer = /\x1b(?:\][0-9]+;|P[0-9>$+|!]|_G)[^\x07\x1b]*(?:\x07|\x1b\\)/y;
/** Not with Ctrl+C, which was pressed after Escape while the program was busy. */
const altKey = /\x1b[^\x1b\x03]/uy;
const incomplete =
  /\x1b(?:\x1b?(?:\[[0-?]*[ -/]*|O[0-9;]*)?|\[\[5?|\[M[^]{0,2}|\](?:[0-9]+(?:;[^\x07\x1b]*\x1b?)?)?|P(?:[0-9>$+|!][^\x07\x1b]*\x1b?)?|_(?:G[^\x07\x1b]*\x1b?)?|[\ud800-\udbff])$/y;

/** Splits input into tokens. After `paste_start` the rest is one text token: the caller finds the end of the paste. */
function* tokens(input: string): Generator<Token> {
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
  const report = match(mouse, input, at) ?? match(answer, input, at);
  if (report !== undefined) return {token: {kind: 'report', sequence: report}, length: report.length};
  const sequence = match(csi, input, at) ?? match(ss3, input, at);
  if (sequence !== undefined) return {token: known(sequence), length: sequence.length};
  const alt = match(altKey, input, at);
  if (alt !== undefined) return {token: {kind: 'key', sequence: altSequence(alt)}, length: alt.length};
  return {token: {kind: 'key', sequence: ESCAPE_KEY}, length: 1};
}

function match(pattern: RegExp, input: string, at: number): string | undefined {
  pattern.lastIndex = at;
  return pattern.exec(input)?.[0];
}

/** Returns the keys of an incomplete sequence after which no more input arrived. */
function flushed(sequence: string): readonly string[] {
  if (/^\x1b+$/.test(sequence)) return Array.from(sequence, () => ESCAPE_KEY);
  return /^\x1b[[\]OP_]$/.test(sequence) ? [altSequence(sequence)] : [];
}

/** Alt with a character; the two that start sequences are spelled out, or Ink would wait for more. */
function altSequence(sequence: string): string {
  const character = sequence.slice(1);
  return /^[[O]$/.test(character) ? `\x1b[${character.codePointAt(0)};3u` : sequence;
}

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
