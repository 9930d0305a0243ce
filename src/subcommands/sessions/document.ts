import {documentOf, type SessionDocument} from '../../export/document.ts';
import {maskDocument} from '../../export/mask.ts';
import type {StoredSession} from '../../persistence/sessions/stored-session.ts';
import type {SessionsContext} from './context.ts';
import {factsOf} from './describe.ts';
import {say} from './find.ts';

/** The whole of a stored session, or the exit code after saying why it cannot be read. */
export async function documentIn(
  session: StoredSession,
  {withSecrets}: {readonly withSecrets: boolean},
  {store, stderr, now, mask}: SessionsContext,
): Promise<{readonly document: SessionDocument} | {readonly exitCode: number}> {
  const state = await store.state(session.id);
  if (!state.ok) return {exitCode: say(state.failure, stderr)};
  const document = documentOf(state.value, factsOf(session), {exportedAt: now()});
  return {document: withSecrets ? document : maskDocument(document, mask)};
}
