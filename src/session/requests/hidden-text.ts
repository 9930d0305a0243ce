import {hasHidden} from '../../text/hidden.ts';
import {memoize} from '../memoize.ts';
import type {PendingRequest} from '../state.ts';

/** True if a request has characters that would not be seen, anywhere in what is shown of it: its answer needs a second thought. */
export const hidesText = memoize((request: PendingRequest): boolean => {
  if (request.kind !== 'permission') return holdsHidden(request);
  const {title, name, content, locations, rawInput} = request.call;
  const shown = [title, name, content, locations, request.options, request.raw, request.rule];
  // All of an input is shown, whatever its parts are called.
  return holdsHidden(shown) || hasHidden(JSON.stringify(rawInput) ?? '');
});

/** Parts that are not shown, and stay as they came. */
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
