import {contentItems, type ContentItem} from '../../src/session/content/content-items.ts';
import {findUrls} from '../../src/session/content/find-urls.ts';
import type {SessionState} from '../../src/session/state.ts';
import {STYLE_AT, stripStyles} from '../../src/text/ansi.ts';
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

/** Returns the target of the terminal hyperlink at a column. */
function hyperlinkAt(row: string, column: number): string | undefined {
  let target = '';
  let used = 0;
  for (let at = 0; at < row.length;) {
    STYLE_AT.lastIndex = at;
    const [sequence, attributes, opened = ''] = row[at] === '\x1b' ? (STYLE_AT.exec(row) ?? []) : [];
    if (sequence !== undefined) {
      if (attributes === undefined) target = opened;
      at += sequence.length;
      continue;
    }
    const next = row.indexOf('\x1b', at + 1);
    const end = next === -1 ? row.length : next;
    used += width(row.slice(at, end));
    if (used > column) return target === '' ? undefined : target;
    at = end;
  }
  return undefined;
}

/** Returns the URL at a column of a text without styles. */
function urlAt(text: string, column: number): string | undefined {
  let from = 0;
  for (const url of findUrls(text)) {
    const at = text.indexOf(url, from);
    from = at + url.length;
    const start = width(text.slice(0, at));
    if (column >= start && column < start + width(url)) return url;
  }
  return undefined;
}
