import {writeFile} from 'node:fs/promises';
import {resolve} from 'node:path';
import type {SessionsCommand} from '../../cli/sessions/commands.ts';
import {EXPORT_FORMATS, formatOfFile} from '../../export/formats.ts';
import {failed} from '../../file-failed.ts';
import type {SessionsContext} from './context.ts';
import {documentIn} from './document.ts';
import {say, sessionMeant} from './find.ts';

/** Only for the user: a session holds what is nobody else's business. */
const PRIVATE_FILE = 0o600;

/** Writes a session in a form that others can read. */
export async function exportSession(
  {id, format, output, withSecrets}: Extract<SessionsCommand, {kind: 'export'}>,
  context: SessionsContext,
): Promise<number> {
  const meant = sessionMeant(id, context);
  if ('exitCode' in meant) return meant.exitCode;
  const read = await documentIn(meant.session, {withSecrets}, context);
  if ('exitCode' in read) return read.exitCode;
  const form = format ? EXPORT_FORMATS[format] : (output && formatOfFile(output)) || EXPORT_FORMATS.markdown;
  const text = await form.write(read.document);
  if (output === undefined) {
    context.stdout.write(text);
    return 0;
  }
  const path = resolve(context.cwd, output);
  try {
    await writeFile(path, text, {flag: 'wx', mode: PRIVATE_FILE});
  } catch (error) {
    return say(failed(path, error).failure, context.stderr);
  }
  context.stderr(
    `Exported to ${path}${withSecrets ? ', with credentials' : '; what looks like a credential is masked'}.\n`,
  );
  return 0;
}
