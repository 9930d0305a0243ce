import {createCommandLibrary} from '../../../conversation/prompt/command-library.ts';
import {attachSession} from '../../../service/attached-session.ts';
import {findService, type ServiceClient} from '../../../service/service-client.ts';
import type {RunningSession} from '../../../service/messages.ts';
import {findRunningSession} from '../../../service/session-named.ts';
import {promptBlock} from '../../../session/content/pasted-text.ts';
import {connectionFailure} from '../../../session/lifecycle/connection.ts';
import {findPaths} from '../../../shared/files/paths.ts';
import {fail, type Result} from '../../../shared/failure.ts';
import {exitCodeOfFailure, NO_SUCH_SESSION} from '../../../cli/exit-codes.ts';
import {printFailure} from '../../../cli/terminal-io.ts';
import {typedCall} from '../../start/typed-call.ts';
import type {SessionsContext} from './session-lookup.ts';
import type {SessionsCommand} from './sessions-arguments.ts';

/** Queues a prompt in a session that runs in the background, as Enter does in a window that shows it; resolves to the exit code. */
export function sendPrompt(
  {id, prompt}: Extract<SessionsCommand, {kind: 'send'}>,
  context: SessionsContext,
): Promise<number> {
  return changeRunning(id, context, async (service, running) => {
    const attached = await attachSession(service, running.id, context.state);
    if (!attached.ok) return attached;
    const {cwd, commands: agents, connection} = attached.value.session;
    const failure = connectionFailure(connection);
    if (failure) return fail(failure);
    const meant = typedCall(prompt, {...(await createCommandLibrary(findPaths()).list(cwd)), agents});
    if (!meant.ok) return meant;
    const content = [promptBlock(meant.value.text, [])];
    const actions = attached.value.follow(() => undefined);
    return actions.changeQueue({kind: 'submit', prompt: {...meant.value, content}, place: 'last'});
  });
}

/** Cancels what a session in the background does, as Esc does in a window that shows it; resolves to the exit code. */
export function cancelTurn(id: string, context: SessionsContext): Promise<number> {
  return changeRunning(id, context, async (service, {id: key, doing}) => {
    if (doing === 'working' || doing === 'waiting') await service.call({key, action: 'cancel', args: []});
    else context.stderr('acp-tui: no turn is running\n');
    return {ok: true, value: undefined};
  });
}

/** Ends a session that runs in the background; resolves to the exit code. */
export function stopSession(id: string, context: RunningContext): Promise<number> {
  return changeRunning(id, context, (service, running) => service.stop(running.id));
}

type RunningContext = Pick<SessionsContext, 'state' | 'stderr'>;

/** Does something with a session of the service, by its id or the beginning of it. */
async function changeRunning(
  id: string,
  {state, stderr}: RunningContext,
  change: (service: ServiceClient, session: RunningSession) => Promise<Result<void>>,
): Promise<number> {
  const found = await findService(state);
  if (!found.ok) return printFailure(stderr, found.failure);
  const service = found.value;
  const session = findRunningSession((await service?.list()) ?? [], id);
  const changed = session.ok && service ? await change(service, session.value) : undefined;
  service?.close();
  if (!session.ok) return printFailure(stderr, session.failure, NO_SUCH_SESSION);
  return changed?.ok === false
    ? printFailure(stderr, changed.failure, exitCodeOfFailure(changed.failure))
    : 0;
}
