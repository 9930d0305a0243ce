import {resolve} from 'node:path';
import type {SessionsCommand} from '../../cli/sessions/commands.ts';
import {EXPORT_FORMATS, formatOfFile} from '../../export/formats.ts';
import {writeNewFile} from '../../persistence/new-file.ts';
import type {SessionsContext} from './context.ts';
import {documentMeant} from './document.ts';
import {say} from './find.ts';

/** Writes a session in a form that others can read. */
export async function exportSession(
  {id, format, output, withSecrets}: Extract<SessionsCommand, {kind: 'export'}>,
  context: SessionsContext,
): Promise<number> {
  const read = await documentMeant({id, withSecrets}, context);
  if ('exitCode' in read) return read.exitCode;
  const form = format ? EXPORT_FORMATS[format] : (output && formatOfFile(output)) || EXPORT_FORMATS.markdown;
  const text = await form.write(read.document);
  if (output === undefined) {
    context.stdout.write(text);
    return 0;
  }
  const written = await writeNewFile(resolve(context.cwd, output), text);
  if (!written.ok) return say(written.failure, context.stderr);
  context.stderr(
    `Exported to ${written.value}${withSecrets ? ', with credentials' : '; what looks like a credential is masked'}.\n`,
  );
  return 0;
}
