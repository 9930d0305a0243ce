import {ignoredKeysText} from '../../app/review/review-keys.ts';
import {initialReviewView, type ReviewView} from '../../app/review/review-view.ts';
import {unescapeHidden} from '../../text/hidden.ts';
import {openContent} from './content-effects.ts';
import {notify, show, type EffectContext, type EffectHandlers, type EffectOutcome} from './effect-context.ts';

type Showing = Pick<EffectContext, 'store'>;

export const reviewEffects = {
  async show_review(effect, context): Promise<EffectOutcome> {
    const {key, range, at} = effect;
    const changes = () => context.store.latest().sessions[key]?.session.turnChanges;
    const before = changes();
    const outcome = await orNoLongerDoing(context.client.review(range), context);
    // A turn has ended meanwhile: what it changed may not have been read.
    if (outcome.ok && changes() !== before) return reviewEffects.show_review(effect, context);
    return outcome.ok
      ? openReview(initialReviewView(key, outcome.review, at), context)
      : refused(outcome.why, context);
  },
  // Shows what is left.
  async change_review({change, of}, context) {
    const {store, client} = context;
    const outcome = await orNoLongerDoing(client.changeReview(change, of), context);
    if (!outcome.ok) return refused(outcome.why, context);
    const {review, message, isDone} = outcome;
    const text = isDone ? message : withoutKeys(message ?? '', context);
    store.dispatch({type: 'review_read', review}, 'urgent');
    return showMessage(text, context);
  },
  async edit_reviewed({key, path, row, range, at}, context) {
    const item = {
      id: 'review',
      kind: 'location',
      name: path,
      mimeType: 'text/plain',
      bytes: undefined,
      target: unescapeHidden(path),
      isOwn: false,
      ...(row !== undefined && {line: row}),
    } as const;
    const opened = await openContent(item, context);
    if (opened?.ok !== false) await reviewEffects.show_review({kind: 'show_review', key, range, at}, context);
    return opened;
  },
} satisfies Partial<EffectHandlers>;

/** Shows a review, unless the user has gone on to something else. */
export function openReview(view: ReviewView, context: EffectContext): undefined {
  const {overlay, active, sessions} = context.store.latest();
  if (active !== view.key || !sessions[view.key] || !['none', 'review'].includes(overlay.kind))
    return undefined;
  showMessage(undefined, context);
  if (overlay.kind !== 'review') return show(context, {kind: 'review', ...view});
  // It has the keys already, and holds them until it is read again.
  const renewed = {kind: 'review', ...view, isSideBySide: overlay.isSideBySide} as const;
  context.store.dispatch({type: 'overlay_opened', overlay: renewed}, 'urgent');
  return undefined;
}

/** A review whose action fails takes keys again. */
function orNoLongerDoing<T>(action: Promise<T>, {store}: Showing): Promise<T> {
  return action.catch((error: unknown) => {
    store.dispatch({type: 'review_changed', change: {doing: undefined}}, 'urgent');
    throw error;
  });
}

function refused(why: string, context: Showing): undefined {
  const text = withoutKeys(why, context);
  context.store.dispatch({type: 'review_changed', change: {doing: undefined}}, 'urgent');
  return notify(context, text);
}

/** Keys that were pressed since a refused action would apply to something else: drops them, and says so. */
function withoutKeys(why: string, {store}: Showing): string {
  const {length} = store.latest().heldKeys;
  if (length === 0) return why;
  store.dispatch({type: 'changed', change: {heldKeys: []}}, 'urgent');
  return `${why} ${ignoredKeysText(length)}`;
}

/** Undefined clears the previous message. */
function showMessage(text: string | undefined, context: Showing): undefined {
  if (text !== undefined) return notify(context, text);
  context.store.dispatch({type: 'toast_shown', text: '', until: performance.now()}, 'urgent');
  return undefined;
}
