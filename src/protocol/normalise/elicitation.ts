import type * as acp from '@agentclientprotocol/sdk/unstable';
import {createElicitationRequest} from '../schema.ts';
import {isFields} from './deviation.ts';

/**
 * Reads the parameters of an `elicitation/create`; throws a ZodError for what is none. The properties of a form stay as they came:
 * the SDK's schema refuses the whole form for one property that it does not know, and drops `enumNames`, which MCP servers send.
 */
export function readElicitation(params: unknown): acp.CreateElicitationRequest {
  if (!isFields(params) || params['mode'] !== 'form' || !isFields(params['requestedSchema']))
    return createElicitationRequest.parse(params);
  const {requestedSchema} = params;
  const parsed = createElicitationRequest.parse({
    ...params,
    requestedSchema: {...requestedSchema, properties: {}, required: []},
  });
  return {...parsed, requestedSchema};
}
