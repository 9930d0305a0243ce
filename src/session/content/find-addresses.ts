/** Maximum number of URLs found in one text. */
const MAX_ADDRESSES = 200;

/** A URL ends at whitespace, a quote, a markup bracket, or an escaped character. */
const ADDRESS = /\bhttps?:\/\/[^\s<>"'`\\^{}|⟨⟩\p{C}\u2400-\u2426]+/giu;

/** Returns the http and https URLs in a text, in order, without surrounding punctuation. */
export function findAddresses(text: string): readonly string[] {
  const found: string[] = [];
  // Fast path: most texts contain none.
  if (!text.includes('://')) return found;
  const addresses = new RegExp(ADDRESS);
  for (
    let match = addresses.exec(text);
    match && found.length < MAX_ADDRESSES;
    match = addresses.exec(text)
  ) {
    const address = withoutPunctuation(match[0]);
    // Another URL may start after a closing bracket.
    addresses.lastIndex = match.index + Math.max(1, address.length);
    if (URL.canParse(address)) found.push(address);
  }
  return found;
}

/** A closing bracket without an opening one in the URL belongs to the text around it, as in Markdown's `[text](url)`. */
function withoutPunctuation(address: string): string {
  let open = 0;
  let end = 0;
  for (; end < address.length; end++) {
    const character = address[end];
    if (character === '(' || character === '[') open++;
    else if (character === ')' || character === ']') open--;
    if (open < 0) break;
  }
  return address.slice(0, end).replace(/[.,;:!?*_~]+$/, '');
}
