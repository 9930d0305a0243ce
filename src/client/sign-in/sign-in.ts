import type {Failure, Result} from '../../shared/failure.ts';
import {wayOf} from '../../session/auth-methods.ts';
import {notRunning, type ClientContext} from '../context.ts';
import {signInByAgent} from './by-agent.ts';
import {signInInTerminal} from './in-terminal.ts';
import {withoutMethod} from './without-method.ts';
import {signInWithVariables} from './with-variables.ts';

/**
 * "Authentication" with a method that the agent offers, in the way of its kind; then the session is opened, unless one is open that
 * only needed the sign-in, and what had failed for it is done again.
 */
export async function signIn(context: ClientContext, methodId: string): Promise<Result<void>> {
  const {life, link, options} = context;
  const methods = link.state().agent?.authMethods ?? [];
  const method = methods.find(({id}) => id === methodId);
  if (!method) {
    const valid = methods.map(({id}) => id);
    return fail({kind: 'unknown_value', what: 'sign-in method', value: methodId, valid});
  }
  if (!life) return notRunning();
  // A method that the user chooses takes the place of one that was named.
  if (!life.starting) context.options = withoutMethod(options);
  const way = wayOf(method, options.agent);
  switch (way.kind) {
    case 'agent':
      return signInByAgent(context, life, method);
    case 'terminal':
      return signInInTerminal(context, life, {name: method.name, program: way.program});
    case 'env_var':
      return signInWithVariables(context, life, way.method);
    case 'unknown':
      return fail({
        kind: 'not_offered',
        what: `sign-in with "${method.name}"`,
        why: `it is of kind "${way.name}", which this version does not know`,
      });
  }
}

function fail(failure: Failure): Result<never> {
  return {ok: false, failure};
}
