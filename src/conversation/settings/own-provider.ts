import type * as acp from '@agentclientprotocol/sdk/unstable';
import {hasProviders} from '../../session/lifecycle/agent-capabilities.ts';
import {quoteAgentText} from '../../shared/agent-text.ts';
import {failureSentence} from '../../shared/failure-messages.ts';
import {fail, type Failure, type Result} from '../../shared/failure.ts';
import {expand} from '../../shared/variables.ts';
import type {AgentRun} from '../connection/phases.ts';
import type {OwnProvider} from '../options.ts';
import {awaitResponse, inform, type ConversationContext} from '../context.ts';

/**
 * Sets the provider of the settings in the agent's process before a session is opened in it. Returns why it could not: then none is opened, since the agent
 * would use another provider. What the user has set with `/providers` since then counts instead.
 */
export async function providerRefusal(
  context: ConversationContext,
  run: AgentRun,
): Promise<Failure | undefined> {
  const {
    sink,
    options: {provider},
  } = context;
  if (!provider) return undefined;
  const {id} = provider;
  const sessions = [context, ...run.others().map(({served}) => served)];
  run.agent.hasOwnProvider ||= sessions.some((session) => session.providers.has(id));
  if (run.agent.hasOwnProvider) return followOthers(context, run, id);
  const refused = (why: string): Failure => ({
    kind: 'not_offered',
    what: `the provider "${id}" of the settings`,
    why,
  });
  if (!hasProviders(sink.state())) return refused('this agent does not let a client choose one');
  const config = configOf(context, provider);
  if (!config.ok) return config.failure;
  const {value} = config;
  context.options.credentials?.conceal(Object.values(value.headers ?? {}));
  const sent = await awaitResponse(context.phase, {
    method: 'providers/set',
    ask: () => run.connection.setProvider(value),
  });
  if (!sent.ok) return refused(failureSentence(sent.failure));
  run.agent.hasOwnProvider = true;
  return undefined;
}

/** Another session of the process may have another one by now. */
function followOthers(context: ConversationContext, run: AgentRun, id: acp.ProviderId): undefined {
  const other = run.others().find(({served}) => served.providers.has(id))?.served;
  if (context.providers.has(id) || !other) return undefined;
  const config = other.providers.get(id);
  context.providers.set(id, config);
  const now = config ? `set to ${quoteAgentText(config.baseUrl, 100)}` : 'disabled';
  inform(context, `Provider "${quoteAgentText(id, 100)}" is ${now}, as in another session of this agent.`);
}

function configOf(
  {options: {environment, agent}}: ConversationContext,
  {id: providerId, apiType, baseUrl, headers = {}}: OwnProvider,
): Result<acp.SetProviderRequest> {
  const problems: string[] = [];
  const fill = (text: string) =>
    expand(text, {
      variables: {...environment, ...agent.env},
      onProblem: (problem) => void problems.push(problem),
      onValue: () => {},
    });
  const filled = Object.entries(headers).map(([name, value]) => [name, fill(value)] as const);
  const config = {providerId, apiType, baseUrl: fill(baseUrl), headers: Object.fromEntries(filled)};
  const [why] = problems;
  if (why === undefined) return {ok: true, value: config};
  return fail({kind: 'not_offered', what: `the provider "${providerId}" of the settings`, why});
}
