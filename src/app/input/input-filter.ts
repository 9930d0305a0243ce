import {
  isOnlySent,
  isRest,
  keysOf,
  mayBeAnswer,
  PASTE_END,
  PASTE_START,
  type Token,
  tokens,
} from './sequences.ts';

/**
 * How long input must pause before held-back input is interpreted as it is, in milliseconds. `sent` is for what only terminals send, and a slow link may
 * delay in the middle, and for the rest of what was taken for Escape, Alt+[ or another such key.
 */
const QUIET = {escape: 25, sequence: 100, burst: 12, paste: 1000, sent: 5000} as const;

/** A start of a sequence longer than this is not kept, but its end is still waited for. */
const MAX_HELD = 4096;

/** As a byte, and in the kitty protocol. */
const ctrlC = /^(?:\x03|\x1b\[99;5u)$/;

/**
 * Filters terminal input for Ink, which reads `hello` + Enter in one read as text, waits forever for the end of a paste, and passes on parts of terminals'
 * answers as typed text. Pure: the caller owns the stream and the timer (`createInput` in components/start.tsx).
 *
 * - Text followed by a line end is typed text, then Enter. It is held briefly: if more follows, it was a paste.
 * - A line end followed by text is a paste, even without brackets; so it never submits.
 * - A bracketed paste is emitted as a whole, however it was split; if it stalls without its end, what has arrived is emitted, and what follows still belongs
 *   to it for some seconds.
 * - The start of a sequence that only terminals send is never typed: its end is waited for, and then it is dropped. What a finger types as well (Escape, Alt+[,
 *   and a digit after it) is a key or text after a moment; what then arrives at once and can only be the rest of a sequence is not typed either.
 *
 * `onReport` is called with reports of the terminal (answers to queries, focus, mouse), which never reach Ink.
 */
export function createInputFilter(options: {onReport?: (sequence: string) => void} = {}) {
  const decoder = new TextDecoder('utf-8', {ignoreBOM: true});
  const burst = createBurst();
  const held = createHeld();
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
        held.hold(token.sequence);
        return burst.take();
    }
  }

  function takePaste(collector: PasteCollector, text: string): readonly string[] {
    const rest = collector.add(text);
    if (rest === undefined) return [];
    paste = undefined;
    return [...released(collector), ...take(rest)];
  }

  function flush(): readonly string[] {
    const keys = [...burst.take(), ...held.release()];
    if (paste === undefined) return keys;
    const isOver = paste.isStalled();
    const pasted = isOver ? [] : released(paste);
    if (isOver) paste = undefined;
    return [...keys, ...pasted];
  }

  return {
    /**
     * Takes input from the terminal, split anywhere, and returns strings for Ink, each of which must reach it as a separate read: one key, text without control
     * characters, or one bracketed paste.
     */
    push(chunk: string | Uint8Array) {
      const text = typeof chunk === 'string' ? chunk : decoder.decode(chunk, {stream: true});
      if (paste && !paste.isEndedBy(text)) return takePaste(paste, text);
      const pasted = paste ? flush() : [];
      paste = undefined;
      if (text === '\r' && held.isEmpty() && !burst.isLong()) return [...pasted, ...burst.take(), text];
      return [...pasted, ...take(held.continue(text))];
    },
    /** Milliseconds after the last `push` or `flush` at which `flush` is due; undefined if nothing is held back. */
    flushDelay() {
      if (paste) return paste.isStalled() ? QUIET.sent : QUIET.paste;
      return burst.isOpen() ? QUIET.burst : held.delay();
    },
    /** Returns the held-back input, since no more of it has arrived. */
    flush,
  };
}

/** Holds the start of a sequence, or of a surrogate pair, until more arrives; see `createInputFilter` for the rules. */
function createHeld() {
  let start = '';
  /** What was held until it was taken for a key or given up, as long as the rest of a sequence may follow. */
  let late = '';
  /** What was typed after it, or arrived like that. */
  let typed = '';
  return {
    hold(sequence: string) {
      start = bounded(sequence);
      late = typed = '';
    },
    isEmpty: () => start === '' && late === '',
    /** Returns the input with the start that it continues. */
    continue(input: string) {
      const isLate = late !== '' && isRest(late, typed, input);
      const whole = (isLate ? late + typed : start) + input;
      typed += input;
      if (isLate || !mayBeAnswer(late + typed)) late = typed = '';
      start = '';
      return whole;
    },
    /** Returns the keys it is, since nothing has followed. */
    release() {
      const keys = keysOf(start);
      late = isOnlySent(start) ? start : (/\x1b[[\]PX^_]?$/.exec(start)?.[0] ?? '');
      typed = '';
      start = '';
      return keys;
    },
    /** Milliseconds until `release` is due; undefined if nothing is held. */
    delay() {
      if (late !== '') return QUIET.sent;
      if (start === '') return undefined;
      if (isOnlySent(start)) return QUIET.sent;
      return /^\x1b+$/.test(start) ? QUIET.escape : QUIET.sequence;
    },
  };
}

/** Returns a start of a sequence to hold; in place of a long one, another of its kind that nothing reads. */
function bounded(start: string): string {
  if (start.length <= MAX_HELD) return start;
  return start.startsWith('\x1b[') ? '\x1b[?' : `\x1b_G${start.endsWith('\x1b') ? '\x1b' : ''}`;
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

/** Returns what has arrived of a paste since the last time. */
function released(collector: PasteCollector): readonly string[] {
  const text = collector.release();
  return text === undefined ? [] : [bracketed(text)];
}

/** Returns the text as a bracketed paste. */
function bracketed(text: string): string {
  return PASTE_START + text + PASTE_END;
}

type PasteCollector = ReturnType<typeof createPasteCollector>;

/** Collects a paste whose end marker may be split anywhere, in linear time. */
function createPasteCollector() {
  let pieces: string[] = [];
  /** Possibly the start of the end marker. */
  let tail = '';
  let isStalled = false;
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
    /** True if the input is a key: Ctrl+C must work while waiting for the end, and what starts as a key once nothing has arrived for long. */
    isEndedBy: (input: string) =>
      ctrlC.test(input) ||
      (isStalled &&
        tail === '' &&
        input.startsWith('\x1b') &&
        !PASTE_END.startsWith(input.slice(0, PASTE_END.length))),
    /** Returns what has arrived since the last time; undefined if that was all. */
    release() {
      const text = pieces.join('');
      const isFirst = !isStalled;
      pieces = [];
      isStalled = true;
      return text === '' && !isFirst ? undefined : text;
    },
    isStalled: () => isStalled && pieces.length === 0,
  };
}
