/**
 * What happens if a request is sent again whose response was lost with the connection. `repeatable`: what it did once. `with_key`: from version 2 on, that too,
 * since the agent takes an `idempotencyKey` once. `never`: it would be done twice.
 */
type RetryClass = 'repeatable' | 'with_key' | 'never';

/** The requests to an agent, of both versions. */
export const RETRY_CLASSES: Readonly<Record<string, RetryClass>> = {
  initialize: 'repeatable',
  authenticate: 'never',
  'auth/login': 'never',
  logout: 'repeatable',
  'auth/logout': 'repeatable',
  'auth/status': 'repeatable',
  'session/new': 'never',
  'session/load': 'repeatable',
  'session/resume': 'repeatable',
  'session/fork': 'never',
  'session/list': 'repeatable',
  'session/status': 'repeatable',
  'session/close': 'repeatable',
  'session/delete': 'repeatable',
  'session/archive': 'repeatable',
  'session/unarchive': 'repeatable',
  'session/set_title': 'repeatable',
  'session/set_mode': 'repeatable',
  'session/set_model': 'repeatable',
  'session/set_config_option': 'repeatable',
  'session/prompt': 'with_key',
  '_session/steering': 'never',
  'tool_call/cancel': 'repeatable',
  'terminal/cancel': 'repeatable',
  'providers/list': 'repeatable',
  'providers/set': 'repeatable',
  'providers/disable': 'repeatable',
};

/** The first version of the protocol with keys. */
const KEYS_SINCE = 2;

/** True if a request of this method may be sent again in this version; one that is not known, never. */
export function isRepeatable(method: string, version: number): boolean {
  const kind = RETRY_CLASSES[method] ?? 'never';
  return kind === 'repeatable' || (kind === 'with_key' && version >= KEYS_SINCE);
}
