/** Where the pages of the protocol are published. */
export const PAGES = 'https://agentclientprotocol.com/protocol/v1/';

/** What the pages say of each method; those of a kind are told by their beginning. */
const BY_METHOD: readonly (readonly [beginning: string, page: string])[] = [
  ['initialize', 'initialization'],
  ['authenticate', 'authentication'],
  ['logout', 'authentication#logging-out'],
  ['session/load', 'session-setup#loading-sessions'],
  ['session/resume', 'session-setup#resuming-sessions'],
  ['session/close', 'session-setup#closing-active-sessions'],
  ['session/new', 'session-setup#creating-a-session'],
  ['session/list', 'session-list'],
  ['session/delete', 'session-delete'],
  ['session/set_mode', 'session-modes'],
  ['session/set_config_option', 'session-config-options'],
  ['session/cancel', 'prompt-turn#cancellation'],
  ['session/prompt', 'prompt-turn'],
  ['session/request_permission', 'tool-calls#requesting-permission'],
  ['fs/', 'file-system'],
  ['terminal/', 'terminals'],
];

const BY_UPDATE: Readonly<Record<string, string>> = {
  tool_call: 'tool-calls#creating',
  tool_call_update: 'tool-calls#updating',
  plan: 'agent-plan',
  available_commands_update: 'slash-commands',
  current_mode_update: 'session-modes',
  config_option_update: 'session-config-options',
  session_info_update: 'session-list#updating-session-metadata',
  usage_update: 'prompt-turn#session-usage-updates',
};

/** The page of the protocol that describes a method, or a kind of `session/update`. */
export function pageOf(method: string, update?: string): string {
  if (method === 'session/update')
    return (Object.hasOwn(BY_UPDATE, update ?? '') ? BY_UPDATE[update ?? ''] : undefined) ?? 'prompt-turn';
  return BY_METHOD.find(([beginning]) => method.startsWith(beginning))?.[1] ?? 'schema';
}
