/** Ends of questions: `Name:`, `Continue?`, `>`, `(y/N)`, `[Y/n]`; not the arrows of progress bars. */
const QUESTION = /(?:[?:❯»$]|(?<![=-])>|[([](?:y|yes|n|no)\b[^)\]]*[)\]])\s*$/i;

const LONGEST = 200;

/** Whether what stands before the cursor looks as if somebody were to type behind it. */
export function looksLikeQuestion(beforeCursor: string): boolean {
  return beforeCursor.length <= LONGEST && QUESTION.test(beforeCursor);
}
