import type * as acp from '@agentclientprotocol/sdk/unstable';
import {hasProviders} from '../../session/lifecycle/agent-capabilities.ts';
import {quoteAgentText} from '../../shared/agent-text.ts';
import {failureSentence} from '../../shared/failure-messages.ts';
import {fail, type Failure, type Result} from '../../shared/failure.ts';
import {expand} from '../../shared/variables.ts';
import type {AgentRun} from '../connection/phases.ts';
import type {OwnProvider} from '../options.ts';
import {awaitResponse, type ConversationContext} from '../context.ts';

/** Of what is shown of a provider, in UTF-16 units. */
export const MAX_TEXT_LENGTH = 100;

/**
 * Tells the agent's process of the providers that the user has set, in this session or in another one of the process, and of the provider of the settings, before
 * a session is opened in it. Resolves to why it could not: then none is opened, since the agent would use another provider. Undefined if there are none.
 */
export function tellProviders(
  context: ConversationContext,
  run: AgentRun,
): Promise<Failure | undefined> | undefined {
  followOthers(context, run);
  const isNeeded = context.options.provider !== undefined || context.providers.size > 0;
  return isNeeded ? refusalOf(context, run) : undefined;
}

async function refusalOf(context: ConversationContext, run: AgentRun): Promise<Failure | undefined> {
  const {providers, options} = context;
  for (const [id, config] of providers) {
    const refused = await tell(context, run, {id, config: {ok: true, value: config}, of: 'that you set'});
    if (refused) return refused;
    informOthers(context, run, id);
  }
  const {provider} = options;
  // What the user has set counts instead.
  if (!provider || providers.has(provider.id)) return undefined;
  return tell(context, run, {id: provider.id, config: configOf(context, provider), of: 'of the settings'});
}

interface ToTell {
  readonly id: acp.ProviderId;
  /** Undefined to disable it. */
  readonly config: Result<acp.SetProviderRequest | undefined>;
  readonly of: string;
}

/** Tells a process once; returns why it could not. */
async function tell(
  context: ConversationContext,
  run: AgentRun,
  {id, config, of}: ToTell,
): Promise<Failure | undefined> {
  const {providersTold} = run.agent;
  if (providersTold.has(id)) return undefined;
  const name = quoteAgentText(id, MAX_TEXT_LENGTH);
  const refused = (why: string): Failure => ({
    kind: 'not_offered',
    what: `the provider "${name}" ${of}`,
    why,
  });
  if (!hasProviders(context.sink.state())) return refused('this agent does not let a client choose one');
  if (!config.ok) return config.failure;
  const {value} = config;
  context.options.credentials?.conceal(Object.values(value?.headers ?? {}));
  const sent = await awaitResponse(context.phase, {
    method: value ? 'providers/set' : 'providers/disable',
    ask: () => sendProvider(run, id, value),
  });
  if (!sent.ok) return refused(failureSentence(sent.failure));
  providersTold.add(id);
  return undefined;
}

/** Sends a configuration; undefined disables the provider. */
export function sendProvider(
  {connection}: AgentRun,
  id: acp.ProviderId,
  config: acp.SetProviderRequest | undefined,
): Promise<Result<void>> {
  return config ? connection.setProvider(config) : connection.disableProvider(id);
}

/** The configuration is that of the process: what it was told in another session holds here, too. */
function followOthers(context: ConversationContext, run: AgentRun): void {
  for (const {served} of run.others())
    for (const [id, config] of served.providers) {
      const {providers} = context;
      if (!run.agent.providersTold.has(id) || (providers.has(id) && providers.get(id) === config)) continue;
      providers.set(id, config);
      report(context, `${nowText(id, config)}, as in another session of this agent.`);
    }
}

/** Passes a configuration to the other sessions of the process. */
export function informOthers(context: ConversationContext, run: AgentRun, id: acp.ProviderId): void {
  const config = context.providers.get(id);
  for (const {served} of run.others()) {
    if (served.providers.has(id) && served.providers.get(id) === config) continue;
    served.providers.set(id, config);
    report(served, `In another session: ${nowText(id, config)}. ${LATER}`);
  }
}

/** Says what is set, which is remembered as long as the transcript. */
export function report(
  {sink, providers}: Pick<ConversationContext, 'sink' | 'providers'>,
  text: string,
): void {
  sink.emit({type: 'notice', level: 'info', text, providers: [...providers.keys()], at: Date.now()});
}

export const LATER = 'Open sessions may keep the old one; /new starts one.';

export function nowText(id: acp.ProviderId, config: acp.SetProviderRequest | undefined): string {
  const now = config ? `set to ${quoteAgentText(config.baseUrl, MAX_TEXT_LENGTH)}` : 'disabled';
  return `Provider "${quoteAgentText(id, MAX_TEXT_LENGTH)}" is ${now}`;
}

/** Says which of the providers are no longer as the transcript says: they were set in an earlier run of the session. */
export function reportLostProviders({sink, providers}: ConversationContext): void {
  const lost = sink.state().ownProviders?.filter((id) => !providers.has(id)) ?? [];
  if (lost.length === 0) return;
  const names = lost.map((id) => `"${quoteAgentText(id, MAX_TEXT_LENGTH)}"`).join(', ');
  const text = `What was set with /providers ended with the earlier run of this session: ${names}.`;
  sink.emit({type: 'notice', level: 'warning', text, providers: [...providers.keys()], at: Date.now()});
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
