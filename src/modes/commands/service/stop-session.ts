import {findService} from '../../../service/service-client.ts';
import {sessionNamed} from '../../../service/session-named.ts';
import {NO_SUCH_SESSION} from '../../../cli/exit-codes.ts';
import {refused, type SubcommandIo} from '../../../cli/terminal-io.ts';

/** Ends a session that runs in the background, by its id or the beginning of it; resolves to the exit code. */
export async function stopSession(
  id: string,
  {state, stderr}: {readonly state: string} & Pick<SubcommandIo, 'stderr'>,
): Promise<number> {
  const found = await findService(state);
  if (!found.ok) return refused(stderr, found.failure);
  const service = found.value;
  const session = sessionNamed((await service?.list()) ?? [], id);
  const stopped = session.ok && service ? await service.stop(session.value.id) : session;
  service?.close();
  if (!session.ok) return refused(stderr, session.failure, NO_SUCH_SESSION);
  return stopped.ok ? 0 : refused(stderr, stopped.failure);
}
