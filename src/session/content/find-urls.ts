/** Maximum number of URLs found in one text. */
const MAX_URLS = 200;

const URL_START = /\bhttps?:\/\//giu;
/** Whitespace, a quote, a markup bracket, or an escaped character. */
const URL_END = /[\s<>"'`\\^{}|⟨⟩\p{C}\u2400-\u2426]|$/gu;

/** Returns the http and https URLs in a text, in order, without surrounding punctuation. */
export function findUrls(text: string): readonly string[] {
  const found: string[] = [];
  // Fast path: most texts contain none.
  if (!text.includes('://')) return found;
  const [starts, ends] = [new RegExp(URL_START), new RegExp(URL_END)];
  let end = 0;
  for (let match = starts.exec(text); match && found.length < MAX_URLS; match = starts.exec(text)) {
    const {index} = match;
    if (index >= end) {
      ends.lastIndex = index;
      end = ends.exec(text)?.index ?? text.length;
    }
    const url = withoutPunctuation(text.slice(index, end));
    // Another URL may start after a closing bracket.
    starts.lastIndex = index + Math.max(1, url.length);
    if (URL.canParse(url)) found.push(url);
  }
  return found;
}

/** A closing bracket without an opening one in the URL belongs to the text around it, as in Markdown's `[text](url)`. */
function withoutPunctuation(url: string): string {
  let open = 0;
  let end = 0;
  for (; end < url.length; end++) {
    const character = url[end];
    if (character === '(' || character === '[') open++;
    else if (character === ')' || character === ']') open--;
    if (open < 0) break;
  }
  return url.slice(0, end).replace(/(?<![.,;:!?*_~])[.,;:!?*_~]+$/, '');
}
