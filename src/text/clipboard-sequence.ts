/** What terminals take at once: most give up somewhere above this many bytes of base64. */
const LONGEST = 74_994;

/** The sequence (OSC 52) that puts text into the clipboard of the terminal, also over SSH; undefined for what is too long for it. */
export function clipboardSequence(text: string): string | undefined {
  const base64 = Buffer.from(text, 'utf8').toString('base64');
  return base64.length > LONGEST ? undefined : `\x1b]52;c;${base64}\x07`;
}
