/** More addresses than these are not taken out of one text. */
const MAX_ADDRESSES = 200;

/** A URL ends at whitespace, a quote, a markup bracket, or an escaped character. */
const ADDRESS = /\bhttps?:\/\/[^\s<>"'`\\^{}|⟨⟩\p{C}\u2400-\u2426]+/giu;

/** Returns the http and https addresses in a text, in their order, without the punctuation of the sentence around them. */
export function findAddresses(text: string): readonly string[] {
  const found: string[] = [];
  // Most texts are long and have none.
  if (!text.includes('://')) return found;
  const addresses = new RegExp(ADDRESS);
  for (
    let match = addresses.exec(text);
    match && found.length < MAX_ADDRESSES;
    match = addresses.exec(text)
  ) {
    const address = withoutPunctuation(match[0]);
    // What follows a closed bracket may be the next address.
    addresses.lastIndex = match.index + Math.max(1, address.length);
    if (URL.canParse(address)) found.push(address);
  }
  return found;
}

/** A bracket that was not opened within the address closes one around it, as in markdown's `[text](address)`. */
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
