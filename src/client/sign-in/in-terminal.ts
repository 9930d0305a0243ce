import {quoted} from '../../shared/agent-text.ts';
import type {Failure, ProcessExit, Result} from '../../shared/failure.ts';
import {isAble} from '../../session/abilities.ts';
import type {SignInProgram} from '../../session/auth-methods.ts';
import {exitWords} from '../../session/words/exit.ts';
import {signInProgramWords} from '../../session/words/sign-in-program.ts';
import {connectionChanged, isCurrent, type ClientContext, type Life} from '../context.ts';
import {agreesToRun} from './agree.ts';
import {notSignedIn, putOff} from './ask.ts';
import {goOn} from './by-agent.ts';
import {withoutMethod} from './without-method.ts';

/**
 * Runs the program of a `terminal` method in the user's terminal, after a yes where it has to be asked about; exit code 0 is success, and `authenticate` is not called. Agents
 * read what it left when they start, so the agent is started again; one that could not take up its open session then goes on
 * as it is.
 */
export async function signInInTerminal(
  context: ClientContext,
  life: Life,
  {name, program}: {readonly name: string; readonly program: SignInProgram},
): Promise<Result<void>> {
  const {options, link} = context;
  const {foreground, cwd} = options;
  const before = link.state().connection;
  const line = signInProgramWords(program, options.agent);
  if (!foreground) {
    const problem = `it needs a terminal of its own; run there: ${line}`;
    return {ok: false, failure: {kind: 'sign_in_failed', method: name, problem}};
  }
  const agreed = await agreesToRun(context, {name, program});
  if (!isCurrent(context, life)) return {ok: true, value: undefined};
  if (!agreed) return putOff(context, before);
  connectionChanged(context, {kind: 'starting', step: 'authenticating', since: Date.now()});
  const ran = await foreground({...program, cwd, heading: `${quoted(name)}: ${line}`});
  // An agent that ended meanwhile is started again as well, but not one that was closed.
  const isWanted = isCurrent(context, life) || link.state().connection.kind === 'lost';
  if (!ran.ok || ran.value.code !== 0) {
    const failure: Failure = ran.ok
      ? {kind: 'sign_in_failed', method: name, problem: howEnded(ran.value)}
      : ran.failure;
    return isCurrent(context, life) ? notSignedIn(context, before, failure) : {ok: false, failure};
  }
  if (!isWanted) return {ok: true, value: undefined};
  // It must not be asked for again by the start.
  context.options = withoutMethod(context.options);
  if (life.sessionOpen && isCurrent(context, life) && !canBeTakenUp(context)) return goOn(context, life);
  return context.restart();
}

/** A shell tells of an interrupt with this exit code, and so do programs that care. */
const INTERRUPTED = 130;

function howEnded(exit: ProcessExit): string {
  const isInterrupted = exit.code === INTERRUPTED || exit.signal === 'SIGINT';
  return isInterrupted ? 'it was interrupted' : `its program ended with ${exitWords(exit)}`;
}

function canBeTakenUp({link}: ClientContext): boolean {
  const {agent, unused} = link.state();
  return unused || isAble(agent?.capabilities, 'load') || isAble(agent?.capabilities, 'resume');
}
