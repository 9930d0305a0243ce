import {attachSession} from '../../service/attached-session.ts';
import {findService} from '../../service/service-client.ts';
import {sessionNamed} from '../../service/session-named.ts';
import {failureSentence} from '../../shared/failure-messages.ts';
import type {Failure} from '../../shared/failure.ts';
import {findPaths} from '../../storage/paths.ts';
import {sanitizeLine} from '../../text/sanitize.ts';
import {runInteractive, type InteractiveEnvironment} from './interactive.ts';

/** Shows a session of the background service in a window; resolves to the exit code. */
export async function runAttached(
  id: string | undefined,
  environment: InteractiveEnvironment,
): Promise<number> {
  if (!process.stdin.isTTY || !process.stdout.isTTY)
    return refused({kind: 'not_offered', what: 'attaching', why: 'a window needs a terminal'});
  const {state} = findPaths();
  const found = await findService(state);
  if (!found.ok) return refused(found.failure);
  const service = found.value;
  const running = service ? await service.list() : [];
  const session = sessionNamed(running, id);
  if (!session.ok || !service) {
    for (const each of running) process.stderr.write(`  ${each.id}  ${sanitizeLine(each.title)}\n`);
    return refused(session.ok ? {kind: 'no_such_session', wanted: id ?? ''} : session.failure);
  }
  const attached = await attachSession(service, session.value.id, state);
  if (!attached.ok) return refused(attached.failure);
  process.stdin.setRawMode(true);
  const given = {...attached.value.given, resumeRequest: undefined, prompt: undefined};
  return runInteractive(given, environment, attached.value);
}

function refused(failure: Failure): number {
  process.stderr.write(`acp-tui: ${failureSentence(failure)}\n`);
  return 1;
}
