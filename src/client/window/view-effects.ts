import type {EffectOf} from '../../app/effects.ts';
import {changesOverlay} from '../../app/pages/pages.ts';
import {mcpPicker, switchedTold, withRows} from '../../app/pickers/mcp-picker.ts';
import {passagePicker, readingOverlay} from '../../app/pickers/passage-picker.ts';
import {undoPicker} from '../../app/pickers/undo-picker.ts';
import {GUARD_MS} from '../../app/requests/focus-guard.ts';
import type {Overlay} from '../../app/state.ts';
import type {Result} from '../../shared/failure.ts';
import {nameOfSession} from '../../session/titles.ts';
import {say, type Performer} from './effect-context.ts';

type Showing = Pick<Performer, 'store' | 'clientOf'>;

function show({store}: Pick<Performer, 'store'>, overlay: Overlay): undefined {
  store.dispatch({type: 'overlay_opened', overlay}, 'urgent');
}

/** Shows the files that were changed. */
export async function showChanges({key}: EffectOf<'show_changes'>, performer: Showing): Promise<void> {
  show(performer, changesOverlay(await performer.clientOf(key).actions.changes()));
}

/** Says what taking back the newest turn would do, and asks for a yes. */
export async function offerUndo({key}: EffectOf<'plan_undo'>, performer: Showing): Promise<void> {
  const {store, clientOf} = performer;
  const plan = await clientOf(key).actions.planUndo();
  if (!plan)
    return say(performer, 'There is nothing to take back: no turn has written files through acp-tui.');
  const cwd = store.current().sessions[key]?.session.cwd ?? '';
  return show(performer, {kind: 'picker', picker: undoPicker(plan, cwd, performance.now() + GUARD_MS)});
}

export function showMcpServers({key}: EffectOf<'show_mcp'>, performer: Showing): void {
  const {store, clientOf} = performer;
  const session = store.current().sessions[key]?.session;
  if (!session) return;
  show(performer, {kind: 'picker', picker: mcpPicker(clientOf(key).actions.listMcpServers(), session)});
}

/** Switches an MCP server on or off, also in the list of them that is open. */
export function switchMcpServer(
  {key, name}: EffectOf<'switch_mcp'>,
  performer: Showing,
): Result<void> | undefined {
  const {store, clientOf} = performer;
  const {actions} = clientOf(key);
  const session = store.current().sessions[key]?.session;
  if (!session) return undefined;
  const switched = actions.toggleMcpServer(name);
  if (!switched.ok) return switched;
  const rows = actions.listMcpServers();
  const {overlay} = store.current();
  if (overlay.kind === 'picker' && overlay.picker.purpose.kind === 'mcp')
    show(performer, {kind: 'picker', picker: withRows(overlay.picker, rows, session)});
  const text = switchedTold(rows.find((row) => row.name === name));
  return text === undefined ? undefined : say(performer, text);
}

type Reading = Pick<Performer, 'store' | 'memory'>;

/** Shows a stored session, to be read. */
export async function readSession(
  effect: EffectOf<'read_session'>,
  performer: Reading,
): Promise<Result<unknown> | undefined> {
  const state = await performer.memory.sessions.state(effect.id);
  return state.ok ? show(performer, readingOverlay(state.value, effect)) : state;
}

/** Lists where something was said in stored sessions. */
export function findPassages(
  {query}: EffectOf<'find_passages'>,
  performer: Reading,
): Result<unknown> | undefined {
  const found = performer.memory.sessions.search(query);
  if (!found.ok) return found;
  if (found.value.length === 0) return say(performer, `Nothing found for ${query}.`);
  const passages = found.value.map(({session, entry, at, snippet}) => {
    const {id, cwd} = session;
    return {session: id, name: nameOfSession(session), cwd, at, entry, snippet};
  });
  return show(performer, {kind: 'picker', picker: passagePicker(query, passages, Date.now())});
}
