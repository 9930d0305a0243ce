import type {PermissionRequest} from '../handlers-interface.ts';
import {requestPermissionRequest} from '../schema.ts';
import {isFields} from './deviation.ts';
import {PERMISSION, TOOL_CALL} from './deviations.ts';
import {lostField} from './lost-field.ts';
import type {Mender} from './mender.ts';
import {unknownToolContent} from './tool-content.ts';

/**
 * Reads the parameters of a `session/request_permission`; throws a ZodError when even mending does not help. `raw` is there
 * when anything was mended or lost, since the user must see what he approves.
 */
export function readPermission(params: unknown, mend: Mender): PermissionRequest {
  const request = mend(params, PERMISSION);
  const toolCall = isFields(request) ? request['toolCall'] : undefined;
  const mended = mend(toolCall, [...TOOL_CALL, unknownToolContent]);
  const parsed = requestPermissionRequest.parse(
    mended === toolCall || !isFields(request) ? request : {...request, toolCall: mended},
  );
  const intact =
    request === params &&
    mended === toolCall &&
    isFields(mended) &&
    lostField(mended, parsed.toolCall) === undefined;
  return intact ? {request: parsed} : {request: parsed, raw: JSON.stringify(params)};
}
