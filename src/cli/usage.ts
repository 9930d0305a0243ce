/** An error in the command line, for standard error. */
interface UsageError {
  readonly kind: 'message';
  readonly text: string;
  readonly exitCode: 2;
}

/** Returns an error of one sentence and a reference to the help. */
export function usageError(text: string, help = 'acp-tui --help'): UsageError {
  return {kind: 'message', text: `acp-tui: ${text} See ${help}.\n`, exitCode: 2};
}

/** "error: unknown option '--x'\n(Did you mean --y?)" → "Unknown option '--x'. (Did you mean --y?)" */
export function usageSentence(message: string): string {
  const [first = '', ...rest] = message.replace(/^error: /, '').split('\n');
  const whole = first.endsWith('.') ? first : `${first}.`;
  return [whole.charAt(0).toUpperCase() + whole.slice(1), ...rest].join(' ');
}
