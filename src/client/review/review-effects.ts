import type {EffectOf} from '../../app/effects.ts';
import {ignoredText} from '../../app/review/review-keys.ts';
import {openedReview, type ReviewView} from '../../app/review/review-view.ts';
import type {Result} from '../../shared/failure.ts';
import {unescapeHidden} from '../../text/hidden.ts';
import {openContent} from '../content/content-effects.ts';
import {notify, type EffectContext} from '../window/effect-context.ts';

/** Reads the changes and shows them, or reports why that is not possible. */
export async function showReview(
  {key, range, at}: EffectOf<'show_review'>,
  context: Pick<EffectContext, 'store' | 'clientOf'>,
): Promise<void> {
  const outcome = await context.clientOf(key).review(range);
  return outcome.ok
    ? openReview(openedReview(key, outcome.review, at), context)
    : refused(outcome.why, context);
}

/** Shows a review, unless the user has gone on to something else. */
export function openReview(view: ReviewView, context: Showing): undefined {
  const {store} = context;
  const {overlay, active, sessions} = store.latest();
  if (active !== view.key || !sessions[view.key] || !['none', 'review'].includes(overlay.kind))
    return undefined;
  const before = overlay.kind === 'review' ? {isSideBySide: overlay.isSideBySide} : {};
  store.dispatch({type: 'overlay_opened', overlay: {kind: 'review', ...view, ...before}}, 'urgent');
  return showMessage(undefined, context);
}

/** Accepts or reverts a change, and shows what is left. */
export async function changeReview(
  {key, change}: EffectOf<'change_review'>,
  context: Pick<EffectContext, 'store' | 'clientOf'>,
): Promise<void> {
  const {store, clientOf} = context;
  const outcome = await clientOf(key)
    .changeReview(change)
    .catch((error: unknown) => {
      store.dispatch({type: 'review_changed', change: {doing: undefined}}, 'urgent');
      throw error;
    });
  if (!outcome.ok) return refused(outcome.why, context);
  const {review, message, isDone} = outcome;
  const text = isDone ? message : withoutKeys(message ?? '', context);
  store.dispatch({type: 'review_read', review}, 'urgent');
  return showMessage(text, context);
}

type Showing = Pick<EffectContext, 'store'>;

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
  return `${why} ${ignoredText(length)}`;
}

/** Undefined clears the previous message. */
function showMessage(text: string | undefined, context: Showing): undefined {
  if (text !== undefined) return notify(context, text);
  context.store.dispatch({type: 'toast_shown', text: '', until: performance.now()}, 'urgent');
  return undefined;
}

/** Opens a file in the user's editor, and then the review again. */
export async function editReviewed(
  {key, path, row, range, at}: EffectOf<'edit_reviewed'>,
  context: EffectContext,
): Promise<Result<unknown> | undefined> {
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
  const opened = await openContent({kind: 'open_content', key, item}, context);
  if (opened?.ok !== false) await showReview({kind: 'show_review', key, range, at}, context);
  return opened;
}
