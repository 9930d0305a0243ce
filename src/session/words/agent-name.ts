/** Letters of other scripts, and signs, that look like those of our name. */
const LOOKALIKES: Readonly<Record<string, string>> = {
  '\u0430': 'a',
  '\u0251': 'a',
  '\u03b1': 'a',
  '\u0441': 'c',
  '\u03f2': 'c',
  '\u0440': 'p',
  '\u03c1': 'p',
  '\u0442': 't',
  '\u03c4': 't',
  '\u03c5': 'u',
  '\u057d': 'u',
  '\u0456': 'i',
  '\u03b9': 'i',
  '\u0131': 'i',
  l: 'i',
  '1': 'i',
  '|': 'i',
};

/** An agent's name as it is shown: one that reads like ours says whose it is. */
export function shownAgentName(name: string): string {
  return readsLikeOurs(name) ? `${name} (an agent of this name)` : name;
}

function readsLikeOurs(name: string): boolean {
  const letters = Array.from(name.normalize('NFKD').toLowerCase(), (letter) => LOOKALIKES[letter] ?? letter);
  return letters.join('').replace(/[^a-z]/g, '') === 'acptui';
}
