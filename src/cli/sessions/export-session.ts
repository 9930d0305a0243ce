import {resolve} from 'node:path';
import type {SessionsCommand} from './sessions-arguments.ts';
import {EXPORT_FORMATS, formatOfFile} from '../../export/formats.ts';
import {writeNewFile} from '../../storage/files.ts';
import {type SessionsContext, reportFailure, findSession} from './session-lookup.ts';
import {findDocument} from './session-document.ts';

type ExportCommand = Extract<SessionsCommand, {kind: 'export'}>;

/** Writes a session in an export format. */
export async function exportSession(
  {id, format, output, withSecrets}: ExportCommand,
  context: SessionsContext,
): Promise<number> {
  const read = await textOf({id, format, output, withSecrets}, context);
  if ('exitCode' in read) return read.exitCode;
  const {text, masked} = read;
  if (output === undefined) {
    context.stdout.write(text);
    return 0;
  }
  const written = await writeNewFile(resolve(context.cwd, output), text);
  if (!written.ok) return reportFailure(written.failure, context.stderr);
  context.stderr(`Exported to ${written.value}${masked}.\n`);
  return 0;
}

type ExportTarget = Pick<ExportCommand, 'id' | 'format' | 'output' | 'withSecrets'>;

/** Returns the document and a note about credentials in it, or the exit code after printing the problem. */
async function textOf(
  {id, format, output, withSecrets}: ExportTarget,
  context: SessionsContext,
): Promise<{readonly text: string; readonly masked: string} | {readonly exitCode: number}> {
  if (format === 'recording') {
    const found = await findSession(id, context);
    if ('exitCode' in found) return found;
    const {findRecording: recordingOf} = await import('./recorded-session.ts');
    const recording = await recordingOf(found.session, context);
    if (!recording.ok) return {exitCode: reportFailure(recording.failure, context.stderr)};
    return {text: recording.value, masked: ', masked as it was recorded'};
  }
  const read = await findDocument({id, withSecrets}, context);
  if ('exitCode' in read) return read;
  const form = format ? EXPORT_FORMATS[format] : (output && formatOfFile(output)) || EXPORT_FORMATS.markdown;
  const masked = withSecrets ? ', with credentials' : '; credentials masked';
  return {text: await form.write(read.document), masked};
}
