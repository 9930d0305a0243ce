import type {SessionsCommand} from './sessions-arguments.ts';
import type {SessionDocument} from '../../../export/document.ts';
import {EXPORT_FORMATS} from '../../../export/formats.ts';
import {stateWord} from '../../../session/labels/session-states.ts';
import type {SessionsContext} from './session-lookup.ts';
import {renderMarkdown} from '../help/terminal-markdown.ts';
import {findDocument} from './session-document.ts';

/** Prints a session: formatted for the terminal, or as Markdown if there is none. */
export async function showSession(
  {id, withSecrets, json}: Extract<SessionsCommand, {kind: 'show'}>,
  context: SessionsContext,
): Promise<number> {
  const read = await findDocument({id, withSecrets}, context);
  if ('exitCode' in read) return read.exitCode;
  await printDocument(read.document, json ? 'json' : 'markdown', context.stdout);
  if (read.asks !== undefined) context.stderr(`${stateWord('waiting')}: ${read.asks}\n`);
  return 0;
}

/** Prints a document; Markdown is formatted for a terminal. */
export async function printDocument(
  document: SessionDocument,
  format: 'json' | 'markdown',
  {write, columns}: SessionsContext['stdout'],
): Promise<void> {
  const text = await EXPORT_FORMATS[format].write(document);
  write(format === 'json' || columns === undefined ? text : await renderMarkdown(text, columns));
}
