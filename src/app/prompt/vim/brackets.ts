const pairs: Readonly<Record<string, string>> = {'(': ')', '[': ']', '{': '}', '<': '>'};

export interface Enclosed {
  /** Where the opening and the closing one stand. */
  readonly open: number;
  readonly close: number;
}

/** The innermost pair of brackets around a place, or at it. */
export function enclosing(text: string, at: number, opening: string): Enclosed | undefined {
  const closing = pairs[opening];
  if (closing === undefined) return undefined;
  let depth = 0;
  for (let open = at; open >= 0; open--) {
    if (text[open] === closing && open !== at) depth++;
    if (text[open] !== opening || depth-- > 0) continue;
    const close = closingOf(text, open);
    return close === undefined ? undefined : {open, close};
  }
  return undefined;
}

/** The other one of the first bracket at or behind a place in its line. */
export function matchingBracket(text: string, from: number): number | undefined {
  for (let at = from; at < text.length && text[at] !== '\n'; at++) {
    const character = text[at] ?? '';
    if (character in pairs && character !== '<') return closingOf(text, at);
    const opening = Object.keys(pairs).find((open) => open !== '<' && pairs[open] === character);
    if (opening !== undefined) return enclosing(text, at, opening)?.open;
  }
  return undefined;
}

function closingOf(text: string, open: number): number | undefined {
  const opening = text[open] ?? '';
  const closing = pairs[opening];
  let depth = 0;
  for (let at = open; at < text.length; at++) {
    if (text[at] === opening) depth++;
    if (text[at] === closing && --depth === 0) return at;
  }
  return undefined;
}
