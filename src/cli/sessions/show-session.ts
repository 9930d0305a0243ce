import type {SessionsCommand} from './sessions-arguments.ts';
import {EXPORT_FORMATS} from '../../export/formats.ts';
import type {SessionsContext} from './session-lookup.ts';
import {findDocument} from './session-document.ts';
import {plainLines} from '../../text/markdown/plain.ts';
import {output} from '../../worker/background.ts';
import type {RenderInput} from '../../worker/tasks.ts';

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
  else for (const line of await rendered(text, {columns, look: style.markdown})) write(`${line}\n`);
  return 0;
}

async function rendered(
  source: string,
  options: Pick<RenderInput, 'columns' | 'look'>,
): Promise<readonly string[]> {
  const {createBlockSplitter} = await import('../../text/markdown/splitter.ts');
  const splitter = createBlockSplitter();
  const lines: string[] = [];
  for (const block of [...splitter.push(source), ...splitter.end()]) {
    if (block.first && lines.length > 0) lines.push('');
    const drawn = await output('render', {block, ...options, highlight: false});
    for (const line of drawn ?? plainLines(block, options.columns)) lines.push(line);
  }
  return lines;
}
