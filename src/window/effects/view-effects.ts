import {changesOverlay, logOverlay} from '../../app/pages/pages.ts';
import {providerPicker} from '../../app/pickers/setting-pickers.ts';
import {mcpPicker, serverSwitchNotice, withRows} from '../../app/pickers/mcp-picker.ts';
import {openList} from '../../app/pickers/picker.ts';
import {readingOverlay} from '../../app/pickers/session-actions.ts';
import {rewindPicker, rewindToPicker, undoPicker} from '../../app/pickers/restore-pickers.ts';
import {GUARD_MS} from '../../app/requests/request-phase.ts';
import {initialReviewView} from '../../app/review/review-view.ts';
import type {Tab} from '../../app/state.ts';
import {statusOverlay} from '../../app/status/status-page.ts';
import {DAYS, sinceDay, usageOverlay} from '../../app/pages/usage-page.ts';
import {openReview} from './review-effects.ts';
import {notify, show, showPicker, type EffectHandlers} from './effect-context.ts';

/** Effects that show something of a session, or what an action on it would do. */
export const viewEffects = {
  // As a review if snapshots cover the last turn, otherwise what tool calls reported.
  async show_changes({key}, context) {
    const {client, tab} = context;
    const {turn: now, lastTurn} = tab.session;
    const turn = now.kind === 'idle' ? lastTurn?.turn : now.turn;
    const outcome = turn === undefined ? undefined : await client.review({kind: 'turn', turn});
    if (outcome?.ok && outcome.review.files.length > 0)
      return openReview(initialReviewView(key, outcome.review), context);
    return show(context, changesOverlay(tab.session));
  },
  async show_status(_, context) {
    show(context, statusOverlay(context.tab, await context.client.limitUses()));
  },
  show_usage(_, context) {
    const used = context.storage.sessions.usage(sinceDay(DAYS, Date.now()));
    if (used.ok) show(context, usageOverlay(used.value, DAYS));
    return used;
  },
  async plan_undo(_, context) {
    const plan = await context.client.planUndo();
    if (!plan)
      return notify(
        context,
        'Nothing to undo: no snapshot shows a change. Ignored files have none, nor do some folders (acp-tui help review).',
      );
    const notCovered = plan.uncovered?.map(({path, reason}) => `${path} (${reason})`).join(', ') ?? '';
    if (plan.files.length === 0) return notify(context, `Nothing to undo. Not covered: ${notCovered}.`);
    return showPicker(context, undoPicker(plan, askedNow(context.tab)));
  },
  async show_rewind(_, context) {
    const points = await context.client.rewindPoints();
    if (points.length === 0) return notify(context, 'Nothing to rewind to: no prompt was sent.');
    return showPicker(context, rewindPicker(points, Date.now()));
  },
  async plan_rewind({point}, context) {
    const plan = await context.client.planRewind(point);
    return showPicker(context, rewindToPicker(plan, askedNow(context.tab)));
  },
  async show_providers(_, context) {
    const listed = await context.client.listProviders();
    if (listed.ok) showPicker(context, providerPicker(listed.value));
    return listed;
  },
  async show_mcp(_, context) {
    showPicker(context, mcpPicker(await context.client.listMcpServers(), context.tab.session));
  },
  // Updates the open list.
  async switch_mcp({name}, context) {
    const {store, client, tab} = context;
    const switched = await client.toggleMcpServer(name);
    if (!switched.ok) return switched;
    const rows = await client.listMcpServers();
    const state = store.latest();
    const list = state.active === tab.key ? openList(state, 'mcp') : undefined;
    const picker = list && withRows(list, rows, tab.session);
    // It has the keys already: what was typed into it meanwhile stays.
    if (picker) store.dispatch({type: 'overlay_opened', overlay: {kind: 'picker', picker}}, 'urgent');
    const text = serverSwitchNotice(rows.find((row) => row.name === name));
    return text === undefined ? undefined : notify(context, text);
  },
  async show_log(_, context) {
    show(context, logOverlay(await context.client.stderrTail()));
  },
  async read_session(effect, context) {
    const {storage, sessions} = context;
    const stored = sessions.finder.found(effect.row)?.stored;
    if (!stored) return notify(context, 'Only its agent has this session: resume it to read it.');
    const state = await storage.sessions.state(stored.id);
    if (!state.ok) return state;
    const {overlay, viewer} = readingOverlay(state.value, effect);
    return show(context, overlay, viewer);
  },
} satisfies Partial<EffectHandlers>;

function askedNow({session: {cwd}}: Tab) {
  return {cwd, answerFrom: performance.now() + GUARD_MS};
}
