/** Returns an error in the command line, for standard error: one sentence and a reference to the help. */
export function usageError(text: string, help = 'acp-tui --help') {
  return {kind: 'message', text: `acp-tui: ${text} See ${help}.\n`, exitCode: 2} as const;
}

/** "error: unknown option '--x'\n(Did you mean --y?)" → "Unknown option '--x'. (Did you mean --y?)" */
export function usageSentence(message: string): string {
  const [first = '', ...rest] = message.replace(/^error: /, '').split('\n');
  const whole = first.endsWith('.') ? first : `${first}.`;
  return [whole.charAt(0).toUpperCase() + whole.slice(1), ...rest].join(' ');
}
