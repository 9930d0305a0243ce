import type {AgentCommand} from '../../../agents/resolve.ts';
import {signInWayOf, type AuthMethod} from '../../../shared/authentication.ts';
import {attempt} from '../attempt.ts';
import {
  skipCheck,
  yesOrNo,
  type Check,
  type Subject,
  type Examination,
  type Probe,
  type AgentRun,
} from '../examination.ts';

/** "Authentication": lists the methods. Signs in only with the one that the user passed. */
export const authentication: Probe = async (examination) => {
  const {initialized, run} = examination.found;
  if (!initialized || !run) return [];
  const {agent, authMethod} = examination.options;
  const methods = initialized.authMethods ?? [];
  const subject: Subject = {id: 'authenticate', name: 'signing in', advertised: yesOrNo(methods.length > 0)};
  const list = methods.map((method) => `${method.id} (${kindOf(method, agent)})`).join(', ');
  const canLogOut = Boolean(initialized.agentCapabilities?.auth?.logout);
  const check =
    authMethod === undefined
      ? skipCheck(subject, list === '' ? 'it offers no methods' : `${list}; --auth tries one`)
      : await signIn(examination, {subject, run, method: methods.find(({id}) => id === authMethod)});
  const logout = {id: 'logout', name: 'signing out', advertised: 'yes'} as const;
  return canLogOut ? [check, skipCheck(logout, 'it would sign you out')] : [check];
};

interface SignIn {
  readonly subject: Subject;
  readonly run: AgentRun;
  readonly method: AuthMethod | undefined;
}

/** Only methods of kind `agent`: a sign-in in a terminal is up to the user. */
async function signIn(examination: Examination, {subject, run, method}: SignIn): Promise<Check> {
  const {agent, authMethod = ''} = examination.options;
  if (!method) return skipCheck(subject, `it does not offer the method ${authMethod}`);
  const kind = kindOf(method, agent);
  if (kind !== 'agent' && kind !== 'env_var') return skipCheck(subject, `${method.id} is of type ${kind}`);
  const {check} = await attempt(examination, {
    ...subject,
    method: 'authenticate',
    work: () => run.connection.authenticate(method.id),
    judge: () => ({note: `with ${method.id}`}),
  });
  return check;
}

function kindOf(method: AuthMethod, agent: AgentCommand): string {
  const way = signInWayOf(method, agent);
  return way.kind === 'unknown' ? way.name : way.kind;
}
