import {type McpServerRow, serverStartLabel} from '../../session/lifecycle/mcp-servers.ts';
import type {SessionState} from '../../session/state.ts';
import {nothing, perform, type Reaction} from '../effects.ts';
import type {Action} from '../keymap/keymap.ts';
import {pickerOf, selectedItem, withItems, type ListItem} from './picker.ts';
import type {Tab, Picker} from '../state.ts';

const CHANGES = 'Changes apply to the next session (/new starts one).';
const STARTED_BY_AGENT = 'The start of a server is confirmed only when its tools are used.';
const STARTED_HERE = 'acp-tui starts a server when the agent first uses it.';

/** Returns the list of MCP servers, with their state in this session and in the next. */
export function mcpPicker(rows: readonly McpServerRow[], session: SessionState): Picker {
  return pickerOf({
    purpose: {kind: 'mcp'},
    title: 'MCP servers',
    note: `${CHANGES} ${startsOwn(session) ? STARTED_HERE : STARTED_BY_AGENT}`,
    items: rows.length === 0 ? [none] : rows.map((row) => itemOf(row, session)),
  });
}

/** True if acp-tui runs all servers of the session for the agent. */
function startsOwn({mcpServers = [], ownServers = {}}: SessionState): boolean {
  return mcpServers.length > 0 && mcpServers.every((name) => Object.hasOwn(ownServers, name));
}

/** Returns the list with updated states. */
export function withRows(picker: Picker, rows: readonly McpServerRow[], session: SessionState): Picker {
  return withItems(picker, mcpPicker(rows, session).items);
}

/** Toggles the selected server; undefined for any other key or list. */
export function mcpKey(tab: Tab, action: Action | undefined, picker: Picker): Reaction | undefined {
  if (picker.purpose.kind !== 'mcp' || action !== 'switch_server') return undefined;
  const item = selectedItem(picker);
  if (!item || item.disabled !== undefined) return nothing;
  return perform({kind: 'switch_mcp', key: tab.key, name: item.id});
}

/** Returns a notice about a switched server and when the change applies. */
export function serverSwitchNotice(row: McpServerRow | undefined): string | undefined {
  if (!row) return undefined;
  const {name, next} = row;
  if (next === 'off') return `${name} is off from the next session; /new starts one.`;
  if (next === 'on') return `${name} is on from the next session; /new starts one.`;
  return `${name} is on, but will be skipped: ${next.leftOut}.`;
}

const none: ListItem = {
  id: '',
  label: 'None yet',
  disabled: 'Add servers in config.json or .mcp.json, or with --mcp-config.',
};

function itemOf({name, transport, from, what, next}: McpServerRow, session: SessionState): ListItem {
  const start = session.mcpServers?.includes(name) ? serverStartLabel(session, name) : undefined;
  return {
    id: name,
    label: name,
    description: [stateOf(next, start), transport, from].join(' · '),
    preview: what,
  };
}

/** Returns the state in this session with its start if known, and the state in the next session if different. */
function stateOf(next: McpServerRow['next'], start: string | undefined): string {
  const now = start === undefined ? 'off' : `on, ${start}`;
  if (typeof next === 'object')
    return start === undefined
      ? `skipped: ${next.leftOut}`
      : `${now}; next session: skipped, ${next.leftOut}`;
  return next === (start === undefined ? 'off' : 'on') ? now : `${now}; next session: ${next}`;
}
