import type {Result} from '../../shared/failure.ts';
import {isMark} from '../../storage/sessions/event-file.ts';
import {loadRecording} from '../../storage/recordings/load-recording.ts';
import type {StoredSession} from '../../storage/sessions/stored-session.ts';
import {recordingText} from '../../recording/exchanges.ts';
import {linesOfSession} from '../../recording/session-lines.ts';
import type {SessionsContext} from './session-lookup.ts';

/** Returns the recording (`--record`) of a session, if its files still exist; masked as written. */
export async function findRecording(
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
    return {ok: false, failure: {kind: 'not_offered', what: 'a recording of this session', why}};
  }
  let text = '';
  for (const file of new Set(files)) {
    const loaded = loadRecording(file);
    if (!loaded.ok) return loaded;
    text += recordingText(linesOfSession(loaded.value.lines, agentSessionId ?? ''));
  }
  return {ok: true, value: text};
}
