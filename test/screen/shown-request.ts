import {unscrolled} from '../../src/app/pages/scroll.ts';
import type {Reading} from '../../src/app/requests/request-guard.ts';
import type {RequestView} from '../../src/app/state.ts';

/** A request that has the focus, and was read to its end. */
export const askedView: RequestView = {
  id: 'f',
  version: 0,
  drawnAt: 1,
  seen: {columns: 80, totalRows: 10, ranges: [{from: 0, to: 10}]},
  changed: undefined,
  unlocked: false,
  scroll: unscrolled,
  selected: 0,
  explained: false,
  declined: false,
  tookFocus: false,
  wasGiven: true,
  answerFrom: 0,
  rejectFrom: 0,
  ignoresUntil: undefined,
  rule: undefined,
  answered: false,
};

/** All of it was read. */
export const allRead: Reading = {needed: 'all', left: 0, unseen: 0, next: 0};
