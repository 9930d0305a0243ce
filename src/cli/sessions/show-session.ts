import type {SessionsCommand} from './sessions-arguments.ts';
import {EXPORT_FORMATS} from '../../export/formats.ts';
import type {SessionsContext} from './session-lookup.ts';
import {findDocument} from './session-document.ts';
import {markdownStyle} from '../output-style.ts';

/** Prints a session: formatted for the terminal, or as Markdown if there is none. */
export async function showSession(
  {id, withSecrets, json}: Extract<SessionsCommand, {kind: 'show'}>,
  context: SessionsContext,
): Promise<number> {
  const read = await findDocument({id, withSecrets}, context);
  if ('exitCode' in read) return read.exitCode;
  const {write, columns, style} = context.stdout;
  const text = await EXPORT_FORMATS[json ? 'json' : 'markdown'].write(read.document);
  if (json || columns === undefined) write(text);
  else for (const line of await rendered(text, {columns, style: markdownStyle(style)})) write(`${line}\n`);
  return 0;
}

async function rendered(
  source: string,
  {columns, style}: {readonly columns: number; readonly style: ReturnType<typeof markdownStyle>},
): Promise<readonly string[]> {
  const [{renderBlock}, {createBlockSplitter}] = await Promise.all([
    import('../../text/markdown/render.ts'),
    import('../../text/markdown/splitter.ts'),
  ]);
  const splitter = createBlockSplitter();
  const lines: string[] = [];
  for (const block of [...splitter.push(source), ...splitter.end()]) {
    if (block.first && lines.length > 0) lines.push('');
    for (const line of renderBlock(block, {columns, style, highlight: false})) lines.push(line);
  }
  return lines;
}
