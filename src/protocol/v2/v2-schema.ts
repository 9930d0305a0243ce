import * as zod from '../../../node_modules/@agentclientprotocol/sdk/dist/v2/unstable/schema/zod.gen.js';
import {isJsonObject, type JsonObject} from '../../text/json.ts';
import {MALFORMED} from '../normalize/malformed.ts';
import {problemsOf, type Parser} from '../schema.ts';

/** What an agent sends, by method; `schema.ts` explains why the parsers are imported from there. */
const PARAMS: Readonly<Record<string, Parser<unknown>>> = {
  'session/update': zod.zUpdateSessionNotification,
  'session/request_permission': zod.zRequestPermissionRequest,
  'elicitation/create': zod.zCreateElicitationRequest,
  'elicitation/complete': zod.zCompleteElicitationNotification,
  'auth/status_update': zod.zAuthStatusUpdateNotification,
  'mcp/message': zod.zMessageMcpRequest,
};

/** Returns a notification with a message that breaks version 2's schema, as it was sent, and how: its translation may not show that. */
export function malformedNotice(message: JsonObject): JsonObject | undefined {
  const {method, params} = message;
  const schema = typeof method === 'string' && Object.hasOwn(PARAMS, method) ? PARAMS[method] : undefined;
  const read = schema?.safeParse(params ?? {});
  if (!read || read.success) return undefined;
  const {update} = isJsonObject(params) ? params : {};
  const kind = isJsonObject(update) ? update['sessionUpdate'] : undefined;
  const what = typeof kind === 'string' ? `${String(method)} ${kind}` : String(method);
  return {method: MALFORMED, params: {problem: `${what}: ${problemsOf(read.error)}`, message}};
}
