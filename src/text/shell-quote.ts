/** Matches a word that a shell would parse as a variable assignment. */
const ASSIGNMENT = /^[A-Za-z_]\w*\+?=/;

/** Returns a program with its arguments as typed into a shell. */
export function quoteCommand(program: string, args: readonly string[]): string {
  return [ASSIGNMENT.test(program) ? inQuotes(program) : quoteWord(program), ...args.map(quoteWord)].join(
    ' ',
  );
}

/** Returns words as typed into a shell. */
export function quoteWords(words: readonly string[]): string {
  return words.map(quoteWord).join(' ');
}

/** Characters without a meaning in a shell. */
const PLAIN = /^[^\s'"\\|&;<>()$`*?[\]{}!#~]+$/;

/** True for a word without any meaning in a shell, inside quotes and outside. */
export function isPlainWord(word: string): boolean {
  return PLAIN.test(word);
}

/** Returns a word as typed into a shell, in single quotes if needed. */
export function quoteWord(word: string): string {
  return isPlainWord(word) ? word : inQuotes(word);
}

/** Returns a word in single quotes, for POSIX shells. */
function inQuotes(word: string): string {
  return `'${word.replaceAll("'", String.raw`'\''`)}'`;
}

/** Returns words for any shell of a user: in fish, a backslash escapes between single quotes, too; outside of quotes it does so in every shell. */
export function quoteForAnyShell(words: readonly string[]): string {
  const quoted = (word: string) => `'${word.replaceAll(/['\\]/g, String.raw`'\$&'`)}'`;
  return words.map((word) => (isPlainWord(word) ? word : quoted(word))).join(' ');
}
