/** Words as they would be typed into a shell. */
export function quoteWords(words: readonly string[]): string {
  return words.map(quoteWord).join(' ');
}

/** A word as it would be typed into a shell, in single quotes where it needs any. */
export function quoteWord(word: string): string {
  return /^[^\s'"\\|&;<>()$`*?[\]{}!#~]+$/.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`;
}
