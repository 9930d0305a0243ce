import chalk from 'chalk';
import type {Token, Tokens} from 'marked';
import {awaitTaskOutput} from '../../../worker/background.ts';

/** Renders Markdown for a terminal. What a window draws is laid out by text/markdown instead, block by block. */
export async function renderMarkdown(source: string, columns: number): Promise<string> {
  const [{Marked}, {markedTerminal}] = await Promise.all([import('marked'), import('marked-terminal')]);
  const laidOut = new WeakMap<object, string>();
  const walkTokens = async (token: Token) => {
    const text = LAID_OUT.has(token.type) ? await layOut(token.raw, columns) : undefined;
    if (text !== undefined) laidOut.set(token, text);
  };
  const fitting = (token: Tokens.Generic) => laidOut.get(token) ?? false;
  const marked = new Marked(
    markedTerminal({width: columns, reflowText: true, emoji: false, tab: 2, showSectionPrefix: false}),
    {async: true, walkTokens, renderer: {paragraph: fitting, list: fitting, table: fitting}},
  );
  return marked.parse(source, {async: true});
}

/** marked-terminal would break words of paragraphs and lists, and let wide tables wrap at the edge of the terminal. */
const LAID_OUT: ReadonlySet<string> = new Set(['paragraph', 'list', 'table']);

const INKS = {
  accent: undefined,
  dim: undefined,
  inlineCode: 'yellow',
  keyword: undefined,
  string: undefined,
  number: undefined,
  comment: undefined,
  title: undefined,
};

/** Resolves to undefined for a text that takes too long. */
async function layOut(source: string, columns: number): Promise<string | undefined> {
  const look = {level: chalk.level, emphasis: true, hyperlinks: false, inks: INKS, surface: undefined};
  const block = {kind: 'markdown', source, first: true, last: true, context: ''} as const;
  const rows = await awaitTaskOutput('render', {block, columns, look, highlight: false});
  return rows === null ? undefined : `${rows.join('\n')}\n\n`;
}
