/** The original of a visible text; written independently of the program. */
export function readExactly(shown: string): string {
  return shown.replace(/[\u2400-\u2426]|⟨U\+([0-9A-F]+)⟩/g, (escape, code?: string) => {
    if (code !== undefined) return String.fromCodePoint(Number.parseInt(code, 16));
    return escape === '\u2421' ? '\x7f' : String.fromCharCode(escape.charCodeAt(0) - 0x2400);
  });
}
