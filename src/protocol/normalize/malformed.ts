import {isJsonObject} from '../../text/json.ts';

/** acp-tui's own notification, in the log and in recordings, beside the translation of a message of version 2 that breaks its schema. */
export const MALFORMED = '_acp-tui/malformed';

/** Returns how the message of such a notification breaks the schema. */
export function malformedProblem(params: unknown): string {
  const {problem} = isJsonObject(params) ? params : {};
  return typeof problem === 'string' ? problem : 'unknown';
}
