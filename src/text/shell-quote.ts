/** Matches a word that a shell would take for a variable assignment. */
const ASSIGNMENT = /^[A-Za-z_]\w*\+?=/;

/** A program with its arguments as they would be typed into a shell. */
export function quoteCommand(program: string, args: readonly string[]): string {
  return [ASSIGNMENT.test(program) ? inQuotes(program) : quoteWord(program), ...args.map(quoteWord)].join(
    ' ',
  );
}

/** Words as they would be typed into a shell. */
export function quoteWords(words: readonly string[]): string {
  return words.map(quoteWord).join(' ');
}

/** No character means anything to a shell. */
const PLAIN = /^[^\s'"\\|&;<>()$`*?[\]{}!#~]+$/;

/** Returns a word as typed into a shell, in single quotes if needed. */
export function quoteWord(word: string): string {
  return PLAIN.test(word) ? word : inQuotes(word);
}

/** A word in single quotes, as POSIX shells take it. */
export function inQuotes(word: string): string {
  return `'${word.replaceAll("'", String.raw`'\''`)}'`;
}
