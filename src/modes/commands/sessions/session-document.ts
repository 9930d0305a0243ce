import {documentOf, type SessionDocument} from '../../../export/document.ts';
import {maskDocument} from '../../../export/mask.ts';
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
  const {store, stderr, now, mask} = context;
  const state = await store.state(session.id);
  if (!state.ok) return {exitCode: reportFailure(state.failure, stderr)};
  const document = documentOf(state.value, exportFacts(session), {exportedAt: now()});
  return withSecrets
    ? {document, asks: askedBy(session)}
    : {document: await maskDocument(document, mask), asks: askedBy(maskedSession(session, mask))};
}
