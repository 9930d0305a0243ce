/**
 * Complete control sequences, in their 7-bit (ESC) and 8-bit (C1) forms. The payload of OSC, DCS, SOS, PM and APC stops
 * at the next control character, so that text behind a sequence that never ends is kept, and no input costs more than
 * linear time.
 */
const SEQUENCES = new RegExp(
  [
    // CSI: parameters, intermediates, final byte
    String.raw`(?:\x1b\[|\x9b)[0-?]*[ -/]*[@-~]`,
    // OSC, ended by BEL or ST
    String.raw`(?:\x1b\]|\x9d)[^\x00-\x1f\x7f-\x9f]*(?:\x07|\x1b\\|\x9c)`,
    // DCS, SOS, PM, APC, ended by ST; pictures contain line breaks
    String.raw`(?:\x1b[PX^_]|[\x90\x98\x9e\x9f])[^\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]*(?:\x1b\\|\x9c)`,
    // all other escape sequences: character sets, keypad modes, reset
    String.raw`\x1b(?![[\]PX^_])[ -/]*[0-~]`,
  ].join('|'),
  'g',
);

/**
 * What is not seen but changes what is seen: bidirectional controls, zero-width spaces, fillers, tags, lone surrogates.
 * Joiners, variation selectors and combining marks belong to scripts and emoji, and stay. And what Unicode has not given out yet
 * among the scripts: terminals do not agree on how wide it is, so that one such character can break a line in two.
 */
const INVISIBLE =
  /[[\p{Default_Ignorable_Code_Point}\p{Surrogate}\u2028\u2029\ufff9-\ufffb[\p{Unassigned}&&[\u0000-\uffff]]]--[\p{Join_Control}\p{Nonspacing_Mark}]]/v;

/** The three flags that are written with tags (England, Scotland, Wales); any other tag is a hidden message. */
const TAGGED_FLAGS = ['gbeng', 'gbsct', 'gbwls'].map(flagOf);

const CONTROLS = String.raw`[\x00-\x08\x0b-\x1f\x7f-\x9f]`;
const HOSTILE = new RegExp(`${CONTROLS}|${INVISIBLE.source}`, 'v');
const TO_REPLACE = new RegExp(`${TAGGED_FLAGS.join('|')}|${CONTROLS}|${INVISIBLE.source}`, 'gv');

/** The text without control sequences; everything else stays. */
export function stripSequences(text: string): string {
  return text.replace(SEQUENCES, '');
}

/** Colours and styles have no payload: what is left of a coloured text is the text. */
const STYLE = /^(?:\x1b\[|\x9b)[\d;:]*m$/;

/**
 * Prose that cannot control a terminal; what is approved or recorded goes through `escapeHidden` instead. Keeps line feeds
 * and tabs; removes colours and shows every other complete control sequence as one `␛`, other control characters as
 * pictures (U+2400…) and deceiving invisible characters as U+FFFD. A carriage return becomes a line feed. Returns the same
 * string when there is nothing to do; idempotent.
 */
export function sanitize(text: string): string {
  if (!HOSTILE.test(text)) return text;
  return text
    .replace(SEQUENCES, (sequence) => (STYLE.test(sequence) ? '' : '␛'))
    .replace(/\r+\n?|[\x85\u2028\u2029]/g, '\n')
    .replace(TO_REPLACE, visible);
}

/** `sanitize`, on one line: for titles, names, labels and paths. Line breaks show as U+2424. */
export function sanitizeLine(text: string): string {
  const lines = sanitize(text)
    .split('\n')
    .map((line) => line.trim());
  return lines
    .filter((line) => line !== '')
    .join(' \u2424 ')
    .replaceAll('\t', ' ');
}

function visible(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  if (code < 0x20) return String.fromCodePoint(0x2400 + code);
  if (code === 0x7f) return '\u2421';
  // C1 has no pictures of its own.
  if (code < 0xa0) return '\u2426';
  return TAGGED_FLAGS.includes(character) ? character : '\ufffd';
}

function flagOf(region: string): string {
  const tags = Array.from(region, (letter) => String.fromCodePoint(0xe0000 + (letter.codePointAt(0) ?? 0)));
  return `\u{1f3f4}${tags.join('')}\u{e007f}`;
}
