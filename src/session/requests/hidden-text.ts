import {hasHidden} from '../../text/hidden.ts';
import {memoize} from '../memoize.ts';
import type {PendingRequest} from '../state.ts';

type Test = (text: string) => boolean;

/** True if a request contains invisible characters in anything that is shown of it, so that its answer needs a confirmation. */
export const hidesText = memoize((request: PendingRequest): boolean => isShown(request, hasHidden));

/** Letters of scripts that are written from right to left: Hebrew, Arabic, Syriac, Thaana, NKo and others. */
const RIGHT_TO_LEFT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;

/** True if what a permission request shows has letters that some terminals put in another order, with the numbers and signs around them. */
export const mixesDirections = memoize(
  (request: PendingRequest): boolean =>
    request.kind === 'permission' && isShown(request, (text) => RIGHT_TO_LEFT.test(text)),
);

/** True if a text that is shown of a request passes a test. */
function isShown(request: PendingRequest, test: Test): boolean {
  if (request.kind !== 'permission') return holds(request, test);
  const {call, options, raw, rule, noRule, covers} = request;
  const {title, name, content, locations, rawInput} = call;
  const shown = [title, name, content, locations, options, raw, rule, noRule, covers];
  // All of the input is shown, including its keys.
  return holds(shown, test) || test(JSON.stringify(rawInput) ?? '');
}

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

function holds(value: unknown, test: Test): boolean {
  if (typeof value === 'string') return test(value);
  if (typeof value !== 'object' || value === null) return false;
  return Object.entries(value).some(([key, part]) => !UNSEEN.has(key) && (test(key) || holds(part, test)));
}
