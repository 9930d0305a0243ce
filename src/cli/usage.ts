/** Returns an error in the command line, for standard error: one sentence and a reference to the help. */
export function usageError(text: string, help = 'acp-tui --help') {
  return {kind: 'message', text: `acp-tui: ${text} See ${help}.\n`, exitCode: 2} as const;
}

const LEVEL = '--approve, with a level (acp-tui help permissions)';
const ALLOW = '--allow, with a rule (acp-tui help permissions)';
const DENY = '--deny, with a rule (acp-tui help permissions)';

/** What options of other programs are called here. */
const CALLED_HERE: Readonly<Record<string, string>> = {
  '--yolo': '--approve all',
  '--dangerously-skip-permissions': '--approve all',
  '--dangerously-bypass-approvals-and-sandbox': '--approve all',
  '--allow-all-tools': '--approve all',
  '--approve-all': '--approve all',
  '--approve-reads': '--approve reads',
  '--permission-mode': LEVEL,
  '--approval-mode': LEVEL,
  '--ask-for-approval': LEVEL,
  '--allowedTools': ALLOW,
  '--allowed-tools': ALLOW,
  '--allow-tool': ALLOW,
  '--disallowedTools': DENY,
  '--disallowed-tools': DENY,
  '--deny-tool': DENY,
  '--max-budget-usd': '--max-cost',
};

/** "error: unknown option '--x'\n(Did you mean --y?)" → "Unknown option '--x'. (Did you mean --y?)"; for an option of another program, what it is called here. */
export function usageSentence(message: string): string {
  const [first = '', ...rest] = message.replace(/^error: /, '').split('\n');
  const whole = first.endsWith('.') ? first : `${first}.`;
  const [, unknown = ''] = /unknown option '(--[\w-]+)/.exec(first) ?? [];
  const here = CALLED_HERE[unknown];
  const hints = here === undefined ? rest : [`Here it is ${here}.`];
  return [whole.charAt(0).toUpperCase() + whole.slice(1), ...hints].join(' ');
}
