import {resolve} from 'node:path';
import type {SessionsCommand} from './sessions-arguments.ts';
import {EXPORT_FORMATS, formatOfFile} from '../../../export/formats.ts';
import {writeNewFile} from '../../../shared/files/safe-files.ts';
import {type SessionsContext, reportFailure, findSession} from './session-lookup.ts';
import {findDocument} from './session-document.ts';
import {fail, type Result} from '../../../shared/failure.ts';
import {isMark} from '../../../storage/sessions/event-file.ts';
import {loadRecording} from '../../../storage/recordings/load-recording.ts';
import type {StoredSession} from '../../../storage/sessions/stored-session.ts';
import {recordingText} from '../../../recording/exchanges.ts';
import {linesOfSession} from '../../../recording/session-lines.ts';

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
    const recording = await findRecording(found.session, context);
    if (!recording.ok) return {exitCode: reportFailure(recording.failure, context.stderr)};
    return {text: recording.value, masked: ', masked as it was recorded'};
  }
  const read = await findDocument({id, withSecrets}, context);
  if ('exitCode' in read) return read;
  const form = format ? EXPORT_FORMATS[format] : (output && formatOfFile(output)) || EXPORT_FORMATS.markdown;
  const masked = withSecrets ? ', with credentials' : '; credentials masked';
  return {text: await form.write(read.document), masked};
}

/** Returns the recording (`--record`) of a session, if its files still exist; masked as written. */
async function findRecording(
  {id, agentSessionId}: StoredSession,
  {store}: Pick<SessionsContext, 'store'>,
): Promise<Result<string>> {
  const events = await store.events(id);
  if (!events.ok) return events;
  const files = events.value.lines
    .filter(isMark)
    .flatMap((mark) => (mark.mark === 'recorded' ? [mark.file] : []));
  if (files.length === 0) {
    const why = 'it was not recorded; start acp-tui with --record <file> to record';
    return fail({kind: 'not_offered', what: 'a recording of this session', why});
  }
  let text = '';
  for (const file of new Set(files)) {
    const loaded = loadRecording(file);
    if (!loaded.ok) return loaded;
    text += recordingText(linesOfSession(loaded.value.lines, agentSessionId ?? ''));
  }
  return {ok: true, value: text};
}
