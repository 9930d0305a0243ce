import {unscrolled} from '../../src/app/pages/scroll.ts';
import type {Reading} from '../../src/app/requests/request-guard.ts';
import type {RequestView} from '../../src/app/state.ts';

/** A request that has the focus, and was read to its end. */
export const askedView: RequestView = {
  id: 'f',
  version: 0,
  phase: {
    kind: 'focused',
    by: 'user',
    shownAt: 1,
    answerFrom: 0,
    rejectFrom: 0,
    ignoresUntil: undefined,
    isUnlocked: false,
  },
  seen: {columns: 80, totalRows: 10, ranges: [{from: 0, to: 10}]},
  changed: undefined,
  scroll: unscrolled,
  selected: 0,
  declined: false,
  rule: undefined,
};

/** All of it was read. */
export const allRead: Reading = {needed: 'all', left: 0, unseen: 0, next: 0};

/** The leaves of an input that a request does not show under their names. */
export function hiddenLeaves(input: unknown, shown: string): readonly (readonly [string, unknown])[] {
  const text = squeezed(shown.replaceAll(/^[│!] ?(?:┆ )?/gm, ''));
  const leaves = (name: string, value: unknown): readonly (readonly [string, unknown])[] =>
    typeof value === 'object' && value !== null
      ? Object.entries(value).flatMap(([key, each]) => leaves(Array.isArray(value) ? name : key, each))
      : [[name, value]];
  return leaves('', input).filter(([name, value]) => {
    const labels = [`${name}:`, `"${name}":`, ...(name === 'command' || name === 'cmd' ? ['$'] : [])].map(
      squeezed,
    );
    return !labels.some((label) => text.includes(label)) || !text.includes(squeezed(String(value)));
  });
}

function squeezed(text: string): string {
  return text.replaceAll(/[\s│┆]/g, '');
}
