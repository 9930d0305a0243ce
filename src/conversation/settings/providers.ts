import type * as acp from '@agentclientprotocol/sdk/unstable';
import * as z from 'zod/mini';
import {newTextField, type Field, type FormContent} from '../../session/forms/form-schema.ts';
import {hasProviders} from '../../session/lifecycle/agent-capabilities.ts';
import {quoteAgentText} from '../../shared/agent-text.ts';
import {DONE, fail, type Result} from '../../shared/failure.ts';
import {jsonOf} from '../../text/json.ts';
import {isCurrent, notRunning, type ConversationContext} from '../context.ts';
import {informOthers, LATER, MAX_TEXT_LENGTH, nowText, report, sendProvider} from './own-provider.ts';

/** Ids of the form's fields. */
const ENABLED = 'enabled';
const API_TYPE = 'apiType';
const BASE_URL = 'baseUrl';
const HEADERS = 'headers';

/** `providers/list`, if the agent supports it. */
export async function listProviders({
  run,
  sink,
}: ConversationContext): Promise<Result<readonly acp.ProviderInfo[]>> {
  if (!run) return notRunning();
  if (!hasProviders(sink.state()))
    return fail({kind: 'not_offered', cannot: 'configure providers', why: 'this agent does not support it'});
  return run.connection.listProviders();
}

/**
 * Asks for a provider's configuration, and sends `providers/set` or `providers/disable`. Agents never return the current headers ("Configurable LLM
 * Providers"), so they have to be entered each time.
 */
export async function configureProvider(
  context: ConversationContext,
  id: acp.ProviderId,
): Promise<Result<void>> {
  const {run, host, options} = context;
  const listed = await listProviders(context);
  if (!listed.ok) return listed;
  const provider = listed.value.find(({providerId}) => providerId === id);
  if (!run || !provider) {
    const valid = listed.value.map(({providerId}) => providerId);
    return fail({kind: 'unknown_value', what: 'provider', value: id, valid});
  }
  const content = await host.askForm({
    message: `Configure the provider "${quoteAgentText(id, MAX_TEXT_LENGTH)}"`,
    description: 'This replaces the whole configuration, as long as this session is open.',
    fields: fieldsOf(provider),
  });
  if (!content || !isCurrent(context, run)) return DONE;
  const change = changeOf(provider, content);
  if (!change.ok) return change;
  const {value: config} = change;
  if (config?.headers) options.credentials?.conceal(Object.values(config.headers));
  const sent = await sendProvider(run, id, config);
  if (!sent.ok) return sent;
  context.providers.set(id, config);
  run.agent.providersTold.add(id);
  report(context, `${nowText(id, config)}. ${LATER}`);
  informOthers(context, run, id);
  return sent;
}

function fieldsOf({supported, required, current}: acp.ProviderInfo): readonly Field[] {
  const options = supported.map((value, index) => ({
    id: String(index),
    value,
    label: quoteAgentText(value, MAX_TEXT_LENGTH),
    description: undefined,
  }));
  const chosen = supported.indexOf(current?.apiType ?? '');
  const enabled: Field = {
    type: 'boolean',
    id: ENABLED,
    label: 'Enabled',
    description: 'If off, the agent sends nothing to this provider.',
    required: false,
    default: true,
  };
  return [
    ...(required ? [] : [enabled]),
    {
      type: 'choice',
      id: API_TYPE,
      label: 'API',
      description: undefined,
      required: true,
      options,
      default: chosen === -1 ? (options.length === 1 ? 0 : undefined) : chosen,
    },
    newTextField({
      id: BASE_URL,
      label: 'Base URL',
      format: 'uri',
      default: current?.baseUrl,
      required: required || !current,
    }),
    newTextField({
      id: HEADERS,
      label: 'Headers',
      description: 'Name: value; several as JSON: {"Name": "value"}. Replaces all previous headers.',
      required: false,
      secret: true,
    }),
  ];
}

/** Returns the new configuration; undefined to disable the provider. */
function changeOf(
  {providerId, current}: acp.ProviderInfo,
  content: FormContent,
): Result<acp.SetProviderRequest | undefined> {
  const {[ENABLED]: enabled = true, [API_TYPE]: apiType, [BASE_URL]: baseUrl = current?.baseUrl} = content;
  if (enabled === false) return {ok: true, value: undefined};
  if (typeof apiType !== 'string' || typeof baseUrl !== 'string')
    return fail({kind: 'not_offered', what: 'the provider', why: 'its API and base URL are required'});
  const headers = headersIn(String(content[HEADERS] ?? ''));
  if (!headers) {
    const why = 'its headers are neither "Name: value" nor a JSON object of texts';
    return fail({kind: 'not_offered', what: 'the provider', why});
  }
  return {ok: true, value: {providerId, apiType, baseUrl, headers}};
}

const headersSchema = z.record(z.string().check(z.regex(/^[!#$%&'*+.^_`|~\w-]+$/)), z.string());

/** Parses the headers; undefined if they are invalid. */
function headersIn(typed: string): Record<string, string> | undefined {
  const text = typed.trim();
  if (text === '') return {};
  const [, name = '', value = ''] = /^([^:]+):(.*)$/.exec(text) ?? [];
  const read = text.startsWith('{') ? jsonOf(text) : {[name.trim()]: value.trim()};
  const parsed = headersSchema.safeParse(read);
  return parsed.success ? parsed.data : undefined;
}
