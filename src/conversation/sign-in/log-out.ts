import {DONE, fail, type Result} from '../../shared/failure.ts';
import {authStatusLabel, canLogOut} from '../../shared/authentication.ts';
import type {AgentRun} from '../connection/phases.ts';
import {inform, isCurrent, notRunning, type ConversationContext} from '../context.ts';
import {withoutMethod} from '../options.ts';
import {readAuthStatus} from './agent-sign-in.ts';

/**
 * "Logging Out": deletes the values that the user entered for the agent, and signs out if the agent supports it. Each process started with such values is
 * restarted without them. An open session continues until the agent requires a sign-in again.
 */
export async function logOut(context: ConversationContext): Promise<Result<void>> {
  const {run, sink} = context;
  const {agent, credentials} = context.options;
  if (!run) return notRunning();
  context.options = withoutMethod(context.options);
  const forgotten = (await credentials?.forget(agent)) ?? {ok: true, value: false};
  if (!forgotten.ok) return forgotten;
  const can = canLogOut(sink.state().agent?.capabilities);
  if (!can && !forgotten.value) {
    const why = 'this agent does not support it, and nothing is saved for it';
    return fail({kind: 'not_offered', cannot: 'sign out', why});
  }
  const done: Result<void> = can ? await run.connection.logout() : DONE;
  // Deleted values must not stay in a process, whatever the agent responds.
  if (!done.ok && !forgotten.value) return done;
  run.agent.signedInWith.clear();
  const others = forgotten.value ? context.agents.sessionsOf(agent) : run.others();
  for (const other of others)
    if (other.served !== context) other.signedOut({areValuesDeleted: forgotten.value});
  if (!isCurrent(context, run)) return done;
  const reported = [
    ...(done.ok ? ['Signed out.'] : []),
    ...(forgotten.value ? ['The saved values were deleted, and the agent restarts.'] : []),
  ];
  inform(context, `${reported.join(' ')}${await sessionNote(context, run)}`);
  if (forgotten.value) await context.restart();
  return done;
}

/** Another session has signed out: adds a notice, and restarts the agent if its values were deleted. */
export function handleSignOutElsewhere(
  context: ConversationContext,
  {areValuesDeleted}: {readonly areValuesDeleted: boolean},
): void {
  const restarts = areValuesDeleted && context.run?.valuesMethod !== undefined;
  context.options = withoutMethod(context.options);
  const reported = restarts ? ' The saved values were deleted, and the agent restarts.' : '';
  inform(context, `Signed out in another session.${reported} ${MAY_ASK}`);
  if (restarts) void context.restart();
}

const MAY_ASK = 'The agent may require a sign-in to continue this session.';

async function sessionNote(context: ConversationContext, run: AgentRun): Promise<string> {
  await readAuthStatus(context, run);
  const status = authStatusLabel(context.sink.state().agent?.authStatus);
  const reported = status === undefined ? '' : ` The agent says: ${status}.`;
  return `${reported} ${MAY_ASK}`;
}
