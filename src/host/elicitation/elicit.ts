import {domainToUnicode} from 'node:url';
import type * as acp from '@agentclientprotocol/sdk/unstable';
import type {ElicitationQuestion, Link} from '../../session/forms/form-request.ts';
import {type FormContent, readFields} from '../../session/forms/form-schema.ts';
import {escapeHidden, escapeHiddenLine} from '../../text/hidden.ts';
import {type HostContext, requestInterrupts} from '../host-context.ts';
import {refuse, type HostResponse, type Host, type HostForm} from '../services.ts';
import type {ElicitationResult} from './pending-elicitations.ts';

/** `elicitation/create`: asks the user, if there is one, in a supported mode. */
export async function elicit(
  context: HostContext,
  request: acp.CreateElicitationRequest,
  {signal, isForNone}: Parameters<Host['elicit']>[1],
): Promise<HostResponse<acp.CreateElicitationResponse>> {
  const {elicitations, options} = context;
  if (!options.hasUser)
    return refuse('invalidParams', 'there is no user to ask; this client did not advertise elicitation');
  const question = readElicitationRequest(request);
  if (typeof question === 'string') return refuse('invalidParams', question);
  const elicitationId = 'elicitationId' in request ? request['elicitationId'] : undefined;
  const settled = await elicitations.ask(
    {...question, ...(isForNone && {isForNone})},
    {
      ...requestInterrupts(context, signal),
      ...(typeof elicitationId === 'string' && {elicitationId}),
    },
  );
  return {ok: true, value: responseOf(question, settled)};
}

/** Asks with a form of acp-tui's own; undefined if it was not answered. Secrets are not stored. */
export async function showHostForm(context: HostContext, form: HostForm): Promise<FormContent | undefined> {
  const {elicitations, options} = context;
  if (!options.hasUser) return undefined;
  const {outcome, content} = await elicitations.ask(
    {...form, mode: 'form', asker: 'acp-tui'},
    requestInterrupts(context, new AbortController().signal),
  );
  return outcome === 'accepted' ? content : undefined;
}

/** "Elicitation", user response. A cancelled request gets -32800 elsewhere. */
function responseOf(
  question: ElicitationQuestion,
  {outcome, content}: ElicitationResult,
): acp.CreateElicitationResponse {
  if (outcome === 'declined') return {action: 'decline'};
  if (outcome !== 'accepted') return {action: 'cancel'};
  if (question.mode === 'url') return {action: 'accept'};
  const sent = Object.entries(content).map(
    ([id, value]) => [id, typeof value === 'object' ? [...value] : value] as const,
  );
  return {action: 'accept', content: Object.fromEntries(sent)};
}

/** Parses `elicitation/create`; a sentence if the request is unsupported. */
export function readElicitationRequest(request: acp.CreateElicitationRequest): ElicitationQuestion | string {
  const {message} = request;
  const toolCallId = 'toolCallId' in request ? request['toolCallId'] : undefined;
  const sessionId = 'sessionId' in request ? request['sessionId'] : undefined;
  const base = {
    message: escapeHidden(message),
    ...(typeof toolCallId === 'string' && {toolCallId}),
    ...(typeof sessionId === 'string' && {sessionId}),
  };
  if (isMode(request, 'form')) {
    const {title, description} = request.requestedSchema;
    const fields = readFields(request.requestedSchema);
    return {
      ...base,
      mode: 'form',
      fields,
      ...(title && {title: escapeHidden(title)}),
      ...(description && {description: escapeHidden(description)}),
    };
  }
  if (!isMode(request, 'url')) return `unknown mode ${JSON.stringify(request.mode)}`;
  const link = readLink(request.url);
  return link ? {...base, mode: 'url', link} : 'only http and https URLs are opened';
}

type RequestOf<Mode extends string> = Extract<acp.CreateElicitationRequest, {mode: Mode}>;

/** The generated type has an open variant whose mode may be any string. */
function isMode<Mode extends 'form' | 'url'>(
  request: acp.CreateElicitationRequest,
  mode: Mode,
): request is RequestOf<Mode> {
  return request.mode === mode;
}

/** Parses a URL to open in a browser; undefined if it is invalid. Fetches nothing. */
export function readLink(address: string): Link | undefined {
  const url = URL.parse(address);
  // Other schemes could start programs with arguments from the agent.
  if (url === null || !['https:', 'http:'].includes(url.protocol)) return undefined;
  const unicode = escapeHiddenLine(domainToUnicode(url.hostname));
  const isPunycode = unicode !== '' && unicode !== url.hostname;
  return {href: url.href, host: url.host, ...(isPunycode && {unicodeHost: unicode})};
}
