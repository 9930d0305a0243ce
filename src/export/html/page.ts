import type {SessionDocument} from '../document.ts';
import {neverYield} from '../format.ts';
import {factRows} from '../text.ts';
import {entryHtml} from './html-entries.ts';
import {markup} from '../../text/markup.ts';

/** Loads nothing, runs no scripts and sends nothing, even if untrusted markup got into the page. */
const POLICY =
  "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'";

/** Returns a session as a self-contained page: no scripts, no files, no network. */
export async function writeHtml(document: SessionDocument, pace = neverYield): Promise<string> {
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

/** The style sheet, with light and dark colors. */
const STYLE = `
:root {
  color-scheme: light dark;
  --text: #1f2328; --paper: #ffffff; --dim: #656d76; --line: #d0d7de; --card: #f6f8fa;
  --user: #0550ae; --accent: #8250df; --good: #1a7f37; --bad: #cf222e; --warn: #9a6700;
  --added: #dafbe1; --removed: #ffebe9; --added-word: #8ddb9c; --removed-word: #ffb3ad;
  --keyword: #cf222e; --string: #0a3069; --number: #0550ae; --comment: #6e7781; --name: #8250df;
}
@media (prefers-color-scheme: dark) {
  :root {
    --text: #d8dee9; --paper: #14171d; --dim: #8b949e; --line: #30363d; --card: #1b1f27;
    --user: #79c0ff; --accent: #d2a8ff; --good: #56d364; --bad: #ff7b72; --warn: #e3b341;
    --added: #12301c; --removed: #3a1618; --added-word: #2a6b3b; --removed-word: #8c2f33;
    --keyword: #ff7b72; --string: #a5d6ff; --number: #79c0ff; --comment: #8b949e; --name: #d2a8ff;
  }
}
* { box-sizing: border-box; }
body { margin: 0 auto; padding: 1.5rem 1rem 4rem; max-width: 60rem; background: var(--paper); color: var(--text);
  font: 1rem/1.55 system-ui, sans-serif; overflow-wrap: anywhere; }
h1 { font-size: 1.4rem; margin: 0 0 .5rem; }
header { border-bottom: 1px solid var(--line); margin-bottom: 1.5rem; padding-bottom: 1rem; }
dl { display: grid; grid-template-columns: max-content 1fr; gap: .1rem 1rem; margin: 0; font-size: .875rem; }
dt, .dim, .target, .turn-end { color: var(--dim); }
dd { margin: 0; }
article { margin: .9rem 0; }
.user-message { border-left: 3px solid var(--user); color: var(--user); padding: .1rem 0 .1rem .8rem; margin-top: 2rem; }
.turn-end, .notice, .agent-thought { font-size: .875rem; }
p { margin: .4rem 0; }
.plain { white-space: pre-wrap; margin: .4rem 0; }
pre { font: .8125rem/1.45 ui-monospace, monospace; margin: .5rem 0; overflow-x: auto; tab-size: 4; }
code { font-family: ui-monospace, monospace; font-size: .875em; background: var(--card); border-radius: 3px; padding: .1em .3em; }
pre code { background: none; padding: 0; font-size: inherit; }
.code, .output, .diff pre { background: var(--card); border-radius: 6px; padding: .6rem .8rem; }
.output, .diff pre, .terminal { max-height: 40rem; overflow: auto; }
.tool { border: 1px solid var(--line); border-radius: 6px; padding: .4rem .7rem; }
summary { cursor: pointer; }
.state { display: inline-block; width: 1.2em; text-align: center; }
.completed > summary .state, .completed > .state, .steps .completed { color: var(--good); }
.failed > summary .state, .failed > .state, .error { color: var(--bad); }
.cancelled > summary .state, .cancelled > .state, .warning { color: var(--warn); }
.steps { list-style: none; padding-left: .5rem; }
.steps .in_progress { color: var(--accent); }
.terminal { background: #1b1f27; color: #d8dee9; border-radius: 6px; padding: .6rem .8rem; }
.terminal .command, .terminal .dim { color: #8b949e; }
.terminal .error { color: #ff7b72; }
figure { margin: .5rem 0; }
figcaption { font-size: .875rem; }
.diff .number, .gap { color: var(--dim); user-select: none; }
.diff .line { display: inline-block; min-width: 100%; }
.added { background: var(--added); } .added mark { background: var(--added-word); }
.removed { background: var(--removed); } .removed mark { background: var(--removed-word); }
mark { color: inherit; border-radius: 2px; }
img { max-width: 100%; max-height: 30rem; }
table { border-collapse: collapse; display: block; overflow-x: auto; }
th, td { border: 1px solid var(--line); padding: .25rem .6rem; }
blockquote { border-left: 3px solid var(--line); color: var(--dim); margin: .5rem 0; padding-left: .8rem; }
a { color: var(--user); }
.attachment, .html { color: var(--dim); }
.hl-keyword, .hl-built_in, .hl-literal { color: var(--keyword); }
.hl-string, .hl-regexp, .hl-attr { color: var(--string); }
.hl-number, .hl-variable { color: var(--number); }
.hl-comment, .hl-meta { color: var(--comment); }
.hl-title, .hl-type, .hl-name { color: var(--name); }
.hl-addition { background: var(--added); }
.hl-deletion { background: var(--removed); }
@media print { .output, .diff pre, .terminal { max-height: none; } }
`;
