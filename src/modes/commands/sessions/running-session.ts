import {behindSlashes} from '../../../app/commands/behind-slashes.ts';
import {attachSession, type AttachedSession} from '../../../service/attached-session.ts';
import {findService} from '../../../service/service-client.ts';
import {findRunningSession} from '../../../service/session-named.ts';
import {promptBlock} from '../../../session/content/pasted-text.ts';
import {isIdle} from '../../../session/selectors.ts';
import type {Result} from '../../../shared/failure.ts';
import {NO_SUCH_SESSION} from '../../../cli/exit-codes.ts';
import {printFailure} from '../../../cli/terminal-io.ts';
import type {SessionsContext} from './session-lookup.ts';
import type {SessionsCommand} from './sessions-arguments.ts';

/** Queues a prompt in a session that runs in the background, as Enter does in a window that shows it; resolves to the exit code. */
export function sendPrompt(
  {id, prompt}: Extract<SessionsCommand, {kind: 'send'}>,
  context: SessionsContext,
): Promise<number> {
  return changeRunning(id, context, (attached) => {
    const {customCommands: custom, commands} = attached.session;
    const meant = behindSlashes(prompt, {custom, agents: [...custom, ...commands]});
    const content = [promptBlock(meant.text, [])];
    const actions = attached.follow(() => undefined);
    return actions.changeQueue({kind: 'submit', prompt: {...meant, content}, place: 'last'});
  });
}

/** Cancels the turn of a session that runs in the background; resolves to the exit code. */
export function cancelTurn(id: string, context: SessionsContext): Promise<number> {
  return changeRunning(id, context, (attached) => {
    if (isIdle(attached.session)) context.stderr('acp-tui: no turn is running\n');
    else attached.follow(() => undefined).cancel();
    return Promise.resolve({ok: true, value: undefined});
  });
}

/** Does something with a session of the service, by its id or the beginning of it. */
async function changeRunning(
  id: string,
  {state, stderr}: SessionsContext,
  change: (session: AttachedSession) => Promise<Result<void>>,
): Promise<number> {
  const service = await findService(state);
  if (!service.ok) return printFailure(stderr, service.failure);
  const found = findRunningSession((await service.value?.list()) ?? [], id);
  if (!found.ok || !service.value) {
    service.value?.close();
    return found.ok ? 1 : printFailure(stderr, found.failure, NO_SUCH_SESSION);
  }
  const attached = await attachSession(service.value, found.value.id, state);
  const changed = attached.ok ? await change(attached.value) : attached;
  if (attached.ok) await attached.value.leave();
  else service.value.close();
  return changed.ok ? 0 : printFailure(stderr, changed.failure);
}
