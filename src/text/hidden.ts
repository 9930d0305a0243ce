import {TAGGED_FLAGS, UNSURE_MARKS} from './sanitize.ts';

/**
 * The exact reading of a text, for everything that is approved or recorded: nothing is removed, and two different texts never look the same. Invisible or
 * deceptive characters are escaped: controls as their pictures (`␛`), all others as `⟨U+200B⟩`; a literal picture or escape is escaped itself.
 */

/** Arabic format characters that are visible. */
const SEEN_FORMATS = String.raw`\u0600-\u0605\u06dd\u070f\u0890\u0891\u08e2\u{110bd}\u{110cd}`;

/** Blanks that Unicode classifies as letters and symbols. */
const BLANKS = String.raw`\u2800\u{1d159}\u{13441}\u{13442}`;

const TO_ESCAPE = new RegExp(
  [
    ...TAGGED_FLAGS,
    String.raw`[[\p{C}\p{Zl}\p{Zp}\p{Zs}\p{Default_Ignorable_Code_Point}${BLANKS}]--[\n\t ${SEEN_FORMATS}]]`,
    // The characters of escapes.
    String.raw`[\u2400-\u2426]|\u27e8(?=U\+)`,
    UNSURE_MARKS,
    // A combining mark without a base, or after so many others that no terminal draws it.
    String.raw`(?<![\p{L}\p{M}\p{N}\p{P}\p{S}])\p{M}|(?<=\p{M}{8})\p{M}`,
  ].join('|'),
  'gv',
);

/** An escape in an exact reading. */
const ESCAPES = /[\u2400-\u2421]|⟨U\+([0-9A-F]{4,6})⟩/g;
const ESCAPE = new RegExp(ESCAPES.source);

const PLAIN = /^[\n\t -~]*$/;

/**
 * Returns the exact reading of a text. Keeps line feeds and tabs, and joiners and variation selectors where a script or an emoji needs them. Linear time; must
 * be applied once, since escapes are escaped.
 */
export function escapeHidden(text: string): string {
  if (PLAIN.test(text)) return text;
  return text.replace(TO_ESCAPE, (found, at: number) =>
    TAGGED_FLAGS.includes(found) || isNeeded(found, text, at) ? found : escapeOf(found),
  );
}

/** `escapeHidden` for the text of a file: keeps line endings, so that changes of them are visible. */
export function escapeHiddenFile(text: string): string {
  return text.split('\r\n').map(escapeHidden).join('\r\n');
}

/** `escapeHidden` in one line: escapes line feeds and tabs, too. */
export function escapeHiddenLine(text: string): string {
  return onOneLine(escapeHidden(text));
}

/** Returns an exact reading in one line. */
export function onOneLine(exact: string): string {
  return exact.replace(/[\n\t]/g, escapeOf);
}

/** Returns the original text of an exact reading. */
export function unescapeHidden(exact: string): string {
  if (!hasHidden(exact)) return exact;
  return exact.replace(ESCAPES, (escape, code?: string) => {
    if (code !== undefined) return characterOf(Number.parseInt(code, 16)) ?? escape;
    return escape === '\u2421' ? '\x7f' : String.fromCodePoint(escape.charCodeAt(0) - 0x2400);
  });
}

/** Returns the exact reading of a text that already contains exact readings: acp-tui's own sentences with quoted text, and stored text. Idempotent. */
export function escapeHiddenOnce(text: string): string {
  return escapeHidden(unescapeHidden(text));
}

/** True if an exact reading has escapes, i.e. the text has invisible characters. */
export function hasHidden(exact: string): boolean {
  return ESCAPE.test(exact);
}

/** Styles the escapes in an exact reading. */
export function markHidden(exact: string, style: (escape: string) => string): string {
  return exact.replace(ESCAPES, (escape) => style(escape));
}

function escapeOf(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  if (code < 0x20) return String.fromCodePoint(0x2400 + code);
  if (code === 0x7f) return '\u2421';
  return `⟨U+${code.toString(16).toUpperCase().padStart(4, '0')}⟩`;
}

function characterOf(code: number): string | undefined {
  return code <= 0x10ffff ? String.fromCodePoint(code) : undefined;
}

/** The allowed context of a character, by character. */
const NEEDED: Readonly<Record<string, readonly [before: RegExp, after: RegExp][]>> = {
  // ZWJ: between emoji, and where it keeps a half form behind or before a virama.
  '\u200d': [
    [
      /\p{Extended_Pictographic}[\ufe0f\p{Emoji_Modifier}]?$/u,
      /^\p{Extended_Pictographic}|^[\u2640\u2642\u2695]/u,
    ],
    [/[\u094d\u09cd\u0a4d\u0acd\u0b4d\u0bcd\u0c4d\u0ccd\u0d4d\u0dca]$/u, /^(?!\p{M})/u],
    [/[\u09b0\u0dbb]$/u, /^[\u09cd\u0dca]/u],
  ],
  // ZWNJ: where letters would join (UAX 31, rules A1 and A2).
  '\u200c': [
    [
      /[[\p{Script=Arabic}&&\p{L}]--[\u0621-\u0625\u0627\u0629\u062f-\u0632\u0648\u0671-\u0673\u0675-\u0677\u0688-\u0699\u06c0\u06c3-\u06cb\u06cd\u06cf\u06d2\u06d3\u06d5\u06ee\u06ef]]\p{M}{0,8}$/v,
      /^\p{M}{0,8}[\p{Script=Arabic}&&\p{L}]/v,
    ],
    [/[\u094d\u09cd\u0a4d\u0acd\u0b4d\u0bcd\u0c4d\u0ccd\u0d4d\u0dca]$/u, /^\p{L}/u],
  ],
  '\ufe0e': [[/\p{Extended_Pictographic}$/u, /^/]],
  '\ufe0f': [
    [/\p{Extended_Pictographic}$/u, /^/],
    [/[#*0-9]$/, /^\u20e3/],
  ],
};

const IDEOGRAPH = /\p{Unified_Ideograph}$/u;
const IDEOGRAPHIC_VARIATION = /^[\u{e0100}-\u{e01ef}\ufe00-\ufe02]$/u;
const EAST_ASIAN =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Bopomofo}\u3001-\u303f\uff01-\uff60]/u;

/** Context that a rule examines, in UTF-16 units. */
const CONTEXT = 24;

function isNeeded(character: string, text: string, at: number): boolean {
  const before = text.slice(Math.max(0, at - CONTEXT), at);
  const end = at + character.length;
  const after = text.slice(end, end + CONTEXT);
  if (IDEOGRAPHIC_VARIATION.test(character)) return IDEOGRAPH.test(before);
  // The full-width space, among full-width letters.
  if (character === '\u3000') return EAST_ASIAN.test(before.slice(-1)) && EAST_ASIAN.test(after.slice(0, 1));
  return (NEEDED[character] ?? []).some(([ahead, behind]) => ahead.test(before) && behind.test(after));
}
