import type {PendingUrl} from '../../session/state.ts';

/** What can be done about an address that is to be opened, or that was. */
export type LinkDeed = 'open' | 'decline' | 'cancel' | 'go_on' | 'open_again' | 'give_up';

export interface LinkOption {
  readonly deed: LinkDeed;
  readonly name: string;
}

const ASKED: readonly LinkOption[] = [
  {deed: 'open', name: 'Open it in the browser'},
  {deed: 'decline', name: 'Decline: the agent is told no'},
  {deed: 'cancel', name: 'Cancel: the agent gets no answer'},
];

const OPENED: readonly LinkOption[] = [
  {deed: 'go_on', name: 'Go on: it is done, or need not be'},
  {deed: 'open_again', name: 'Open it again'},
  {deed: 'give_up', name: 'Give up: cancel what the agent does'},
];

/** The choices, in the order of their numbers. */
export function linkOptions({isOpened}: PendingUrl): readonly LinkOption[] {
  return isOpened ? OPENED : ASKED;
}
