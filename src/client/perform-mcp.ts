import type {SessionEffect} from '../app/effects.ts';
import {HINT_MS} from '../app/hint-time.ts';
import {mcpPicker, switchedTold, withRows} from '../app/mcp-picker.ts';
import type {Picker, SessionKey} from '../app/state.ts';
import type {Result} from '../shared/failure.ts';
import type {Performer} from './window/performer.ts';

type McpEffect = Extract<SessionEffect, {kind: 'show_mcp' | 'switch_mcp'}>;

/** Shows and switches MCP servers. */
export function performMcp(
  effect: McpEffect & {readonly key: SessionKey},
  {store, clientOf}: Pick<Performer, 'store' | 'clientOf'>,
): Result<void> | undefined {
  const {actions} = clientOf(effect.key);
  const show = (picker: Picker) =>
    store.dispatch({type: 'overlay_opened', overlay: {kind: 'picker', picker}}, 'urgent');
  const session = store.current().sessions[effect.key]?.session;
  if (!session) return undefined;
  if (effect.kind === 'switch_mcp') {
    const switched = actions.toggleMcpServer(effect.name);
    if (!switched.ok) return switched;
  }
  const rows = actions.listMcpServers();
  if (effect.kind === 'show_mcp') {
    show(mcpPicker(rows, session));
    return undefined;
  }
  const {overlay} = store.current();
  if (overlay.kind === 'picker' && overlay.picker.purpose.kind === 'mcp')
    show(withRows(overlay.picker, rows, session));
  const text = switchedTold(rows.find(({name}) => name === effect.name));
  if (text !== undefined)
    store.dispatch({type: 'hint_shown', text, until: performance.now() + HINT_MS}, 'urgent');
  return undefined;
}
