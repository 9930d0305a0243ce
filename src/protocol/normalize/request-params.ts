import type * as acp from '@agentclientprotocol/sdk/unstable';
import type {PermissionRequest} from '../handlers-interface.ts';
import {requestPermissionRequest, createElicitationRequest} from '../schema.ts';
import {isFields, lostField, type Normalizer} from './deviation.ts';
import {PERMISSION, TOOL_CALL} from './deviations.ts';
import {unknownToolContent} from './tool-calls.ts';

/**
 * Parses the parameters of a `session/request_permission`; throws a ZodError if they stay invalid after normalization. `raw` is set if anything was corrected
 * or dropped, so that the user sees what is really approved.
 */
export function readPermission(params: unknown, normalize: Normalizer): PermissionRequest {
  const request = normalize(params, PERMISSION);
  const toolCall = isFields(request) ? request['toolCall'] : undefined;
  const corrected = normalize(toolCall, [...TOOL_CALL, unknownToolContent]);
  const parsed = requestPermissionRequest.parse(
    corrected === toolCall || !isFields(request) ? request : {...request, toolCall: corrected},
  );
  const intact =
    request === params &&
    corrected === toolCall &&
    isFields(corrected) &&
    lostField(corrected, parsed.toolCall) === undefined;
  return intact ? {request: parsed} : {request: parsed, raw: JSON.stringify(params)};
}

/**
 * Parses the parameters of an `elicitation/create`; throws a ZodError if they are invalid. The properties of a form are kept as received: the SDK's schema
 * rejects the whole form for one unknown property, and drops `enumNames`, which MCP servers send.
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
