/** What a session or subagent does, in the words of lists, cards, titles and the status line. */
const WORDS = {
  starting: 'starting',
  working: 'working',
  waiting: 'needs you',
  idle: 'idle',
  /** Open in a window, and idle. */
  open: 'idle',
  ended: 'ended',
  interrupted: 'interrupted',
  /** Neither open nor interrupted: the usual state needs no word. */
  closed: '',
  stored: '',
} as const;

type ListedState = keyof typeof WORDS;

export function stateWord(state: ListedState): string {
  return WORDS[state];
}
