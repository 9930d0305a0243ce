import type {SessionDocument} from '../document.ts';
import {withoutPauses} from '../pace.ts';
import {factRows} from '../words.ts';
import {entryHtml} from './entries.ts';
import {markup} from './markup.ts';
import {STYLE} from './style.ts';

/** Nothing is loaded from anywhere, nothing runs, and nothing is sent: also if something foreign got into the page. */
const POLICY =
  "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'";

/** A session as one page that needs nothing else: no scripts, no files, no network. */
export async function writeHtml(document: SessionDocument, pace = withoutPauses): Promise<string> {
  const {facts, entries} = document;
  const pieces: string[] = [];
  for (const [index, entry] of entries.entries()) {
    const article = await entryHtml(entry, {document, next: entries[index + 1]});
    pieces.push(article.markup);
    await pace();
  }
  const rows = factRows(document).map(([name, value]) => markup`<dt>${name}</dt><dd>${value}</dd>\n`);
  const head = markup`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${POLICY}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<meta name="generator" content="acp-tui">
<title>${facts.title}</title>
<style>${{markup: STYLE}}</style>
</head>
<body>
<header>
<h1>${facts.title}</h1>
<dl>
${rows}</dl>
</header>
<main>
`;
  return [head.markup, ...pieces, '</main>\n</body>\n</html>\n'].join('');
}
