import {documentOf, type SessionDocument} from '../../../export/document.ts';
import {maskDocument} from '../../../export/mask.ts';
import {attachSession} from '../../../service/attached-session.ts';
import {findService} from '../../../service/service-client.ts';
import type {SessionState} from '../../../session/state.ts';
import type {Result} from '../../../shared/failure.ts';
import type {StoredSession} from '../../../storage/sessions/stored-session.ts';
import {
  type SessionsContext,
  askedBy,
  exportFacts,
  reportFailure,
  findSession,
  maskedSession,
} from './session-lookup.ts';

interface FoundDocument {
  readonly document: SessionDocument;
  /** What the session waits for. */
  readonly asks: string | undefined;
}

/** Returns the stored session with its transcript, or the exit code after printing why it was not found or cannot be read. */
export async function findDocument(
  {id, withSecrets}: {readonly id: string; readonly withSecrets: boolean},
  context: SessionsContext,
): Promise<FoundDocument | {readonly exitCode: number}> {
  const found = await findSession(id, context);
  if ('exitCode' in found) return found;
  const {session} = found;
  const {stderr, now, mask} = context;
  const state = await currentState(session, context);
  if (!state.ok) return {exitCode: reportFailure(state.failure, stderr)};
  const document = documentOf(state.value, exportFacts(session), {exportedAt: now()});
  return withSecrets
    ? {document, asks: askedBy(session)}
    : {document: await maskDocument(document, mask), asks: askedBy(maskedSession(session, mask))};
}

/** Of one that runs in the background, the service has what a full disk keeps out of the file. */
async function currentState(
  {id, status}: StoredSession,
  {state, store}: Pick<SessionsContext, 'state' | 'store'>,
): Promise<Result<SessionState>> {
  const found = status === 'open' ? await findService(state) : undefined;
  if (!found?.ok || !found.value) return store.state(id);
  const attached = await attachSession(found.value, id, state);
  found.value.close();
  return attached.ok ? {ok: true, value: attached.value.session} : store.state(id);
}
