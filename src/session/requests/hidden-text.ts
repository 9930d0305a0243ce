import {hasHidden} from '../../text/hidden.ts';
import {memoize} from '../memoize.ts';
import type {PendingRequest} from '../state.ts';

/** True if a request contains invisible characters in anything that is shown of it, so that its answer needs a confirmation. */
export const hidesText = memoize((request: PendingRequest): boolean => {
  if (request.kind !== 'permission') return holdsHidden(request);
  const {title, name, content, locations, rawInput} = request.call;
  const shown = [title, name, content, locations, request.options, request.raw, request.rule];
  // All of the input is shown, including its keys.
  return holdsHidden(shown) || hasHidden(JSON.stringify(rawInput) ?? '');
});

/** Fields that are not shown, and are kept as received. */
const UNSEEN: ReadonlySet<string> = new Set([
  'id',
  'toolCallId',
  'value',
  'pattern',
  '_meta',
  'data',
  'blob',
]);

function holdsHidden(value: unknown): boolean {
  if (typeof value === 'string') return hasHidden(value);
  if (typeof value !== 'object' || value === null) return false;
  return Object.entries(value).some(
    ([key, part]) => !UNSEEN.has(key) && (hasHidden(key) || holdsHidden(part)),
  );
}
