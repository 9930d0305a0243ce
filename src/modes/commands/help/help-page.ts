import {readFile} from 'node:fs/promises';
import type {HelpPage} from './help-arguments.ts';
import {renderMarkdown} from './terminal-markdown.ts';

/** docs/, which is installed beside the program. */
const FOLDER = new URL(import.meta.url.endsWith('.ts') ? '../../../../docs/' : '../docs/', import.meta.url);

/** Returns a page of the documentation, formatted for a terminal of this width; as it is, in Markdown, without one. */
export async function helpPage(page: HelpPage, columns: number | undefined): Promise<string> {
  const source = await readFile(new URL(`${page}.md`, FOLDER), 'utf8');
  return columns === undefined ? source : renderMarkdown(forTerminal(source), columns);
}

/** Where a line goes on with the text of the line before: no heading, row of a table or list item. */
const LINE_BREAK = /(?<!(?:^|\n)[#|][^\n]*)(?<=\S)\n *(?![-*] |\d+\. |[\s|#>])/g;

/** Links to other pages name the command that shows them; links to what is not installed are their text. Lines flow. */
function forTerminal(source: string): string {
  return source
    .replaceAll(/<!--[^]*?-->\n?|!\[[^\]]*\]\([^)]*\)\n?/g, '')
    .split('\n```')
    .map((part, index) => (index % 2 === 1 ? part : part.replaceAll(LINE_BREAK, ' ')))
    .join('\n```')
    .replaceAll(/\[([^\]]+)\]\(([\w-]+)\.md(?:#[^)]*)?\)/g, '$1 (`acp-tui help $2`)')
    .replaceAll(/\[([^\]]+)\]\((?!https?:)[^)]*\)/g, '$1');
}
