import {quirksOf} from '../../agents/quirks.ts';
import type {AgentCommand} from '../../agents/resolve.ts';
import {newTextField, type Field, type FormContent} from '../../session/forms/form-schema.ts';
import type {AuthMethodVariables, AuthVariable, AuthMethod} from '../../shared/authentication.ts';
import {quoteAgentText} from '../../shared/agent-text.ts';
import {failureSentence} from '../../shared/failure-messages.ts';
import {DONE, fail, type Result} from '../../shared/failure.ts';
import type {Credentials} from '../../storage/credentials/credentials.ts';
import type {AgentRun} from '../connection/phases.ts';
import {isCurrent, warn, type ConversationContext} from '../context.ts';
import {deferSignIn, restartSignedIn, signInByAgent} from './agent-sign-in.ts';

/** Not a valid variable name, because of the blank. */
const KEEP = 'save them';

/**
 * Signs in with an `env_var` method: asks for the variables, starts the agent with them, and calls `authenticate`. If they are set already, as with `--env`,
 * it works without asking.
 */
export async function signInWithVariables(
  context: ConversationContext,
  run: AgentRun,
  method: AuthMethodVariables,
): Promise<Result<void>> {
  const {agent, authMethod, environment, hasUser} = context.options;
  const {env} = withValues(agent, await findValues(context));
  const isSet = ({name}: AuthVariable) => Boolean(env[name] ?? environment[name]);
  const missing = method.vars.filter((variable) => !variable.optional && !isSet(variable));
  const isNamedAtStart = run.starting && authMethod === method.id;
  if (missing.length === 0 && isNamedAtStart) return signInByAgent(context, run, method);
  if (!hasUser) {
    const problem = `it needs ${missing.map(({name}) => `--env ${name}=…`).join(' ')}`;
    return fail({kind: 'sign_in_failed', method: method.name, problem});
  }
  const content = await ask(context, method, isSet);
  if (!isCurrent(context, run)) return DONE;
  if (!content) return deferSignIn(context);
  await remember(context, method, content);
  context.options = {...context.options, authMethod: method.id};
  return restartSignedIn(context);
}

async function ask(
  context: ConversationContext,
  {name, vars, link: sink}: AuthMethodVariables,
  isSet: (variable: AuthVariable) => boolean,
): Promise<FormContent | undefined> {
  const whyNot = await whyNotKept(context);
  const fields = vars.map((variable) => fieldOf(variable, isSet(variable)));
  const kept = whyNot === undefined ? '' : `They cannot be saved: ${whyNot}.`;
  const from = sink === undefined ? '' : `Where to find them: ${quoteAgentText(sink)}`;
  return context.host.askForm({
    // The form is acp-tui's, but the name is untrusted: quoted, so that it does not read as acp-tui's own text.
    message: `To sign in with "${quoteAgentText(name, MAX_NAME_LENGTH)}", the agent restarts with these values.`,
    description: ['They are passed only to this agent, in its environment.', kept, from]
      .filter(Boolean)
      .join(' '),
    fields: whyNot === undefined ? [...fields, keepField] : fields,
  });
}

/** In UTF-16 units. */
const MAX_NAME_LENGTH = 100;

const keepField: Field = {
  type: 'boolean',
  id: KEEP,
  label: 'Save them in the system keyring',
  description: 'For later starts of this agent; /logout deletes them.',
  required: false,
  default: false,
};

function fieldOf({name, label, secret, optional}: AuthVariable, isSet: boolean): Field {
  const is = isSet ? `${name}, already set: leave empty to keep it` : name;
  return newTextField({
    id: name,
    label: label === undefined ? name : quoteAgentText(label, MAX_NAME_LENGTH),
    description: is,
    required: !optional && !isSet,
    ...(secret && {secret}),
  });
}

async function whyNotKept({options: {credentials}}: ConversationContext): Promise<string | undefined> {
  return credentials ? credentials.whyNotKept() : 'there is nowhere to save them';
}

async function remember(
  context: ConversationContext,
  {id, vars}: AuthMethodVariables,
  content: FormContent,
): Promise<void> {
  const {agent, credentials} = context.options;
  const before = await findValues(context);
  const typed = vars.flatMap(({name}) => {
    const value = content[name];
    return typeof value === 'string' ? [[name, value] as const] : [];
  });
  const values = {method: id, values: {...before?.values, ...Object.fromEntries(typed)}};
  credentials?.remember(agent, values);
  if (content[KEEP] !== true) return;
  const kept = await credentials?.keep(agent, values);
  if (kept?.ok === false) warn(context, failureSentence(kept.failure));
}

type Found = Awaited<ReturnType<Credentials['find']>>;
type FoundValues = Extract<Found, {ok: true}>['value'];

/** Returns the known sign-in variables of the agent; warns if they cannot be read. */
export async function findValues(context: ConversationContext): Promise<FoundValues> {
  const {agent, credentials} = context.options;
  const found = await credentials?.find(agent);
  if (found?.ok === false) warn(context, failureSentence(found.failure));
  return found?.ok ? found.value : undefined;
}

/** Returns the agent with its sign-in values. Values entered just now override `--env` and settings, stored ones do not. */
export function withValues(agent: AgentCommand, found: FoundValues): AgentCommand {
  if (!found) return agent;
  const env = found.isTyped ? {...agent.env, ...found.values} : {...found.values, ...agent.env};
  return {...agent, env};
}

/** Returns the methods of an agent; those that read undeclared variables become `env_var` methods. */
export function withKnownVariables(
  methods: readonly AuthMethod[] = [],
  agentName: string | undefined,
): readonly AuthMethod[] {
  const {variables = {}} = quirksOf(agentName);
  return methods.map((method): AuthMethod => {
    const vars = Object.hasOwn(variables, method.id) ? variables[method.id] : undefined;
    if ('type' in method || vars === undefined) return method;
    const {id, name, description} = method;
    return {type: 'env_var', id, name, vars, ...(description && {description})};
  });
}
