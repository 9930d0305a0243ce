import {takeTerminal} from '../../cli/raw-mode.ts';
import {NO_SUCH_SESSION} from '../../cli/exit-codes.ts';
import {openSubcommandIo, printFailure} from '../../cli/terminal-io.ts';
import {attachSession} from '../../service/attached-session.ts';
import {findService} from '../../service/service-client.ts';
import {mostUrgentSession, findRunningSession} from '../../service/session-named.ts';
import type {Failure} from '../../shared/failure.ts';
import {findPaths} from '../../shared/files/paths.ts';
import {optionsOfAttached} from './background-sessions.ts';
import {runInteractive, type InteractiveEnvironment} from './interactive.ts';

/**
 * Shows a session of the background service in a window; resolves to the exit code. Without an id it is the one that needs the user most, and the window
 * begins with the board if there are several.
 */
export async function runAttached(
  id: string | undefined,
  environment: InteractiveEnvironment,
): Promise<number> {
  if (!process.stdin.isTTY || !process.stdout.isTTY)
    return refuse({kind: 'not_offered', cannot: 'attach', why: 'a window needs a terminal'});
  const {state} = findPaths();
  const found = await findService(state);
  if (!found.ok) return refuse(found.failure);
  const service = found.value;
  const running = (await service?.list()) ?? [];
  const session = id === undefined ? mostUrgentSession(running) : findRunningSession(running, id);
  if (!session.ok || !service) return session.ok ? 1 : refuse(session.failure, NO_SUCH_SESSION);
  const attached = await attachSession(service, session.value.id, state);
  if (!attached.ok) return refuse(attached.failure);
  takeTerminal();
  const {options, problems} = await optionsOfAttached(attached.value.given, process.cwd());
  const listsOpen = id === undefined && running.length > 1;
  return runInteractive(options, environment, {attached: attached.value, listsOpen, problems});
}

function refuse(failure: Failure, exitCode?: number): Promise<number> {
  const io = openSubcommandIo();
  return io.end(printFailure(io.stderr, failure, exitCode));
}
