import {findService} from '../../../service/service-client.ts';
import {findRunningSession} from '../../../service/session-named.ts';
import {NO_SUCH_SESSION} from '../../../cli/exit-codes.ts';
import {printFailure, type SubcommandIo} from '../../../cli/terminal-io.ts';

/** Ends a session that runs in the background, by its id or the beginning of it; resolves to the exit code. */
export async function stopSession(
  id: string,
  {state, stderr}: {readonly state: string} & Pick<SubcommandIo, 'stderr'>,
): Promise<number> {
  const found = await findService(state);
  if (!found.ok) return printFailure(stderr, found.failure);
  const service = found.value;
  const session = findRunningSession((await service?.list()) ?? [], id);
  const stopped = session.ok && service ? await service.stop(session.value.id) : session;
  service?.close();
  if (!session.ok) return printFailure(stderr, session.failure, NO_SUCH_SESSION);
  return stopped.ok ? 0 : printFailure(stderr, stopped.failure);
}
