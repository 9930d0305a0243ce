import {resolve} from 'node:path';
import type {EffectOf} from '../../app/effects.ts';
import type {OpenSession} from '../../app/state.ts';
import {UNTITLED_SESSION} from '../../export/document.ts';
import {suggestedName} from '../../export/formats.ts';
import type {Result} from '../../shared/failure.ts';
import {createMaskDeep, type Secrets} from '../../storage/mask.ts';
import {writeNewFile} from '../../storage/files.ts';
import {messageOf, methodOf, recordingText} from '../../recording/exchanges.ts';
import type {RecordingLine} from '../../recording/format.ts';
import {linesOfSession} from '../../recording/session-lines.ts';
import {sessionTitle} from '../../session/titles.ts';

interface WireOfWindow {
  /** The stored protocol messages of the window. */
  readonly lines: readonly RecordingLine[];
  readonly secrets: Secrets | undefined;
}

/** Writes a session's protocol messages to a file, as `--record` does; returns the path, and whether the beginning is included. */
export async function exportRecording(
  {session}: OpenSession,
  {file, withSecrets}: EffectOf<'export_session'>,
  {lines, secrets}: WireOfWindow,
): Promise<Result<{readonly path: string; readonly isWhole: boolean}>> {
  const own = linesOfSession(lines, session.sessionId ?? '');
  const why = 'no messages in memory; --record keeps everything';
  if (own.length === 0) return {ok: false, failure: {kind: 'not_offered', what: 'a recording', why}};
  const maskDeep = createMaskDeep(process.env, secrets);
  const text = recordingText(withSecrets ? own : own.map((line) => maskDeep(line)));
  const named = suggestedName(sessionTitle(session) ?? UNTITLED_SESSION, {extension: 'ndjson'});
  const written = await writeNewFile(resolve(session.cwd, file ?? named), text, {
    orNumbered: file === undefined,
  });
  return written.ok
    ? {
        ok: true,
        value: {path: written.value, isWhole: own.some((line) => methodOf(messageOf(line)) === 'initialize')},
      }
    : written;
}
