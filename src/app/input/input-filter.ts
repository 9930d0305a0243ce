import {flushed, tokens, type Token, PASTE_END, PASTE_START} from './tokenizer.ts';

/** How long input must pause before held-back input is interpreted as it is, in milliseconds. */
const QUIET = {escape: 25, sequence: 100, burst: 12, paste: 1000} as const;

/** As a byte, and in the kitty protocol. */
const ctrlC = /^(?:\x03|\x1b\[99;5u)$/;

interface InputFilter {
  /**
   * Takes input from the terminal, split anywhere, and returns strings for Ink, each of which must reach it as a separate read: one key, text without control
   * characters, or one bracketed paste.
   */
  push(chunk: string | Uint8Array): readonly string[];
  /** Milliseconds after the last `push` at which `flush` is due; undefined if nothing is held back. */
  flushDelay(): number | undefined;
  /** Returns the held-back input, since no more of it has arrived. */
  flush(): readonly string[];
}

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
export function createInputFilter(options: {onReport?: (sequence: string) => void} = {}): InputFilter {
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
        return paste ? takePaste(paste, token.text) : burst.add(token.text, isLast ? 'may_go_on' : 'ended');
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
    push(chunk) {
      const text = typeof chunk === 'string' ? chunk : decoder.decode(chunk, {stream: true});
      // Ctrl+C must work while waiting for the end of a paste.
      if (paste && ctrlC.test(text)) return [...flush(), text];
      if (paste) return takePaste(paste, text);
      if (text === '\r' && held === '' && !burst.isLong()) return [...burst.take(), text];
      const input = held + text;
      held = '';
      return take(input);
    },
    flushDelay() {
      if (paste) return QUIET.paste;
      if (burst.isOpen()) return QUIET.burst;
      if (held === '') return undefined;
      return /^\x1b+$/.test(held) ? QUIET.escape : QUIET.sequence;
    },
    flush,
  };
}

/** A burst of this length was probably split by a read buffer, so that a line end after it still belongs to it. */
const LONG_BURST = 1000;

/** Distinguishes typed text and Enter from unbracketed pastes; see `createInputFilter` for the rules. */
interface Burst {
  /** Adds text without control characters other than tabs and line ends. Returns what is certain already. */
  add(text: string, end: 'may_go_on' | 'ended'): readonly string[];
  /** Returns the held-back text: nothing more belongs to it. */
  take(): readonly string[];
  isOpen(): boolean;
  isLong(): boolean;
}

function createBurst(): Burst {
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
    add(text, end) {
      const certain = held === '' ? start(text) : resume(text);
      return end === 'ended' ? [...certain, ...take()] : certain;
    },
    take,
    isOpen: () => held !== '',
    isLong: () => held.length >= LONG_BURST,
  };
}

/** Returns the text as a bracketed paste. */
function bracketed(text: string): string {
  return PASTE_START + text + PASTE_END;
}

interface PasteCollector {
  /** Adds a piece; returns the text after the paste's end once that has arrived. */
  add(text: string): string | undefined;
  /** Returns the text so far. */
  text(): string;
}

/** Collects a paste whose end marker may be split anywhere, in linear time. */
function createPasteCollector(): PasteCollector {
  const pieces: string[] = [];
  /** Possibly the start of the end marker. */
  let tail = '';
  return {
    add(text) {
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
    text: () => pieces.join('') + tail,
  };
}
