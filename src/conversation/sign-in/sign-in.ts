import {withoutMethod} from '../options.ts';
import {exitLabel} from '../../session/labels/command-label.ts';
import {signInCommandLine, programCommandLine, variableLabels} from '../../session/labels/labels.ts';
import {hasCapability} from '../../session/lifecycle/agent-capabilities.ts';
import {signInWayOf, type SignInProgram, isAgentItself} from '../../shared/authentication.ts';
import {quoteAgentText} from '../../shared/agent-text.ts';
import {DONE, fail, type Failure, type ProcessExit, type Result} from '../../shared/failure.ts';
import type {AgentRun} from '../connection/phases.ts';
import {enterPhase, isCurrent, notRunning, type ConversationContext} from '../context.ts';
import {
  signInByAgent,
  afterFailedSignIn,
  deferSignIn,
  continueAfterSignIn,
  restartSignedIn,
} from './agent-sign-in.ts';
import {signInWithVariables} from './variables.ts';

/** "Authentication" with an offered method, by its kind; then opens the session, unless an open one only needed the sign-in, and retries what had failed. */
export async function signIn(context: ConversationContext, methodId: string): Promise<Result<void>> {
  const {run, sink, options} = context;
  const methods = sink.state().agent?.authMethods ?? [];
  const method = methods.find(({id}) => id === methodId);
  if (!method) {
    const valid = methods.map(({id}) => id);
    return fail({kind: 'unknown_value', what: 'sign-in method', value: methodId, valid});
  }
  if (!run) return notRunning();
  // A method selected by the user replaces the one passed as option.
  if (!run.starting) context.options = withoutMethod(options);
  const way = signInWayOf(method, options.agent);
  // A remote agent's programs and environment are not on this computer.
  if (options.agent.remote && (way.kind === 'terminal' || way.kind === 'env_var'))
    return fail({
      kind: 'not_offered',
      what: `sign-in with "${method.name}"`,
      why: 'the agent runs elsewhere; sign in on its own computer',
    });
  switch (way.kind) {
    case 'agent':
      return signInByAgent(context, run, method);
    case 'terminal':
      return signInInTerminal(context, run, {name: method.name, program: way.program});
    case 'env_var':
      return signInWithVariables(context, run, way.method);
    case 'unknown':
      return fail({
        kind: 'not_offered',
        what: `sign-in with "${method.name}"`,
        why: `its type "${way.name}" is not supported in this version`,
      });
  }
}

/**
 * Runs the program of a `terminal` method in the user's terminal, after confirmation if needed; exit code 0 is success, and `authenticate` is not called.
 * Agents read the result on start, so the agent is restarted; if it could not resume its open session, it keeps running instead.
 */
async function signInInTerminal(
  context: ConversationContext,
  run: AgentRun,
  {name, program}: {readonly name: string; readonly program: SignInProgram},
): Promise<Result<void>> {
  const {options} = context;
  const {foreground, cwd} = options;
  const line = signInCommandLine(program, options.agent);
  if (!foreground) {
    const problem = `it needs its own terminal; run there: ${line}`;
    return fail({kind: 'sign_in_failed', method: name, problem});
  }
  const agreed = await agreesToRun(context, {name, program});
  if (!isCurrent(context, run)) return DONE;
  if (!agreed) return deferSignIn(context);
  const phase = enterPhase(context, 'sign_in', {});
  if (!phase) return notRunning();
  const confined = await inSandbox(context, program);
  const heading = `${quoteAgentText(name)}: ${line}`;
  const ran = confined.ok ? await foreground({...confined.value, cwd, heading}) : confined;
  if (!ran.ok || ran.value.code !== 0) {
    const failure: Failure = ran.ok
      ? {kind: 'sign_in_failed', method: name, problem: howEnded(ran.value)}
      : ran.failure;
    return context.phase === phase ? afterFailedSignIn(context, phase, failure) : fail(failure);
  }
  // An agent that exited meanwhile is restarted as well, but not one that was closed.
  const isWanted = context.phase === phase || context.phase.name === 'lost';
  if (!isWanted) return DONE;
  context.signedInWith = name;
  // The restart must not run it again.
  context.options = withoutMethod(context.options);
  if (run.sessionOpen && isCurrent(context, run) && !canReopen(context))
    return continueAfterSignIn(context, run);
  return restartSignedIn(context);
}

/** Returns the program as it runs in the agent's sandbox, if there is one. */
async function inSandbox(
  {sandbox, options: {cwd, agent}}: ConversationContext,
  program: SignInProgram,
): Promise<Result<SignInProgram>> {
  const opened = await sandbox?.open();
  if (!opened) return {ok: true, value: program};
  if (!opened.ok) return opened;
  const confined = opened.value.confine([program.command, ...program.args], {
    cwd,
    env: {...opened.value.policy.environment, ...agent.env, ...program.env},
    isInTerminal: true,
  });
  if (!confined.ok) return confined;
  const [command, ...args] = confined.value.argv;
  return {ok: true, value: {command, args, env: {}}};
}

/** The conventional exit code after an interrupt. */
const INTERRUPTED = 130;

function howEnded(exit: ProcessExit): string {
  const isInterrupted = exit.code === INTERRUPTED || exit.signal === 'SIGINT';
  return isInterrupted ? 'it was interrupted' : `its program exited with ${exitLabel(exit)}`;
}

function canReopen({sink}: ConversationContext): boolean {
  const {agent, unused} = sink.state();
  return unused || hasCapability(agent?.capabilities, 'load') || hasCapability(agent?.capabilities, 'resume');
}

/** In UTF-16 units. */
const MAX_NAME_LENGTH = 100;

/**
 * Asks whether to run the agent's sign-in program, even if its method was passed with `--auth`: an id reveals nothing about the program. The agent itself with
 * a few more arguments needs no confirmation.
 */
async function agreesToRun(
  {host, sink, options: {agent, cwd}}: ConversationContext,
  {name, program}: {readonly name: string; readonly program: SignInProgram},
): Promise<boolean> {
  if (isAgentItself(program, agent)) return true;
  const facts = [
    ['Command', programCommandLine(program)],
    ['Folder', cwd],
    ...variableLabels(program, agent).map((variable) => ['Variable', variable]),
  ].map(([fact = '', value]) => `${fact.padEnd(10)}${value}`);
  const agreed = await host.askUser(
    {
      // The name is untrusted: quoted, so that it does not read as acp-tui's own text.
      title: `Run this program to sign in with "${quoteAgentText(name, MAX_NAME_LENGTH)}"?`,
      text: [
        facts.join('\n'),
        'The agent names it. It uses this terminal and runs with your user permissions.',
      ].join('\n\n'),
      yes: 'Run',
      no: 'Not now',
    },
    sink.state().sessionId ?? '',
  );
  return agreed === true;
}
