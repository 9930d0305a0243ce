import type * as acp from '@agentclientprotocol/sdk/unstable';
import type {AskedElicitation} from '../../session/forms/asked.ts';
import {readFields} from '../../session/forms/read-schema.ts';
import {escapeHidden} from '../../text/hidden.ts';
import {readLink} from './read-link.ts';

/** What an `elicitation/create` asks; a sentence where that cannot be asked. */
export function readAsked(request: acp.CreateElicitationRequest): AskedElicitation | string {
  const {message} = request;
  const toolCallId = 'toolCallId' in request ? request['toolCallId'] : undefined;
  const base = {message: escapeHidden(message), ...(typeof toolCallId === 'string' && {toolCallId})};
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
  return link ? {...base, mode: 'url', link} : 'only http and https addresses are opened';
}

type RequestOf<Mode extends string> = Extract<acp.CreateElicitationRequest, {mode: Mode}>;

/** The generated type has an open variant, whose mode may be any string. */
function isMode<Mode extends 'form' | 'url'>(
  request: acp.CreateElicitationRequest,
  mode: Mode,
): request is RequestOf<Mode> {
  return request.mode === mode;
}
