import type {EffectOf} from '../../app/effects.ts';
import {changesOverlay} from '../../app/pages/pages.ts';
import {providerPicker} from '../../app/pickers/setting-pickers.ts';
import {mcpPicker, serverSwitchNotice, withRows} from '../../app/pickers/mcp-picker.ts';
import {passagePicker, readingOverlay} from '../../app/pickers/passage-picker.ts';
import {rewindPicker, rewindToPicker, undoPicker} from '../../app/pickers/restore-pickers.ts';
import {GUARD_MS} from '../../app/requests/request-guard.ts';
import {openedReview} from '../../app/review/review-view.ts';
import type {Overlay, SessionKey} from '../../app/state.ts';
import type {Result} from '../../shared/failure.ts';
import {nameOfSession} from '../../session/titles.ts';
import type {UndoPlan} from '../../session/transcript/diffs.ts';
import {openReview} from '../review/review-effects.ts';
import {notify, type EffectContext} from './effect-context.ts';

type Showing = Pick<EffectContext, 'store' | 'clientOf'>;

function show({store}: Pick<EffectContext, 'store'>, overlay: Overlay): undefined {
  store.dispatch({type: 'overlay_opened', overlay}, 'urgent');
}

/** Shows what the last turn changed: as a review if snapshots cover it, otherwise what acp-tui wrote and the agent reported. */
export async function showChanges({key}: EffectOf<'show_changes'>, context: Showing): Promise<void> {
  const client = context.clientOf(key);
  const session = context.store.latest().sessions[key]?.session;
  const turn = session?.turn.kind === 'idle' ? session.lastTurn?.turn : session?.turn.turn;
  const outcome = turn === undefined ? undefined : await client.review({kind: 'turn', turn});
  if (outcome?.ok && outcome.review.files.length > 0)
    return openReview(openedReview(key, outcome.review), context);
  return show(context, changesOverlay(await client.changes()));
}

/** Shows what undoing the newest turn would do, and asks for confirmation. */
export async function offerUndo({key}: EffectOf<'plan_undo'>, context: Showing): Promise<void> {
  const {store, clientOf} = context;
  const plan = await clientOf(key).planUndo();
  if (!plan) return notify(context, 'Nothing to undo: no changes of a turn are known.');
  if (plan.files.length === 0) return notify(context, `Nothing to undo. Not covered: ${namedTurns(plan)}.`);
  return show(context, {kind: 'picker', picker: undoPicker(plan, askedNow(store, key))});
}

function namedTurns({uncovered = []}: UndoPlan): string {
  return uncovered.map(({path, reason}) => `${path} (${reason})`).join(', ');
}

/** Shows the points that the session can be rewound to. */
export async function showRewind({key}: EffectOf<'show_rewind'>, context: Showing): Promise<void> {
  const points = await context.clientOf(key).rewindPoints();
  if (points.length === 0) return notify(context, 'Nothing to rewind to: no prompt was sent.');
  return show(context, {kind: 'picker', picker: rewindPicker(points, Date.now())});
}

/** Shows what rewinding to a point would do, and asks for confirmation. */
export async function offerRewind({key, point}: EffectOf<'plan_rewind'>, context: Showing): Promise<void> {
  const {store, clientOf} = context;
  const plan = await clientOf(key).planRewind(point);
  return show(context, {kind: 'picker', picker: rewindToPicker(plan, askedNow(store, key))});
}

function askedNow(store: Showing['store'], key: SessionKey) {
  const cwd = store.latest().sessions[key]?.session.cwd ?? '';
  return {cwd, answerFrom: performance.now() + GUARD_MS};
}

export async function showProviders(
  {key}: EffectOf<'show_providers'>,
  context: Showing,
): Promise<Result<unknown>> {
  const listed = await context.clientOf(key).listProviders();
  if (listed.ok) show(context, {kind: 'picker', picker: providerPicker(listed.value)});
  return listed;
}

export function showMcpServers({key}: EffectOf<'show_mcp'>, context: Showing): void {
  const {store, clientOf} = context;
  const session = store.latest().sessions[key]?.session;
  if (!session) return;
  show(context, {kind: 'picker', picker: mcpPicker(clientOf(key).listMcpServers(), session)});
}

/** Turns an MCP server on or off, and updates the open list. */
export function switchMcpServer(
  {key, name}: EffectOf<'switch_mcp'>,
  context: Showing,
): Result<void> | undefined {
  const {store, clientOf} = context;
  const client = clientOf(key);
  const session = store.latest().sessions[key]?.session;
  if (!session) return undefined;
  const switched = client.toggleMcpServer(name);
  if (!switched.ok) return switched;
  const rows = client.listMcpServers();
  const {overlay} = store.latest();
  if (overlay.kind === 'picker' && overlay.picker.purpose.kind === 'mcp')
    show(context, {kind: 'picker', picker: withRows(overlay.picker, rows, session)});
  const text = serverSwitchNotice(rows.find((row) => row.name === name));
  return text === undefined ? undefined : notify(context, text);
}

type Reading = Pick<EffectContext, 'store' | 'storage'>;

/** Shows a stored session, read-only. */
export async function readSession(
  effect: EffectOf<'read_session'>,
  context: Reading,
): Promise<Result<unknown> | undefined> {
  const state = await context.storage.sessions.state(effect.id);
  if (!state.ok) return state;
  context.store.dispatch(readingOverlay(state.value, effect), 'urgent');
  return undefined;
}

/** Lists search results in stored sessions. */
export function findPassages(
  {query}: EffectOf<'find_passages'>,
  context: Reading,
): Result<unknown> | undefined {
  const found = context.storage.sessions.search(query);
  if (!found.ok) return found;
  if (found.value.length === 0) return notify(context, `No matches for ${query}.`);
  const passages = found.value.map(({session, entry, at, subagent, snippet}) => {
    const {id, cwd} = session;
    return {session: id, name: nameOfSession(session), cwd, at, entry, subagent, snippet};
  });
  return show(context, {kind: 'picker', picker: passagePicker(query, passages, Date.now())});
}
