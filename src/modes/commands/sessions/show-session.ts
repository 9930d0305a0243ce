import type {Parser, Tokens} from 'marked';
import type {SessionsCommand} from './sessions-arguments.ts';
import type {SessionDocument} from '../../../export/document.ts';
import {EXPORT_FORMATS} from '../../../export/formats.ts';
import type {SessionsContext} from './session-lookup.ts';
import {findDocument} from './session-document.ts';

/** Prints a session: formatted for the terminal, or as Markdown if there is none. */
export async function showSession(
  {id, withSecrets, json}: Extract<SessionsCommand, {kind: 'show'}>,
  context: SessionsContext,
): Promise<number> {
  const read = await findDocument({id, withSecrets}, context);
  if ('exitCode' in read) return read.exitCode;
  await printDocument(read.document, json ? 'json' : 'markdown', context.stdout);
  return 0;
}

/** Prints a document; Markdown is formatted for a terminal. */
export async function printDocument(
  document: SessionDocument,
  format: 'json' | 'markdown',
  {write, columns}: SessionsContext['stdout'],
): Promise<void> {
  const text = await EXPORT_FORMATS[format].write(document);
  write(format === 'json' || columns === undefined ? text : await rendered(text, columns));
}

/** Renders Markdown for a terminal. What a window draws is laid out by text/markdown instead: block by block, and in a thread. */
async function rendered(source: string, columns: number): Promise<string> {
  const [{Marked}, {markedTerminal}] = await Promise.all([import('marked'), import('marked-terminal')]);
  const marked = new Marked(
    markedTerminal({width: columns, reflowText: true, emoji: false, tab: 2, showSectionPrefix: false}),
    {renderer: {text: textWithStyles}},
  );
  return marked.parse(source, {async: false});
}

/** In lists, marked-terminal would leave out the styles. */
function textWithStyles(this: {readonly parser: Parser}, token: Tokens.Text | Tokens.Escape): string {
  return 'tokens' in token && token.tokens ? this.parser.parseInline(token.tokens) : token.text;
}
