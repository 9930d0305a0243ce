import {unscrolled} from '../../src/app/scroll.ts';
import type {RequestView} from '../../src/app/state.ts';

/** A request that has the keyboard, and was seen to its end. */
export const askedView: RequestView = {
  id: 'f',
  version: 0,
  drawnAt: 1,
  endSeen: true,
  scroll: unscrolled,
  selected: 0,
  explained: false,
  declined: false,
  tookFocus: false,
  wasGiven: true,
  answerFrom: 0,
  answered: false,
};
