/** What we draw with, and the ASCII character of the same width that stands for it. What an agent writes is not touched. */
const standIns: ReadonlyMap<string, string> = new Map(
  Object.entries({
    '…': '.',
    '·': '-',
    '•': '*',
    '│': '|',
    '⟨': '<',
    '⟩': '>',
    '─': '-',
    '┼': '+',
    '├': '+',
    '┤': '+',
    '┬': '+',
    '┴': '+',
    '↑': '^',
    '↓': 'v',
    '←': '<',
    '→': '>',
    '“': '"',
    '”': '"',
    '‘': "'",
    '’': "'",
    '–': '-',
    '—': '-',
    '×': 'x',
  }),
);

const known = new RegExp(`[${[...standIns.keys()].join('')}]`, 'gu');

/** For terminals that show ASCII only. */
export function toAscii(text: string): string {
  return text.replace(known, (character) => standIns.get(character) ?? '?');
}
