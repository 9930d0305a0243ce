import {contentItems, type ContentItem} from '../../src/session/content/content-items.ts';
import {findUrls} from '../../src/session/content/find-urls.ts';
import type {SessionState} from '../../src/session/state.ts';
import {stripStyles} from '../../src/text/ansi.ts';
import {width} from '../../src/text/width.ts';

/** Returns the http or https link drawn at a column of a row, for `open_content`; undefined if there is none. */
export function linkAt(row: string, column: number, session: SessionState): ContentItem | undefined {
  const target = hyperlinkAt(row, column);
  if (target !== undefined) return linkTo(target);
  const text = stripStyles(row).trimEnd();
  const found = urlAt(text, column);
  if (found === undefined || !text.endsWith(found)) return found === undefined ? undefined : linkTo(found);
  // It may continue in the next row.
  const links = contentItems(session).filter(({kind}) => kind === 'link');
  return links.find(({target: whole = ''}) => whole.startsWith(found)) ?? linkTo(found);
}

function linkTo(target: string): ContentItem | undefined {
  const href = URL.parse(target)?.href;
  if (href === undefined || !/^https?:/.test(href)) return undefined;
  const facts = {mimeType: undefined, bytes: undefined, isOwn: false};
  return {...facts, id: `link ${target}`, kind: 'link', name: href, target};
}

/** A link of the terminal: its target, and its text. */
const HYPERLINK = /\x1b\]8;[^;]*;([^\x07\x1b]+)(?:\x07|\x1b\\)(.*?)(?=\x1b\]8;)/g;

/** Returns the target of the terminal hyperlink at a column. */
function hyperlinkAt(row: string, column: number): string | undefined {
  for (const {index, 1: target, 2: text = ''} of row.matchAll(HYPERLINK))
    if (covers(stripStyles(row.slice(0, index)), stripStyles(text), column)) return target;
  return undefined;
}

/** True if a text is at a column, behind another text. */
function covers(before: string, text: string, column: number): boolean {
  const start = width(before);
  return column >= start && column < start + width(text);
}

/** Returns the URL at a column of a text without styles. */
function urlAt(text: string, column: number): string | undefined {
  let from = 0;
  for (const url of findUrls(text)) {
    const at = text.indexOf(url, from);
    from = at + url.length;
    if (covers(text.slice(0, at), url, column)) return url;
  }
  return undefined;
}
